#pragma once
// Signed distances put together from simpler ones.

#include <algorithm>
#include <cmath>
#include <limits>
#include <span>
#include <vector>

#include "core/vec.h"
#include "shapes/outline.h"

namespace sunder {

// Of what is inside in a plane and inside along the axis across it, of the two signed distances: a prism.
inline double prism_distance(double in_plane, double along) {
  const double inside = std::min(std::max(in_plane, along), 0.0);
  return inside + std::hypot(std::max(in_plane, 0.0), std::max(along, 0.0));
}

inline double box_distance(const Vec3& x, const Vec3& half) {
  const Vec3 q = x.cwiseAbs() - half;
  return q.cwiseMax(0).norm() + std::min(q.maxCoeff(), 0.0);
}

// Of the area of a polygon with holes.
inline double outline_distance(const Vec2& x, std::span<const std::vector<Vec2>> loops) {
  double nearest = std::numeric_limits<double>::infinity();
  bool inside = false;
  for (const auto& loop : loops) {
    nearest = std::min(nearest, distance_to_outline(x, loop));
    inside ^= is_inside(x, loop);
  }
  return inside ? -nearest : nearest;
}

}  // namespace sunder
