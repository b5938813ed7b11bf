#pragma once
// A lattice fills a wall with cells that are no longer along it than through it. Where the wall is thin that makes many
// times the tets a simulation needs. Here edges are collapsed until those along a wall are as long as asked for, with
// one layer of tets through it. Works on any mesh of a surface, whatever its handles, joints and changes of thickness:
// nothing must be told about where the wall is but how thick.

#include <span>
#include <vector>

#include "meshing/features.h"
#include "meshing/repair_surface.h"
#include "meshing/stuffing.h"
#include "meshing/surface_distance.h"
#include "meshing/wall_thickness.h"

namespace sunder {

struct CoarsenOptions {
  double edge = 0;     // mean edge that is asked for
  double stretch = 2;  // edges along a wall are at most so many times as long as it is thick
  // A shorter edge that is asked for somewhere; 0 where it is not.
  std::vector<double> finer;  // by point of the mesh; may be empty
};

// Points stay on the surface, those on sharp curves on their curve, and sharp corners where they are. The surface of
// the mesh stays within a small part of the thickness from `surface`.
void coarsen_walls(StuffedMesh& mesh, const RepairedSurface& surface, const SurfaceDistance& solid,
                   const Features& features, std::span<const SurfaceSample> samples, const CoarsenOptions& options);

}  // namespace sunder
