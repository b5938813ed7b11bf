#pragma once
// Measures of one triangle in space with corners a, b, c, counter-clockwise seen from outside.

#include <Eigen/Geometry>
#include <array>

#include "core/vec.h"

namespace sunder {

using TriangleCorners = std::array<Vec3, 3>;

struct TrianglePoint {
  Vec3 point = Vec3::Zero();
  Vec3 weights = Vec3::Zero();  // barycentric coordinates: not negative, their sum is 1
};

// The point of the triangle that is nearest to x. Triangles without area are segments or points.
TrianglePoint closest_point(const TriangleCorners& t, const Vec3& x);

// The solid angle under which the triangle is seen from x, in (-2 pi, 2 pi): positive from behind. Zero on its plane.
double solid_angle(const TriangleCorners& t, const Vec3& x);

// The ray from `origin` meets the triangle at origin + result * direction; negative if it does not. A ray through an
// edge may count for both, one or neither of its triangles.
double ray_hit(const TriangleCorners& t, const Vec3& origin, const Vec3& direction);

// Normal times area.
inline Vec3 area_vector(const TriangleCorners& t) { return (t[1] - t[0]).cross(t[2] - t[0]) / 2; }

}  // namespace sunder
