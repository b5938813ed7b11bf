#pragma once
// A smooth curve through given points, with a frame carried along it that turns as little as possible.

#include <span>
#include <vector>

#include "core/vec.h"

namespace sunder {

class Path {
 public:
  // Cubic curves through the points with Catmull and Rom's tangents, parametrised by chord length, so that uneven
  // points make no loops. A closed path leads back to the first point. InputError if points coincide.
  Path(std::span<const Vec3> points, bool closed);

  double length() const { return s_.back(); }
  double smallest_bend() const { return smallest_bend_; }  // radius of curvature, m; infinite if straight
  std::span<const double> arc_lengths() const { return s_; }

  struct Frame {
    Vec3 position, normal, binormal, tangent;  // right-handed, unit length
  };
  Frame at(double s) const;

  // The nearest point of the path: its arc length, found among the samples and between them.
  double nearest(const Vec3& x) const;

 private:
  std::vector<double> s_;
  std::vector<Frame> frames_;
  double smallest_bend_;
};

}  // namespace sunder
