#pragma once
// How scenes say that things are turned, and how things turn.

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

#include "core/vec.h"

namespace sunder {

// About the world's x axis, then y, then z, by so many degrees.
inline Mat3 rotation_matrix(const Vec3& degrees) {
  const Vec3 angle = degrees * std::numbers::pi / 180;
  return (Eigen::AngleAxisd(angle.z(), Vec3::UnitZ()) * Eigen::AngleAxisd(angle.y(), Vec3::UnitY()) *
          Eigen::AngleAxisd(angle.x(), Vec3::UnitX()))
      .toRotationMatrix();
}

// About the vector's direction, by its length in radians: the exponential map.
inline Eigen::Quaterniond rotation_by(const Vec3& turn) {
  const double half = 0.5 * turn.norm();
  // sin(h) / h = 1 - h^2 / 6 + ..., to round-off below 1e-4
  const double share = half > 1e-4 ? std::sin(half) / half : 1 - half * half / 6;
  const Vec3 axis = 0.5 * share * turn;
  return {std::cos(half), axis.x(), axis.y(), axis.z()};
}

// The shortest turn that takes `from` to `to`: its inverse, for unit quaternions.
inline Vec3 turn_between(const Eigen::Quaterniond& from, const Eigen::Quaterniond& to) {
  Eigen::Quaterniond q = to * from.conjugate();
  if (q.w() < 0) q.coeffs() = -q.coeffs();
  const double sine = q.vec().norm();
  // 2 asin(s) / s = 2 + s^2 / 3 + ...
  return (sine > 1e-4 ? 2 * std::atan2(sine, q.w()) / sine : 2 + sine * sine / 3) * q.vec();
}

}  // namespace sunder
