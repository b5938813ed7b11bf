#pragma once
// Who sleeps: pieces at rest, which stand still until something touches them. They sleep and wake as islands, pieces
// that touch each other. Some are frozen: they sleep for good.

#include <cstddef>
#include <cstdint>

#include "core/column.h"
#include "core/ids.h"

namespace sunder {

struct Asleep {
  Column<NodeId, std::uint32_t> island;  // 0: awake, and so are nodes beyond the end
  std::size_t count = 0;                 // of nodes that sleep

  bool any() const { return count > 0; }
  bool operator[](NodeId n) const { return n.index < island.size() && island[n] != 0; }

  static constexpr std::uint32_t kFrozen = 0xffffffffu;  // an island of those that nothing wakes
  bool frozen(NodeId n) const { return n.index < island.size() && island[n] == kFrozen; }
};

}  // namespace sunder
