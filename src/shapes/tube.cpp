// Tubes along a curve, solid or hollow.

#include <fmt/format.h>

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

void require_possible(const TubeShape& tube, const Path& path) {
  constexpr double thinnest = 1e-6;  // m
  if (tube.wall > 0 && tube.wall < thinnest) {
    throw InputError({}, fmt::format("a wall of {:g} m is too thin", tube.wall),
                     fmt::format("use at least {:g} m, or 0 for a solid tube", thinnest));
  }
  if (!(tube.wall < tube.radius)) {
    throw InputError(
        {}, fmt::format("a wall of {:g} m is not thinner than the tube's radius {:g} m", tube.wall, tube.radius),
        "make `wall` smaller, or 0 for a solid tube");
  }
  if (!(path.smallest_bend() > 1.1 * tube.radius)) {
    throw InputError({},
                     fmt::format("the path bends with a radius of {:.3g} m, too tight for a tube of radius {:g} m",
                                 path.smallest_bend(), tube.radius),
                     "make the bend wider or the tube thinner");
  }
  // Places far apart along the path must be apart in space.
  constexpr int samples = 200;
  for (int i = 0; i < samples; ++i) {
    for (int j = 0; j < i; ++j) {
      const double s = path.length() * i / samples, t = path.length() * j / samples;
      const double along = tube.closed ? std::min(s - t, path.length() - (s - t)) : s - t;
      if (along < 1.6 * pi * tube.radius) continue;
      if ((path.at(s).position - path.at(t).position).norm() > 2 * tube.radius) continue;
      throw InputError({}, fmt::format("the tube runs into itself, {:.3g} m and {:.3g} m along its path", t, s),
                       "keep parts of the path further apart, or make the tube thinner");
    }
  }
}

Mapping solid_tube(const TubeShape& tube, const std::shared_ptr<const Path>& path) {
  const double r = tube.radius;
  Mapping mapping;
  mapping.domain = RingDomain{{0, 1}, "", "surface"};
  mapping.closed = tube.closed;
  mapping.bottom = "start";
  mapping.top = "end";
  mapping.thickness = path->length();
  mapping.area = pi * r * r;
  mapping.texture = [](const Vec2& x) { return Vec2((x + Vec2::Ones()) / 2); };
  mapping.place = [r, path](const Vec2& x, double w) {
    const Path::Frame f = path->at(w * path->length());
    return Vec3(f.position + r * (x.x() * f.normal + x.y() * f.binormal));
  };
  return mapping;
}

Mapping hollow_tube(const TubeShape& tube, const std::shared_ptr<const Path>& path) {
  if (tube.closed) {
    throw InputError({}, "a closed tube with a wall: the hollow inside could not be reached",
                     "set `wall = 0` or `closed = false`");
  }
  const double middle = tube.radius - tube.wall / 2, wall = tube.wall;
  const std::vector<double> ends_s = {0, path->length()}, ends_r = {middle, middle};
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
  mapping.area = 2 * pi * middle * path->length();
  mapping.texture_wraps = true;
  mapping.texture = [chart](const Vec2& x) {
    const auto place = chart.locate(x);
    return Vec2(place.angle / (2 * pi), place.fraction);
  };
  mapping.place = [chart, path, middle, wall](const Vec2& x, double w) {
    const auto place = chart.locate(x);
    const Path::Frame f = path->at(place.fraction * path->length());
    const double r = middle + (w - 0.5) * wall;
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
  mapping.largest_edge = 2 * pi * tube.radius / (tube.wall > 0 ? 14 : 6);
  const double hole = tube.wall > 0 ? tube.radius - tube.wall : 0;
  mapping.volume = pi * (tube.radius * tube.radius - hole * hole) * path->length();  // Pappus: bends do not matter
  mapping.distance = [path, radius = tube.radius, hole, closed = tube.closed](const Vec3& x) {
    const double nearest = path->nearest(x);
    const Path::Frame f = path->at(nearest);
    // Beyond an open end there is a way along the tangent; elsewhere the nearest point lies straight across.
    const double along = closed ? 0 : (x - f.position).dot(f.tangent), s = nearest + along;
    const double across = (x - f.position - along * f.tangent).norm();
    const double wall = hole > 0 ? std::abs(across - (radius + hole) / 2) - (radius - hole) / 2 : across - radius;
    return closed ? wall : prism_distance(wall, std::max(-s, s - path->length()));
  };
  Bounds bounds;
  constexpr int along = 512, round = 64;
  for (int i = 0; i <= along; ++i) {
    const Path::Frame f = path->at(path->length() * i / along);
    for (int k = 0; k < round; ++k) {
      const double angle = 2 * pi * k / round;
      bounds.add(f.position + tube.radius * (std::cos(angle) * f.normal + std::sin(angle) * f.binormal));
    }
  }
  return centred(std::move(mapping), bounds);
}

}  // namespace sunder
