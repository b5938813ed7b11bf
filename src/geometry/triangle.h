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

// Whether a point so far from a corner is further than `reach` from the triangle's plane, and so from all of it; where
// rounding leaves that open it is not. Costs a fraction of closest_point().
inline bool beyond_reach(const Vec3& area, const Vec3& from_corner, double reach) {
  const double height = area.dot(from_corner);
  return height * height > (1 + 1e-9) * reach * reach * area.squaredNorm();
}

}  // namespace sunder
