#pragma once
// How a surface hangs together, for tests of what must not change it.

#include <utility>
#include <vector>

#include "mesh/tri_mesh.h"

namespace sunder {

struct Topology {
  int pieces = 0;  // that hang together by edges
  int euler = 0;   // V - E + F
  int loops = 0;   // of the border
  friend bool operator==(const Topology&, const Topology&) = default;
};

inline Topology topology(const TriMesh& mesh) {
  Topology found;
  std::vector<std::uint32_t> next(mesh.node_count(), NodeId::kNone);
  std::vector<std::uint8_t> seen(mesh.triangle_count(), 0);
  std::size_t sides = 0, border = 0, nodes = 0;
  for (const NodeId n : id_range<NodeId>(mesh.node_count())) nodes += mesh.fan(n).corners.empty() ? 0 : 1;
  for (const TriangleId start : id_range<TriangleId>(mesh.triangle_count())) {
    std::vector<TriangleId> waiting;
    if (seen[start.index] == 0) ++found.pieces, waiting.push_back(start), seen[start.index] = 1;
    while (!waiting.empty()) {
      const TriangleId t = waiting.back();
      waiting.pop_back();
      for (int i = 0; i < 3; ++i) {
        ++sides;
        const TriangleId other = mesh.neighbour({t, i});
        if (!other.valid()) {
          ++border;
          next[mesh.clockwise_node({t, i}).index] = mesh.counter_clockwise_node({t, i}).index;
        } else if (seen[other.index] == 0) {
          seen[other.index] = 1;
          waiting.push_back(other);
        }
      }
    }
  }
  for (std::uint32_t n = 0; n < next.size(); ++n) {
    if (next[n] == NodeId::kNone) continue;
    ++found.loops;
    for (std::uint32_t at = n; next[at] != NodeId::kNone;) at = std::exchange(next[at], NodeId::kNone);
  }
  found.euler = static_cast<int>(nodes) - static_cast<int>((sides + border) / 2) + static_cast<int>(sides / 3);
  return found;
}

}  // namespace sunder
