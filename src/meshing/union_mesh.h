#pragma once
// Overlapping shapes as one solid: their surfaces, laid over each other, go through the general mesher.

#include "mesh/tet_soup.h"
#include "mesh/triangle_mesh.h"
#include "meshing/mesh_shape.h"
#include "shapes/assembly.h"

namespace sunder {

// All faces of all parts, also those that lie inside another part; groups are `PART-face`. Triangles are about half as
// long as the cells that the general mesher will use for an edge length.
TriangleMesh union_surface(const UnionShape& assembly, double edge, std::uint64_t seed);

TetSoup union_mesh(const UnionShape& assembly, const MeshOptions& options);

}  // namespace sunder
