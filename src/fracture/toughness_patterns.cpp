#include "fracture/toughness_patterns.h"

#include <array>
#include <cmath>
#include <limits>
#include <utility>
#include <vector>

#include "core/lattice_noise.h"
#include "core/random.h"

namespace sunder {
namespace {

using Planes = PatternPoint::Planes;

PatternPoint whole(const Vec3& normal) { return {1, Planes::across, normal}; }

// From the middle of the nearest joint of width `joint` between things of size `size` that begin at 0; the joint
// follows the thing.
double distance_to_joint(double x, double size, double joint) {
  const double pitch = size + joint, middle = size + joint / 2;
  return std::abs(x - middle - pitch * std::round((x - middle) / pitch));
}

}  // namespace

ToughnessPattern uniform_pattern() {
  return [](const Vec3&, Uid) { return PatternPoint{1, Planes::all, Vec3::UnitX()}; };
}

ToughnessPattern noise_pattern(double length, std::uint64_t seed) {
  if (!(length > 0)) {
    return [seed](const Vec3&, Uid node) { return PatternPoint{random_unit(seed, node), Planes::all, Vec3::UnitX()}; };
  }
  return [length, seed](const Vec3& x, Uid) {
    return PatternPoint{lattice_noise(seed, x / length), Planes::all, Vec3::UnitX()};
  };
}

ToughnessPattern brick_pattern(const Vec3& brick, double mortar, const Vec3& corner) {
  return [=](const Vec3& place, Uid) {
    const Vec3 x = place - corner;
    const bool odd = std::fmod(std::abs(std::floor(x.y() / (brick.y() + mortar))), 2) == 1;
    const double shift = odd ? (brick.x() + mortar) / 2 : 0;
    const std::array<double, 3> distance = {distance_to_joint(x.x() + shift, brick.x(), mortar),
                                            distance_to_joint(x.y(), brick.y(), mortar),
                                            distance_to_joint(x.z(), brick.z(), mortar)};
    PatternPoint result;
    double nearest = mortar / 2;
    for (int a = 0; a < 3; ++a) {
      const double d = distance[static_cast<std::size_t>(a)];
      if (d <= nearest) result = whole(Vec3::Unit(a)), nearest = d;
    }
    return result;
  };
}

ToughnessPattern plane_pattern(const Vec3& point, const Vec3& normal, double width) {
  return [=](const Vec3& x, Uid) {
    return std::abs((x - point).dot(normal)) <= width / 2 ? whole(normal) : PatternPoint{};
  };
}

ToughnessPattern grid_pattern(const Vec3& spacing, double width, const Vec3& corner) {
  return [=](const Vec3& place, Uid) {
    const Vec3 x = place - corner;
    PatternPoint result;
    double nearest = width / 2;
    for (int a = 0; a < 3; ++a) {
      if (!(spacing[a] > 0)) continue;
      const double line = std::round(x[a] / spacing[a]);
      if (line < 1) continue;  // the body's own end is no line
      const double d = std::abs(x[a] - spacing[a] * line);
      if (d <= nearest) result = whole(Vec3::Unit(a)), nearest = d;
    }
    return result;
  };
}

ToughnessPattern voronoi_pattern(std::uint32_t count, double width, std::uint64_t seed, const Bounds& box) {
  std::vector<Vec3> sites(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    for (int a = 0; a < 3; ++a) {
      sites[i][a] = box.lower[a] + box.extent()[a] * random_unit(seed, i, static_cast<std::uint64_t>(a));
    }
  }
  return [sites = std::move(sites), width](const Vec3& x, Uid) {
    const Vec3* own = nullptr;
    double least = std::numeric_limits<double>::infinity();
    for (const Vec3& site : sites) {
      const double d = (x - site).squaredNorm();
      if (d < least) least = d, own = &site;
    }
    PatternPoint result;
    double nearest = width / 2;
    for (const Vec3& site : sites) {
      if (&site == own) continue;
      const Vec3 across = site - *own;
      const double length = across.norm();
      if (!(length > 0)) continue;
      const double d = ((x - site).squaredNorm() - least) / (2 * length);  // to the plane between the two
      if (d <= nearest) result = whole(across / length), nearest = d;
    }
    return result;
  };
}

ToughnessPattern direction_pattern(PatternPoint::Planes planes, const Vec3& direction, double wobble, double length,
                                   std::uint64_t seed) {
  if (!(wobble > 0)) return [=](const Vec3&, Uid) { return PatternPoint{1, planes, direction}; };
  return [=, slope = std::tan(wobble)](const Vec3& x, Uid) {
    const Vec3 off = slope * lattice_noise_vector(seed, x / length);
    const Vec3 across = off - off.dot(direction) * direction;
    return PatternPoint{1, planes, (direction + across).normalized()};
  };
}

ToughnessPattern joint_pattern(SignedDistance first, SignedDistance second, double width) {
  return [=, first = std::move(first), second = std::move(second)](const Vec3& x, Uid) {
    // Beyond the edge of the joint it goes on by half its width: meshes round the crease there.
    if (!(std::abs(first(x)) <= width / 2) || !(second(x) <= width / 2)) return PatternPoint{};
    Vec3 slope;
    const double step = 1e-3 * width;
    for (int i = 0; i < 3; ++i) slope[i] = first(x + step * Vec3::Unit(i)) - first(x - step * Vec3::Unit(i));
    const double length = slope.norm();
    if (!(length > 0)) return PatternPoint{1, Planes::all, Vec3::UnitX()};
    return whole(slope / length);
  };
}

}  // namespace sunder
