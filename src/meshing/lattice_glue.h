#pragma once
// Glues one lattice to another (Norton et al. 1991, geometric modeling): nodes of the one become nodes of the other,
// one to one, nearest pairs first. Cells keep their corners, so that bonds which both have add up and none is there
// twice.

#include <string>
#include <vector>

#include "mesh/hex_soup.h"
#include "shapes/mapping.h"

namespace sunder {

struct GlueReport {
  std::size_t pairs = 0;    // of nodes that became one
  std::size_t dropped = 0;  // cells that would lie in the base
  double farthest = 0;      // m, that a node was moved
};

// Nodes of `part` that lie in the solid `base_inside` (signed distance), or less than a quarter of an edge outside it,
// become the nearest nodes of `base`.
GlueReport glue(HexSoup& base, const HexSoup& part, const DistanceFunction& base_inside, double edge);

}  // namespace sunder
