#pragma once
// Nodes of fresh crack faces, until they have come clear of what lies opposite.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/column.h"
#include "core/ids.h"

namespace sunder {

class UnarmedNodes {
 public:
  void add(NodeId node) {
    if (node.index >= unarmed_.size()) unarmed_.resize(node.index + std::size_t{1}, 0);
    if (unarmed_[node] != 0) return;
    unarmed_[node] = 1;
    nodes_.push_back(node);
  }
  bool holds(NodeId node) const { return node.index < unarmed_.size() && unarmed_[node] != 0; }
  bool empty() const { return nodes_.empty(); }

  // Arms every node that `at_a_crack(node)` does not hold back; it is asked in ascending order.
  template <class AtACrack>
  void arm(AtACrack&& at_a_crack) {
    std::sort(nodes_.begin(), nodes_.end());
    std::erase_if(nodes_, [&](NodeId n) {
      const bool stays = at_a_crack(n);
      if (!stays) unarmed_[n] = 0;
      return !stays;
    });
  }

  // Only those stay that `lives(node)` says are still there.
  template <class Lives>
  void keep_if(Lives&& lives) {
    std::erase_if(nodes_, [&](NodeId n) {
      if (lives(n)) return false;
      unarmed_[n] = 0;
      return true;
    });
  }

  std::span<const NodeId> nodes() const { return nodes_; }
  void clear() {
    unarmed_.assign(0, 0);
    nodes_.clear();
  }

 private:
  Column<NodeId, std::uint8_t> unarmed_;
  std::vector<NodeId> nodes_;
};

}  // namespace sunder
