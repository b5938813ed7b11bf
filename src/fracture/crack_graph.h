#pragma once
// A net of cracks as a flat graph: points and the edges between them. The two sides of a crack may have been split at
// different places, and their edges then overlap; here they are one.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/vec.h"

namespace sunder {

struct CrackGraph {
  struct Edge {
    std::array<std::uint32_t, 2> ends;
    bool rim = false;  // the border of the surface, no crack
    std::uint32_t event = 0;
    friend bool operator==(const Edge&, const Edge&) = default;
  };
  std::vector<Vec3> points;
  std::vector<Edge> edges;
};

struct CrackSegment {
  Vec3 from, to;
  bool rim = false;
  std::uint32_t event = 0;
};

// Points with the same bits are one; an edge with another's end on it is split there; of equal edges one is left, with
// the smallest event, and a crack rather than the rim.
CrackGraph crack_graph(std::span<const CrackSegment> segments);

// Edges chained into lines from end to end or junction to junction; closed ones come back to their first point. In the
// order of their first edges.
struct CrackLine {
  std::vector<std::uint32_t> points;
  std::uint32_t first_event = 0;
  bool rim = false;
};
std::vector<CrackLine> crack_lines(const CrackGraph& graph);

}  // namespace sunder
