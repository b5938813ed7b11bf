#pragma once
// Numbers the points and tets of a mesh so that what is near in space is near in memory.

#include <array>
#include <cstdint>

#include "mesh/tet_soup.h"

namespace sunder {

// The same tets, sorted along a Hilbert curve through their centroids; the points are numbered in the order in which
// the sorted tets first use them. Points that no tet uses are left out. The corners of each tet keep their order,
// and the skin goes with its tets, sorted like them.
TetSoup renumbered(const TetSoup& soup);

// Position of a cell of the grid of (2^bits)^3 cells on the Hilbert curve that visits them all; bits is at most 21.
std::uint64_t hilbert_index(const std::array<std::uint32_t, 3>& cell, int bits);

}  // namespace sunder
