#include "mesh/boundary.h"

#include <algorithm>
#include <utility>

namespace sunder {

std::vector<BoundaryFace> boundary_faces(const TetMesh& mesh) {
  std::vector<BoundaryFace> faces;
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t)) continue;
    for (int i = 0; i < 4; ++i) {
      const Corner face{t, i};
      if (!mesh.neighbour(face).valid()) faces.push_back({face, mesh.face_nodes(face)});
    }
  }
  return faces;
}

std::vector<NodeId> boundary_nodes(std::span<const BoundaryFace> faces) {
  std::vector<NodeId> nodes;
  nodes.reserve(3 * faces.size());
  for (const BoundaryFace& face : faces) nodes.insert(nodes.end(), face.nodes.begin(), face.nodes.end());
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  return nodes;
}

bool is_closed(std::span<const BoundaryFace> faces) {
  using Edge = std::pair<NodeId, NodeId>;
  std::vector<Edge> up, down;  // walked towards the larger node, and towards the smaller one
  for (const BoundaryFace& face : faces) {
    for (std::size_t i = 0; i < 3; ++i) {
      const NodeId a = face.nodes[i], b = face.nodes[(i + 1) % 3];
      if (a < b) {
        up.emplace_back(a, b);
      } else {
        down.emplace_back(b, a);
      }
    }
  }
  std::sort(up.begin(), up.end());
  std::sort(down.begin(), down.end());
  return up == down;
}

}  // namespace sunder
