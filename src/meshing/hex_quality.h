#pragma once
// How far a hexahedron is from being folded.

#include <array>
#include <cstdint>

#include "mesh/hex_soup.h"

namespace sunder {

// The least volume that three edges of a corner span, over the cube of the mean edge: 1 in a cube, 0 where a corner is
// flat, less if it is folded.
double least_corner_volume(const HexSoup& soup, const std::array<std::uint32_t, 8>& cell);

// Points that no cell uses are left out.
void drop_unused_points(HexSoup& soup);

}  // namespace sunder
