#pragma once
// A closed surface of triangles that tells how deep a point lies inside it: the distance to its nearest point, with the
// sign by the normal there. At an edge that is the mean of its two triangles' normals, at a corner the mean weighted by
// angle: only these tell inside from outside everywhere (Baerentzen & Aanaes 2005, "Signed distance computation using
// the angle weighted pseudonormal").

#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "collision/collider.h"
#include "core/vec.h"
#include "geometry/bounds.h"
#include "spatial/triangle_tree.h"

namespace sunder {

class ClosedSurface {
 public:
  // Every edge must have triangles on both sides, counter-clockwise seen from outside.
  ClosedSurface(std::vector<Vec3> points, std::vector<std::array<std::uint32_t, 3>> triangles);

  // As penetration() of colliders. Beyond the bounding box and `within` it costs nothing.
  Penetration penetration(const Vec3& x, double within = std::numeric_limits<double>::infinity()) const;

  const std::vector<Vec3>& points() const { return points_; }
  const std::vector<std::array<std::uint32_t, 3>>& triangles() const { return triangles_; }
  const Bounds& bounds() const { return bounds_; }
  double reach() const { return reach_; }  // m, of the farthest point from the origin

 private:
  Vec3 normal_at(std::uint32_t triangle, const Vec3& weights) const;

  std::vector<Vec3> points_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
  std::vector<Vec3> face_normal_, corner_normal_;
  std::vector<std::array<Vec3, 3>> edge_normal_;  // of the edge opposite each corner; of any length
  TriangleTree tree_;
  Bounds bounds_;
  double reach_ = 0;
};

}  // namespace sunder
