#pragma once
// Which nodes and faces a region of the scene means.

#include <vector>

#include "core/column.h"
#include "mesh/boundary.h"
#include "mesh/tet_mesh.h"
#include "scene/scene.h"
#include "solvers/regions.h"

namespace sunder {

bool selects(const Selection& where, const Vec3& point);

// A total force is shared out by the boundary area inside the region, or by mass if no boundary face lies in it.
// InputError if the region selects nothing.
Region resolve_region(const Scene& scene, std::size_t index, const TetMesh& mesh,
                      const std::vector<BoundaryFace>& surface, const Column<NodeId, Vec3>& position);

}  // namespace sunder
