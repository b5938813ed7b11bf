#include "geometry/triangle.h"

#include <algorithm>
#include <cmath>

namespace sunder {

TrianglePoint closest_point(const TriangleCorners& t, const Vec3& x) {
  const Vec3 ab = t[1] - t[0], ac = t[2] - t[0], normal = ab.cross(ac);
  const double area = normal.squaredNorm();
  if (area > 0) {
    // Foot of the perpendicular, if it lies inside.
    const Vec3 ax = x - t[0];
    const double b = ax.cross(ac).dot(normal) / area, c = ab.cross(ax).dot(normal) / area;
    if (b >= 0 && c >= 0 && b + c <= 1) return {t[0] + b * ab + c * ac, {1 - b - c, b, c}};
  }
  TrianglePoint best;
  double best_distance = -1;
  for (int i = 0; i < 3; ++i) {
    const int j = (i + 1) % 3;
    const Vec3 edge = t[j] - t[i];
    const double length = edge.squaredNorm();
    const double s = length > 0 ? std::clamp((x - t[i]).dot(edge) / length, 0.0, 1.0) : 0;
    const Vec3 point = t[i] + s * edge;
    const double distance = (x - point).squaredNorm();
    if (best_distance >= 0 && distance >= best_distance) continue;
    best_distance = distance;
    best.point = point;
    best.weights = Vec3::Zero();
    best.weights[i] = 1 - s;
    best.weights[j] += s;
  }
  return best;
}

// A. van Oosterom and J. Strackee, "The solid angle of a plane triangle", 1983, (8).
double solid_angle(const TriangleCorners& t, const Vec3& x) {
  const Vec3 a = t[0] - x, b = t[1] - x, c = t[2] - x;
  const double la = a.norm(), lb = b.norm(), lc = c.norm();
  const double volume = a.dot(b.cross(c));
  const double scale = la * lb * lc + a.dot(b) * lc + b.dot(c) * la + c.dot(a) * lb;
  return volume == 0 ? 0 : 2 * std::atan2(volume, scale);
}

// Solves origin + s d = a + u (b - a) + v (c - a) by Cramer's rule.
double ray_hit(const TriangleCorners& t, const Vec3& origin, const Vec3& direction) {
  const Vec3 ab = t[1] - t[0], ac = t[2] - t[0], ao = origin - t[0];
  const Vec3 p = direction.cross(ac);
  const double determinant = ab.dot(p);
  if (determinant == 0) return -1;
  const double u = ao.dot(p) / determinant;
  if (!(u >= 0 && u <= 1)) return -1;
  const Vec3 q = ao.cross(ab);
  const double v = direction.dot(q) / determinant;
  if (!(v >= 0 && u + v <= 1)) return -1;
  return ac.dot(q) / determinant;
}

}  // namespace sunder
