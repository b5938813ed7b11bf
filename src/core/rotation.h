#pragma once
// How scenes say that things are turned.

#include <Eigen/Geometry>
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

}  // namespace sunder
