#pragma once
// What a journal says was touched: tets that are new or have changed, and all their corners, each once, in the order in
// which they come up.

#include <span>
#include <vector>

#include "mesh/scratch_map.h"
#include "mesh/tet_mesh.h"

namespace sunder {

class TouchedParts {
 public:
  void find(const TetMesh& mesh, Journal::Mark since) {
    tets_.clear(), nodes_.clear();
    seen_tet_.clear(), seen_node_.clear();
    for (const Edit& edit : mesh.journal().since(since)) {
      if (edit.kind != Edit::Kind::tet_added && edit.kind != Edit::Kind::tet_changed) continue;
      const TetId t = edit.tet();
      if (!mesh.alive(t) || seen_tet_.insert(t, 1) != ScratchMap<TetId>::kNone) continue;
      tets_.push_back(t);
      for (const NodeId n : mesh.corners(t)) {
        if (seen_node_.insert(n, 1) == ScratchMap<NodeId>::kNone) nodes_.push_back(n);
      }
    }
  }

  std::span<const TetId> tets() const { return tets_; }
  std::span<const NodeId> nodes() const { return nodes_; }

 private:
  std::vector<TetId> tets_;
  std::vector<NodeId> nodes_;
  ScratchMap<TetId> seen_tet_;
  ScratchMap<NodeId> seen_node_;
};

}  // namespace sunder
