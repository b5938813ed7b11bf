#pragma once
// The vector and matrix types of the whole program: Eigen's fixed sizes, double precision.

#include <Eigen/Core>
#include <span>

namespace sunder {

using Vec2 = Eigen::Vector2d;
using Vec3 = Eigen::Vector3d;
using Mat2 = Eigen::Matrix2d;
using Mat3 = Eigen::Matrix3d;

// An array of vectors as the flat array of its components: x0 y0 z0 x1 y1 z1 ...
static_assert(sizeof(Vec3) == 3 * sizeof(double));
inline std::span<const double> flat(std::span<const Vec3> v) {
  return {v.empty() ? nullptr : v.front().data(), 3 * v.size()};
}

}  // namespace sunder
