#pragma once
// How far every node may move before something that does not hold now can hold: bounds that are never too long, so that
// who waits for them sees all that who looks at every step does. Lengths in metres; 0 if it may be at once.

#include "core/vec.h"
#include "geometry/triangle.h"

namespace sunder {

// Before x, on the outer side of the triangle's plane, can be behind it. `area` is the triangle's area vector.
double safe_travel_in_front(const TriangleCorners& t, const Vec3& area, const Vec3& x);

// Before x, so far from the triangle, can be within `reach` of it: the distance changes by the sum of both motions.
inline double safe_travel_out_of_reach(double distance, double reach) {
  return distance > reach ? 0.499 * (distance - reach) : 0;
}

// An area vector, or the sum of several, and how fast it changes: if every corner moves by d, it does so by no more
// than edges d + 2 triangles d^2.
struct AreaVector {
  Vec3 sum = Vec3::Zero();
  double edges = 0;  // m, the two edges at the first corner of each
  int triangles = 0;

  void add(const TriangleCorners& t) {
    const Vec3 ab = t[1] - t[0], ac = t[2] - t[0];
    sum += ab.cross(ac) / 2;
    edges += ab.norm() + ac.norm();
    ++triangles;
  }
  double change(double travel) const { return (edges + 2 * triangles * travel) * travel; }
};

// Before two area vectors whose dot product is not negative can look against each other.
double safe_travel_alike(const AreaVector& a, const AreaVector& b);

}  // namespace sunder
