#pragma once
// Nodes that are near each other but do not hang together, by a uniform grid whose cubes lie in a hash table. Each
// bucket is tagged with the component of its nodes: those all of whose nodes are one's own are skipped unlooked at.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "solvers/lattice_norton91/lattice.h"

namespace sunder::lattice_norton91 {

struct NodePair {
  Index a, b;  // a < b
  friend auto operator<=>(const NodePair&, const NodePair&) = default;
};

class NodeGrid {
 public:
  // Pairs nearer than the sum of their radii plus `margin`, in ascending order; of the same component only if `within`.
  const std::vector<NodePair>& find(const Column<NodeId, Vec3>& position, std::span<const double> radius,
                                    std::span<const std::uint32_t> component, double margin, bool within);

 private:
  using Cube = std::array<std::int64_t, 3>;
  std::size_t bucket(const Cube& cube) const;
  void fill(std::span<const std::uint32_t> component);

  static constexpr std::uint32_t kMixed = 0;  // components count from 1

  std::vector<Cube> cube_;          // by node
  std::vector<Index> start_;        // by bucket, and one more
  std::vector<Index> nodes_;        // by bucket
  std::vector<std::uint32_t> tag_;  // by bucket: the component of all its nodes, or kMixed
  std::size_t mask_ = 0;
  std::vector<std::vector<NodePair>> found_;  // by chunk of nodes
  std::vector<NodePair> pairs_;
};

}  // namespace sunder::lattice_norton91
