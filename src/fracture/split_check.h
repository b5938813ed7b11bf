#pragma once
// Whether a split kept its promises, checked from the mesh and the result alone, in the neighbourhood only: runs after
// every split in debug builds, and in the tests in all of them.

#include <string>
#include <vector>

#include "fracture/split.h"

namespace sunder {

// What the split was asked for. Positions are those of before; those of new nodes are not looked at.
struct SplitRequest {
  NodeId node;
  Vec3 normal;
  const Column<NodeId, Vec3>& position;
  const Column<TetId, double>& reference_length;  // as the split left it
  const SplitParameters& parameters;
};

// One sentence for each broken promise; none if all is well:
//  - children are positive, not below the floor, fill their parent, and are as many as its cut edges ask for;
//  - faces are joined exactly where nodes say so, both ways, and from opposite sides;
//  - new nodes on edges lie in the plane to 1e-10 h (unless it was bent), new crack faces have no corners but those,
//  snapped and split ones;
//  - crack faces come in pairs of the same area, flagged, with nothing behind;
//  - the tets round every node touched hang together through faces: no hinges, and no node doubled without need.
std::vector<std::string> split_problems(const TetMesh& mesh, const SplitResult& result, const SplitRequest& request);

}  // namespace sunder
