#pragma once
// Keeps a surface that is meshed anew near the one it comes from, both ways: the middles of its triangles and edges lie
// within a reach of the old surface and face as that does, and every point of the old one within that reach of a
// triangle.

#include <cstdint>
#include <span>
#include <vector>

#include "mesh/tri_mesh.h"
#include "spatial/triangle_tree.h"

namespace sunder {

class SurfaceGuard {
 public:
  // `region` of the old triangles: a new triangle is measured against those of its own region only. `tree` is over the
  // old ones; both must outlive it.
  SurfaceGuard(const TriMesh& old, const TriangleTree& tree, std::span<const std::uint32_t> region, double reach);

  // The nearest place of a region; none if there is none within `within`.
  TriangleTree::Nearest nearest(const Vec3& x, double within, std::uint32_t region) const {
    return tree_.nearest_labelled(x, within, region_, region);
  }
  double reach() const { return reach_; }

  struct Fresh {
    TriangleId id;
    TriangleCorners corners;
    std::uint32_t region = 0;
    unsigned new_edges = 7;  // bit i: the edge opposite corner i is new; one of two triangles may answer for it
  };
  // Whether triangles may be replaced by others; if so, the points that the old ones answered for go over to those.
  bool replace(std::span<const TriangleId> old, std::span<const Fresh> fresh);

 private:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  bool near_old(const Fresh& fresh) const;

  const TriMesh& old_;
  std::vector<std::uint32_t> region_;
  double reach_;
  const TriangleTree& tree_;
  // The old points that a triangle answers for, as chains.
  std::vector<std::uint32_t> head_, next_;
  std::vector<std::uint32_t> points_, homes_;  // scratch
};

}  // namespace sunder
