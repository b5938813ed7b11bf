#pragma once
// Any mapped shape as tetrahedra or hexahedra.

#include <cstdint>

#include "meshing/extrude.h"
#include "shapes/mapping.h"

namespace sunder {

// Edges of the sheet are about `edge` (m); `layers` through the thickness, 0 for as many as keep elements well shaped.
TetSoup mapped_tets(const Mapping& mapping, double edge, std::uint32_t layers, std::uint64_t seed);
HexSoup mapped_hexes(const Mapping& mapping, double edge, std::uint32_t layers, std::uint64_t seed);

}  // namespace sunder
