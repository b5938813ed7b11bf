#pragma once
// Putting the box of a mapped shape at the origin.

#include "core/vec.h"
#include "geometry/bounds.h"
#include "shapes/mapping.h"

namespace sunder {

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
