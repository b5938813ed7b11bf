#pragma once
// The faces near each surface node, and how long each of them need not be looked at: most pairs of a list are far apart
// or on the right side of each other, and stay so until something has moved. Time is told by how far the fastest node
// has gone (m), added up over the steps.
//
// Waiting changes nothing in what is found: collision/safe_travel.h.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "collision/between_bodies.h"
#include "collision/near_faces.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"

namespace sunder {

struct WatchedFace {
  std::uint32_t face = 0;
  double quiet_until = 0;  // m of travel: before, the node cannot go into the body through it
};

using FaceNodes = std::array<NodeId, 3>;

// Appends the boundary faces at a node.
void add_own_faces(const TetMesh& mesh, NodeId node, std::vector<FaceNodes>& faces);

struct WatchedNode {
  NodeId node;
  std::uint32_t first = 0, last = 0;          // of its faces
  std::uint32_t own_first = 0, own_last = 0;  // of the boundary faces at the node itself
  double quiet_until = 0;                     // m of travel: that of the first face that is not quiet any more
  std::uint32_t touching = 0;                 // which of its faces it last lay at; the next look begins there
  bool at_a_crack = false;  // an unarmed node that is inside something, or not yet clear of a crack face
};

class WatchedFaces {
 public:
  // After `near` was updated with `news`. Pairs of which both sides sleep are left out.
  void follow(const NearFaces& near, NearFaces::News news, const TouchingBodies& bodies);
  void forget() { *this = {}; }

  double travel() const { return travel_; }
  std::span<WatchedNode> nodes() { return nodes_; }  // ascending
  std::span<WatchedFace> faces(const WatchedNode& node) {
    return {faces_.data() + node.first, node.last - node.first};  // ascending
  }
  std::span<const FaceNodes> own_faces(const WatchedNode& node) const {
    return {own_faces_.data() + node.own_first, node.own_last - node.own_first};
  }
  WatchedNode* find(NodeId node);

 private:
  void list(const NearFaces& near, const TouchingBodies& bodies);
  void measure_travel(std::span<const NodeId> nodes, const Column<NodeId, Vec3>& position);

  std::vector<WatchedNode> nodes_, old_nodes_;
  std::vector<WatchedFace> faces_, old_faces_;
  std::vector<FaceNodes> own_faces_, old_own_faces_;
  double travel_ = 0;                // m
  Column<NodeId, Vec3> last_place_;  // of the nodes of the surface; not a number before the first time
  std::vector<double> farthest_;     // scratch

  // Whose faces or surroundings are no longer what they were; all 0 between calls.
  Column<NodeId, std::uint8_t> edited_node_;
  Column<TetId, std::uint8_t> edited_tet_;
};

}  // namespace sunder
