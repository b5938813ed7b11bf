// Prisms and rings with closed forms: slab, cylinder, torus.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "shapes/distance.h"
#include "shapes/mapped_shapes.h"

namespace sunder {
namespace {

using std::numbers::pi;

// Longest edge for which a circle still has six points.
double hexagon_edge(double radius) { return 2 * pi * radius / 6; }

Vec2 disc_texture(const Vec2& x) { return (x + Vec2::Ones()) / 2; }

}  // namespace

Mapping map_shape(const SlabShape& slab) {
  int thin = 2;
  for (int axis = 1; axis >= 0; --axis) {
    if (slab.size[axis] < slab.size[thin]) thin = axis;
  }
  const int i = (thin + 1) % 3, j = (thin + 2) % 3;
  const double a = slab.size[i], b = slab.size[j], c = slab.size[thin];
  Mapping mapping;
  mapping.domain = PolygonDomain{{{{{0, 0}, {a, 0}, {a, b}, {0, b}}, {}, "side"}}};
  mapping.bottom = "back";
  mapping.top = "front";
  mapping.thickness = c;
  mapping.area = a * b;
  mapping.volume = a * b * c;
  mapping.place = [=](const Vec2& x, double w) {
    Vec3 p;
    p[i] = x.x() - a / 2;
    p[j] = x.y() - b / 2;
    p[thin] = (w - 0.5) * c;
    return p;
  };
  mapping.distance = [half = Vec3(slab.size / 2)](const Vec3& x) { return box_distance(x, half); };
  mapping.texture = [=](const Vec2& x) { return Vec2(x.x() / a, x.y() / b); };
  return mapping;
}

Mapping map_shape(const CylinderShape& cylinder) {
  const double r = cylinder.radius, h = cylinder.height;
  Mapping mapping;
  mapping.domain = RingDomain{{0, 1}, "", "side"};
  mapping.bottom = "bottom";
  mapping.top = "top";
  mapping.thickness = h;
  mapping.largest_edge = hexagon_edge(r);
  mapping.area = pi * r * r;
  mapping.volume = mapping.area * h;
  mapping.place = [=](const Vec2& x, double w) { return Vec3(r * x.x(), (w - 0.5) * h, -r * x.y()); };
  mapping.distance = [=](const Vec3& x) {
    return prism_distance(std::hypot(x.x(), x.z()) - r, std::abs(x.y()) - h / 2);
  };
  mapping.texture = disc_texture;
  return mapping;
}

Mapping map_shape(const TorusShape& torus) {
  const double big = torus.radius, small = torus.tube;
  if (!(small < 0.9 * big)) {
    throw InputError({}, fmt::format("a tube of radius {:g} m leaves no hole in a torus of radius {:g} m", small, big),
                     "make `tube` smaller than 0.9 `radius`");
  }
  Mapping mapping;
  mapping.domain = RingDomain{{0, 1}, "", "surface"};
  mapping.closed = true;
  mapping.thickness = 2 * pi * big;
  mapping.largest_edge = hexagon_edge(small);
  mapping.area = pi * small * small;
  mapping.volume = mapping.area * mapping.thickness;  // Pappus
  mapping.place = [=](const Vec2& x, double w) {
    const double r = big + small * x.x(), angle = 2 * pi * w;
    return Vec3(r * std::cos(angle), small * x.y(), r * std::sin(angle));
  };
  mapping.distance = [=](const Vec3& x) { return std::hypot(std::hypot(x.x(), x.z()) - big, x.y()) - small; };
  mapping.texture = disc_texture;
  return mapping;
}

std::vector<Mapping> mappings_of(const Shape& shape) {
  return std::visit(
      [](const auto& s) -> std::vector<Mapping> {
        if constexpr (requires { map_shape(s).place; }) {
          return {map_shape(s)};
        } else if constexpr (requires { map_shape(s).size(); }) {
          return map_shape(s);
        } else {
          return {};
        }
      },
      shape);
}

}  // namespace sunder
