#pragma once
// Meshes a surface anew with even triangles that lie in no rows: long edges are split, short ones collapsed, edges
// flipped, points moved to the middle of their triangles and back onto the surface (isotropic remeshing, Botsch and
// Kobbelt 2004, from points that are first strewn at random). What hangs together stays so.

#include <cstdint>
#include <numbers>

#include "mesh/triangle_mesh.h"

namespace sunder {

struct EvenSurfaceOptions {
  double edge = 0;                             // m, mean length
  double sharp = 40 * std::numbers::pi / 180;  // radians: edges of the surface that turn by more are kept
  // In edges: no farther do the surface's points lie from the new triangles, nor those triangles' corners and middles
  // from the surface. Details that need it keep smaller triangles.
  double deviation = 0.2;
  std::uint64_t seed = 1;
};

// Triangles of the surface that share an edge must walk it in opposite directions; where they do not, and where more
// than two meet, it is a border. Borders, sharp edges and seams of the texture are kept: their points move along them.
// Values of points are interpolated, those of triangles are of the nearest one; groups and normals are left out.
TriangleMesh even_surface(const TriangleMesh& surface, const EvenSurfaceOptions& options);

}  // namespace sunder
