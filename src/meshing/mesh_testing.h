#pragma once
// What the tests of meshers ask of a mesh as a whole.

#include <algorithm>
#include <set>
#include <utility>
#include <vector>

#include "mesh/boundary.h"
#include "mesh/tet_soup.h"
#include "meshing/split_hinges.h"

namespace sunder::mesh_testing {

// V - E + F of the boundary: 2 for each ball-like piece, 0 for a ring.
inline int euler_characteristic(const std::vector<BoundaryFace>& faces) {
  std::set<std::pair<NodeId, NodeId>> edges;
  for (const BoundaryFace& face : faces) {
    for (std::size_t i = 0; i < 3; ++i) edges.insert(std::minmax(face.nodes[i], face.nodes[(i + 1) % 3]));
  }
  return static_cast<int>(boundary_nodes(faces).size()) - static_cast<int>(edges.size()) +
         static_cast<int>(faces.size());
}

// What hangs together by faces.
inline std::size_t pieces(const TetSoup& soup) {
  std::size_t count = 0;
  soup_pieces(soup, count);
  return count;
}

}  // namespace sunder::mesh_testing
