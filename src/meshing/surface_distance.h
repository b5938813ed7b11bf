#pragma once
// The signed distance of a surface of triangles: how far by the nearest triangle, inside or outside by the winding
// number, which holes, overlaps and doubled faces do not upset.

#include "meshing/signed_distance.h"
#include "spatial/triangle_tree.h"

namespace sunder {

class SurfaceDistance : public SignedDistance {
 public:
  explicit SurfaceDistance(const TriangleTree& tree) : tree_(tree) {}

  double value(const Vec3& x) const override {
    const double distance = tree_.nearest(x).distance;
    return inside(x) ? -distance : distance;
  }
  // On an open sheet the number comes up to a half, and must not pass for inside.
  bool inside(const Vec3& x) const { return tree_.winding_number(x) > kInside; }

  static constexpr double kInside = 0.5 + 1e-6;
  const TriangleTree& tree() const { return tree_; }

 private:
  const TriangleTree& tree_;
};

}  // namespace sunder
