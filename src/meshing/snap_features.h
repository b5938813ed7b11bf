#pragma once
// Brings the boundary of a stuffed mesh onto the sharp edges and corners of the surface, which stuffing bevels.
//
// Corners first: the nearest boundary point moves there. Then, for every sharp curve, the shortest chain of boundary
// edges along it is laid onto it. Then points that now lie on the wrong side of such a chain move to their own side.
// Where the tets cannot be made good, points go back: the mesh is never worse than the floor for the sake of an edge.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "meshing/features.h"
#include "meshing/stuffing.h"

namespace sunder {

struct SnapOptions {
  double size = 0;      // edge of the cells at the surface
  double floor = 0.1;   // radians: no dihedral angle below this for the sake of an edge
  double target = 0.3;  // radians: what improving aims at
};

struct SnapReport {
  std::size_t corners = 0, corners_kept = 0;
  std::size_t curves = 0, curves_kept = 0;
  double length = 0, length_kept = 0;  // of sharp edges
  double worst_sine = 0;               // of dihedral angles, when done
};

SnapReport snap_features(StuffedMesh& mesh, const Features& features, const SurfaceDistance& solid,
                         const SnapOptions& options);

}  // namespace sunder
