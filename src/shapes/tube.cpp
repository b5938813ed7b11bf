// Tubes along a curve, solid or hollow.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "core/error.h"
#include "shapes/bounds.h"
#include "shapes/distance.h"
#include "shapes/mapped_shapes.h"
#include "shapes/path.h"
#include "shapes/ring_chart.h"

namespace sunder {
namespace {

using std::numbers::pi;

// Outside radius, which changes evenly along the path.
struct Taper {
  double start, end;
  explicit Taper(const TubeShape& tube) : start(tube.radius), end(tube.end_radius.value_or(tube.radius)) {}
  double at(double fraction) const { return start + std::clamp(fraction, 0.0, 1.0) * (end - start); }
  double least() const { return std::min(start, end); }
  double most() const { return std::max(start, end); }
  // Of a cross-section of this radius less `inset`, over the length: the volume is that of a straight cone (Pappus).
  double mean_square(double inset = 0) const {
    const double a = start - inset, b = end - inset;
    return (a * a + a * b + b * b) / 3;
  }
};

void require_possible(const TubeShape& tube, const Path& path) {
  constexpr double thinnest = 1e-6;  // m
  const Taper taper(tube);
  if (tube.closed && taper.start != taper.end) {
    throw InputError({}, "a closed tube ends where it starts, and has one radius there", "leave out `end_radius`");
  }
  if (std::abs(taper.end - taper.start) > path.length()) {
    throw InputError({},
                     fmt::format("the radius changes by {:.3g} m over a length of {:.3g} m",
                                 std::abs(taper.end - taper.start), path.length()),
                     "make the tube longer, or `end_radius` more like `radius`");
  }
  if (tube.wall > 0 && tube.wall < thinnest) {
    throw InputError({}, fmt::format("a wall of {:g} m is too thin", tube.wall),
                     fmt::format("use at least {:g} m, or 0 for a solid tube", thinnest));
  }
  if (!(tube.wall < taper.least())) {
    throw InputError(
        {}, fmt::format("a wall of {:g} m is not thinner than the tube's radius {:g} m", tube.wall, taper.least()),
        "make `wall` smaller, or 0 for a solid tube");
  }
  if (!(path.smallest_bend() > 1.1 * taper.most())) {
    throw InputError({},
                     fmt::format("the path bends with a radius of {:.3g} m, too tight for a tube of radius {:g} m",
                                 path.smallest_bend(), taper.most()),
                     "make the bend wider or the tube thinner");
  }
  // Places far apart along the path must be apart in space.
  constexpr int samples = 200;
  for (int i = 0; i < samples; ++i) {
    for (int j = 0; j < i; ++j) {
      const double s = path.length() * i / samples, t = path.length() * j / samples;
      const double along = tube.closed ? std::min(s - t, path.length() - (s - t)) : s - t;
      if (along < 1.6 * pi * taper.most()) continue;
      if ((path.at(s).position - path.at(t).position).norm() > 2 * taper.most()) continue;
      throw InputError({}, fmt::format("the tube runs into itself, {:.3g} m and {:.3g} m along its path", t, s),
                       "keep parts of the path further apart, or make the tube thinner");
    }
  }
}

Mapping solid_tube(const TubeShape& tube, const std::shared_ptr<const Path>& path) {
  const Taper taper(tube);
  Mapping mapping;
  mapping.domain = RingDomain{{0, 1}, "", "surface"};
  mapping.closed = tube.closed;
  mapping.bottom = "start";
  mapping.top = "end";
  mapping.thickness = path->length();
  mapping.area = pi * taper.mean_square();
  mapping.texture = [](const Vec2& x) { return Vec2((x + Vec2::Ones()) / 2); };
  mapping.place = [taper, path](const Vec2& x, double w) {
    const Path::Frame f = path->at(w * path->length());
    return Vec3(f.position + taper.at(w) * (x.x() * f.normal + x.y() * f.binormal));
  };
  return mapping;
}

Mapping hollow_tube(const TubeShape& tube, const std::shared_ptr<const Path>& path) {
  if (tube.closed) {
    throw InputError({}, "a closed tube with a wall: the hollow inside could not be reached",
                     "set `wall = 0` or `closed = false`");
  }
  const Taper taper(tube);
  const double wall = tube.wall;
  const std::vector<double> ends_s = {0, path->length()}, ends_r = {taper.start - wall / 2, taper.end - wall / 2};
  const RingChart chart(ends_s, ends_r);
  if (!(chart.length() < RingChart::kLongest)) {
    throw InputError({},
                     fmt::format("a hollow tube may be at most {:g} radii long, this one has {:.3g}",
                                 RingChart::kLongest, chart.length()),
                     "make it shorter, or wider");
  }
  Mapping mapping;
  mapping.domain = RingDomain{{chart.radius(0), chart.radius(1)}, "start", "end"};
  mapping.bottom = "inside";
  mapping.top = "outside";
  mapping.thickness = wall;
  mapping.area = pi * (ends_r[0] + ends_r[1]) * path->length();
  mapping.texture_wraps = true;
  mapping.texture = [chart](const Vec2& x) {
    const auto place = chart.locate(x);
    return Vec2(place.angle / (2 * pi), place.fraction);
  };
  mapping.place = [chart, path, taper, wall](const Vec2& x, double w) {
    const auto place = chart.locate(x);
    const Path::Frame f = path->at(place.fraction * path->length());
    const double r = taper.at(place.fraction) + (w - 1) * wall;
    return Vec3(f.position + r * (std::cos(place.angle) * f.normal - std::sin(place.angle) * f.binormal));
  };
  return mapping;
}

}  // namespace

Mapping map_shape(const TubeShape& tube) {
  const auto path = std::make_shared<const Path>(tube.path, tube.closed);
  require_possible(tube, *path);
  Mapping mapping = tube.wall > 0 ? hollow_tube(tube, path) : solid_tube(tube, path);
  // Six edges round a solid tube; a wall needs more, or its two sides would differ too much.
  const Taper taper(tube);
  mapping.largest_edge = 2 * pi * taper.least() / (tube.wall > 0 ? 14 : 6);
  const double hollow = tube.wall > 0 ? taper.mean_square(tube.wall) : 0;
  mapping.volume = pi * (taper.mean_square() - hollow) * path->length();  // Pappus: bends do not matter
  mapping.distance = [path, taper, wall = tube.wall, closed = tube.closed](const Vec3& x) {
    const double nearest = path->nearest(x);
    const Path::Frame f = path->at(nearest);
    // Beyond an open end there is a way along the tangent; elsewhere the nearest point lies straight across.
    const double along = closed ? 0 : (x - f.position).dot(f.tangent), s = nearest + along;
    const double across = (x - f.position - along * f.tangent).norm(), radius = taper.at(s / path->length());
    // A side that is not parallel to the path is nearer than straight across.
    const double slope = (taper.end - taper.start) / path->length(), nearer = 1 / std::hypot(1, slope);
    const double side = nearer * (wall > 0 ? std::abs(across - (radius - wall / 2)) - wall / 2 : across - radius);
    return closed ? side : prism_distance(side, std::max(-s, s - path->length()));
  };
  Bounds bounds;
  constexpr int along = 512, round = 64;
  for (int i = 0; i <= along; ++i) {
    const Path::Frame f = path->at(path->length() * i / along);
    for (int k = 0; k < round; ++k) {
      const double angle = 2 * pi * k / round;
      bounds.add(f.position + taper.at(static_cast<double>(i) / along) *
                                  (std::cos(angle) * f.normal + std::sin(angle) * f.binormal));
    }
  }
  return centred(std::move(mapping), bounds);
}

}  // namespace sunder
