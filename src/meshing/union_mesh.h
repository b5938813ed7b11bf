#pragma once
// Overlapping shapes as one solid: their surfaces, laid over each other, go through the general mesher.

#include "mesh/tet_soup.h"
#include "meshing/mesh_shape.h"
#include "shapes/assembly.h"

namespace sunder {

TetSoup union_mesh(const UnionShape& assembly, const MeshOptions& options);

}  // namespace sunder
