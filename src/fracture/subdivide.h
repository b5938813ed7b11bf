#pragma once
// Subdivision of one tet by bisecting its cut edges one after another. If all tets take the edges in one global order,
// neighbours agree on their common face without talking: bisecting an edge outside the face leaves the face alone.

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <span>

#include "core/ids.h"
#include "geometry/tetrahedron.h"

namespace sunder {

// Where an edge stands in the global order: the longest material edge first, ties by the uids of its ends.
struct EdgeRank {
  double length_square = 0;
  Uid low = 0, high = 0;  // uids of the ends, low < high

  friend bool operator<(const EdgeRank& a, const EdgeRank& b) {  // a is bisected before b
    if (a.length_square != b.length_square) return a.length_square > b.length_square;
    return a.low != b.low ? a.low < b.low : a.high < b.high;
  }
};

// A place in a subdivided tet: 0 to 3 its corners, 4 + e the cut on edge e of kTetEdges.
using TetPlace = std::uint8_t;

struct Subdivision {
  struct Child {
    std::array<TetPlace, 4> corners;  // oriented as the parent
    // Corner of the parent opposite the parent's face in which this child's face i lies; kInside if in none.
    std::array<std::int16_t, 4> parent_face;
  };
  static constexpr std::int16_t kInside = -1;
  // Eight at most, if all six edges are cut: a bisection replaces a tet with k of the parent's corners by two with
  // k - 1, and one that has a single one is never bisected.
  static constexpr std::size_t kMost = 8;

  std::array<Child, kMost> children;
  std::size_t count = 0;
};

// `cut_edges`: numbers into kTetEdges, in the global order, each once. No edges: one child, the tet itself.
Subdivision subdivide(std::span<const std::uint8_t> cut_edges);

}  // namespace sunder
