#pragma once
// Which nodes and faces a region of the scene means.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/column.h"
#include "mesh/tet_mesh.h"
#include "scene/scene.h"
#include "solvers/lattice_norton91/lattice.h"
#include "solvers/regions.h"

namespace sunder {

bool selects(const Selection& where, const Vec3& point);

// What regions choose from: the nodes of all bodies of a method, and their boundary.
struct Selectable {
  std::vector<Vec3> position;                // m, by node, at the start
  std::vector<double> volume;                // m^3, of the elements at the node; 0: it has none, and is not there
  std::vector<std::uint32_t> body;           // by node, in the scene
  std::vector<std::array<NodeId, 3>> faces;  // outward oriented triangles
  double cover = 1;                          // how often they cover the boundary
};
Selectable selectable(const TetMesh& mesh, const Column<NodeId, Vec3>& position);
// Numbered as make_lattice() does. A face of a cell is cut by either diagonal into triangles, so that its corners share
// what presses it alike; of one diagonal, its ends would get twice what the other corners do.
Selectable selectable(std::span<const lattice_norton91::LatticeBody> bodies);

// A total force is shared out by the boundary area inside the region, or by volume if no boundary face lies in it.
// InputError if the region selects nothing.
Region resolve_region(const Scene& scene, std::size_t index, const Selectable& all);

}  // namespace sunder
