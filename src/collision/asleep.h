#pragma once
// Who sleeps: pieces and rigid bodies at rest, which stand still until something touches them. They sleep and wake as
// islands of those that touch each other. Some pieces are frozen: they sleep for good. Others are away: they fly, far
// from everything, and whoever moves them looks after them.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/column.h"
#include "core/ids.h"

namespace sunder {

struct Asleep {
  Column<NodeId, std::uint32_t> island;  // 0: awake, and so are nodes beyond the end
  std::size_t count = 0;                 // of nodes that sleep
  std::vector<std::uint32_t> rigid;      // island, by collider; 0 or beyond the end: awake, or never moving at all

  bool any() const { return count > 0 || any_rigid(); }
  bool any_rigid() const {
    return std::any_of(rigid.begin(), rigid.end(), [](std::uint32_t i) { return i != 0; });
  }
  bool operator[](NodeId n) const { return n.index < island.size() && island[n] != 0; }
  bool collider(std::size_t c) const { return c < rigid.size() && rigid[c] != 0; }

  static constexpr std::uint32_t kFrozen = 0xffffffffu;  // an island of those that nothing wakes
  bool frozen(NodeId n) const { return n.index < island.size() && island[n] == kFrozen; }
  static constexpr std::uint32_t kAway = 0xfffffffeu;  // of those in free flight: they are known to touch nothing
  bool away(NodeId n) const { return n.index < island.size() && island[n] == kAway; }
};

}  // namespace sunder
