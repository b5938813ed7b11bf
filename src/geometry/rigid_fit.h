#pragma once
// The rigid motion that fits moved points best, by weighted least squares (Kabsch 1976, by singular values).

#include <span>

#include "core/vec.h"

namespace sunder {

struct RigidMotion {
  Mat3 rotation = Mat3::Identity();
  Vec3 translation = Vec3::Zero();  // after the rotation
  Vec3 operator()(const Vec3& x) const { return rotation * x + translation; }
};

struct RigidFit {
  RigidMotion motion;
  double rms = 0;      // of the distances that remain, weighted
  double largest = 0;  // of these distances
};

// Minimises sum w |R from + t - to|^2. Weights are not negative, and their sum is positive. Never a mirror image, also
// of points in a plane or on a line, where several motions fit alike.
RigidFit fit_rigid_motion(std::span<const Vec3> from, std::span<const Vec3> to, std::span<const double> weights);

}  // namespace sunder
