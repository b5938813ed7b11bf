#pragma once
// The box round a set of points, along the axes.

#include <limits>

#include "core/vec.h"

namespace sunder {

struct Bounds {
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity());
  Vec3 upper = -lower;

  void add(const Vec3& x) {
    lower = lower.cwiseMin(x);
    upper = upper.cwiseMax(x);
  }
  void add(const Bounds& other) {
    lower = lower.cwiseMin(other.lower);
    upper = upper.cwiseMax(other.upper);
  }
  Vec3 centre() const { return (lower + upper) / 2; }
  Vec3 extent() const { return upper - lower; }
  Bounds grown(double by) const { return {lower.array() - by, upper.array() + by}; }
  // Touching counts. An empty box meets nothing.
  bool meets(const Bounds& other) const {
    return lower.x() <= other.upper.x() && other.lower.x() <= upper.x() && lower.y() <= other.upper.y() &&
           other.lower.y() <= upper.y() && lower.z() <= other.upper.z() && other.lower.z() <= upper.z();
  }
  bool holds(const Vec3& x) const {
    return lower.x() <= x.x() && x.x() <= upper.x() && lower.y() <= x.y() && x.y() <= upper.y() && lower.z() <= x.z() &&
           x.z() <= upper.z();
  }
};

}  // namespace sunder
