#pragma once
// What tests ask of cells.

#include <cstddef>
#include <cstdint>

#include "core/disjoint_sets.h"
#include "mesh/hex_soup.h"

namespace sunder::testing {

// That hang together by nodes.
inline std::size_t pieces_of(const HexSoup& soup) {
  DisjointSets sets(soup.points.size());
  for (const auto& c : soup.cells) {
    for (const std::uint32_t n : c) sets.join(c[0], n);
  }
  std::size_t roots = 0;
  for (std::uint32_t n = 0; n < soup.points.size(); ++n) roots += sets.root(n) == n ? 1 : 0;
  return roots;
}

}  // namespace sunder::testing
