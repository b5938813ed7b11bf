#pragma once
// The box round a set of points, and putting a mapped shape's box at the origin.

#include <limits>

#include "core/vec.h"
#include "shapes/mapping.h"

namespace sunder {

struct Bounds {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 upper = -lower;

  void add(const Vec3& x) {
    lower = lower.cwiseMin(x);
    upper = upper.cwiseMax(x);
  }
  Vec3 centre() const { return (lower + upper) / 2; }
};

inline Mapping centred(Mapping mapping, const Bounds& bounds) {
  mapping.place = [place = std::move(mapping.place), centre = bounds.centre()](const Vec2& x, double w) {
    return Vec3(place(x, w) - centre);
  };
  mapping.distance = [distance = std::move(mapping.distance), centre = bounds.centre()](const Vec3& x) {
    return distance(x + centre);
  };
  mapping.centre = bounds.centre();
  return mapping;
}

}  // namespace sunder
