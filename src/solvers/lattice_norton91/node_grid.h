#pragma once
// Nodes that are near each other but do not hang together, by a uniform grid. Its occupied cubes lie sorted row by row,
// with copies of their nodes, so that the cubes next to each are found by going along five rows at once: no table of
// all cubes, no jumps in memory, a cost linear in the nodes. Each cube is tagged with the component of its nodes: two
// cubes that hold nothing but one and the same are not looked into.

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
  // Pairs of `nodes` (ascending) nearer than the sum of their radii plus `margin`, in ascending order; of the same
  // component only if `within`.
  const std::vector<NodePair>& find(const Column<NodeId, Vec3>& position, std::span<const Index> nodes,
                                    std::span<const double> radius, std::span<const std::uint32_t> component,
                                    double margin, bool within);

 private:
  struct Keyed {
    std::uint64_t key;  // of the cube: along rows, then over layers, then through them
    Index node;
  };
  struct Placed {
    Vec3 x;
    double radius;
    std::uint32_t component;
    Index node;
  };
  struct Cube {
    std::uint64_t key;
    Index first;        // of its nodes
    std::uint32_t tag;  // the component of all its nodes, or kMixed
  };
  static constexpr std::uint32_t kMixed = 0;  // components count from 1

  void number_cubes(const Column<NodeId, Vec3>& position, std::span<const Index> numbers, double side);
  void sort_by_cube();
  void fill_cubes();
  void look_round(std::size_t begin, std::size_t end, double margin, bool within, std::vector<NodePair>& found) const;
  void sort_pairs(std::size_t nodes);

  std::uint64_t row_ = 0, layer_ = 0;  // how much the key grows from row to row, from layer to layer
  std::uint64_t largest_key_ = 0;
  std::vector<Keyed> keyed_, scratch_;
  std::vector<Placed> placed_;
  std::vector<Cube> cubes_;                   // and one more, beyond all
  std::vector<std::vector<NodePair>> found_;  // by chunk of cubes
  std::vector<Index> first_;                  // by node, scratch
  std::vector<NodePair> pairs_;
};

}  // namespace sunder::lattice_norton91
