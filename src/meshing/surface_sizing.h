#pragma once
// How large lattice cells may be: the asked size at the surface, larger deep inside, smaller in thin walls and in
// regions the user names. All lengths in the frame of the repaired surface.

#include <cstddef>
#include <span>
#include <vector>

#include "core/vec.h"
#include "meshing/octree.h"
#include "meshing/surface_distance.h"
#include "meshing/wall_thickness.h"

namespace sunder {

struct SizedBall {
  Vec3 centre;
  double radius = 0;
  double size = 0;  // of cells within
};

class SurfaceSizing {
 public:
  // `cell` at the surface; `inside`: cells away from the surface may be so many times larger; at least `walls` of them
  // through a wall.
  SurfaceSizing(const SurfaceDistance& solid, double cell, double inside, std::span<const SizedBall> balls,
                std::span<const SurfaceSample> samples, double walls);

  // How often cells must be halved for the thinnest wall and the finest ball.
  int finest_level() const { return finest_; }

  // Places the lattice: cells of the octree that follows are cell / 2^finest_level long at least.
  Octree make_octree(const Vec3& lower, const Vec3& upper);
  const Vec3& origin() const { return origin_; }
  double unit() const { return unit_; }

  bool too_large(const Octree::Cell& c) const;
  bool wanted(const Octree::Cell& c) const;  // may hold a part of the solid

 private:
  Vec3 centre(const Octree::Cell& c) const;

  const SurfaceDistance& solid_;
  double cell_, inside_;
  std::vector<SizedBall> balls_;
  int finest_ = 0;
  std::vector<TriangleTree> thin_;  // [k]: places that need cells halved more than k times
  Vec3 origin_ = Vec3::Zero();
  double unit_ = 0;
};

}  // namespace sunder
