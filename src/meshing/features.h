#pragma once
// The sharp edges and corners of a surface, which a mesh of it should keep.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/vec.h"
#include "meshing/repair_surface.h"
#include "meshing/surface_distance.h"

namespace sunder {

struct FeatureCurve {
  std::vector<Vec3> points;  // a chain of sharp edges; the last is the first if it is closed
  std::array<std::uint32_t, 2> ends{kNoCorner, kNoCorner};  // corners; none if it is closed

  static constexpr std::uint32_t kNoCorner = 0xffffffffu;
  bool closed() const { return ends[0] == kNoCorner; }
  // How many edges the boundary of a stuffed mesh may be away: the sharper, the farther it is cut back.
  double reach = 1.5;

  double length() const;
  Vec3 at(double arc_length) const;
  // Arc length of the point of the curve that is nearest to x, and how far it is.
  double nearest(const Vec3& x, double* distance = nullptr) const;
};

struct Corner3 {
  Vec3 point;
  bool sharp = true;  // false: where a curve fades out, or a closed one was cut
};

struct Features {
  std::vector<Corner3> corners;
  std::vector<FeatureCurve> curves;
  std::vector<std::uint32_t> patch;  // of each triangle: the smooth piece of the surface it belongs to
  std::size_t patches = 0;
};

// Edges whose triangles turn by more than `angle` (radians) are sharp, unless they lie inside the solid, buried in
// another shell. Corners are where chains of sharp edges meet, end, or turn by more than `angle`. `size` is the edge of
// the cells: how far to look to either side of an edge.
Features find_features(const RepairedSurface& surface, const SurfaceDistance& solid, double angle, double size);

}  // namespace sunder
