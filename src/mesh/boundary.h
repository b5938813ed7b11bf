#pragma once
// The boundary surface of a tet mesh: the faces with nothing behind them.

#include <Eigen/Geometry>
#include <array>
#include <span>
#include <vector>

#include "core/vec.h"
#include "mesh/tet_mesh.h"

namespace sunder {

struct BoundaryFace {
  Corner face;                  // the tet, and the corner opposite the face
  std::array<NodeId, 3> nodes;  // counter-clockwise seen from outside
  friend bool operator==(const BoundaryFace&, const BoundaryFace&) = default;
};

// In the order of tets, then of corners.
std::vector<BoundaryFace> boundary_faces(const TetMesh& mesh);

// Outward normal times area; x[NodeId] gives positions, material or world.
template <class Positions>
Vec3 area_vector(const BoundaryFace& face, const Positions& x) {
  const Vec3& a = x[face.nodes[0]];
  return (x[face.nodes[1]] - a).cross(x[face.nodes[2]] - a) / 2;
}

// The nodes of the faces, ascending, each once.
std::vector<NodeId> boundary_nodes(std::span<const BoundaryFace> faces);

// Whether the faces have no border: every edge is walked as often one way as the other. The faces of a whole mesh are
// always closed; the divergence theorem (volume = 1/3 sum x . area_vector) needs it.
bool is_closed(std::span<const BoundaryFace> faces);

}  // namespace sunder
