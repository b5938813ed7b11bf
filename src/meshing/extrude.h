#pragma once
// A triangulated sheet, extruded in layers: prisms cut into tets, or hexahedra.

#include <cstdint>

#include "mesh/hex_soup.h"
#include "mesh/tet_soup.h"
#include "meshing/sheet_start.h"
#include "shapes/mapping.h"

namespace sunder {

// Each prism becomes three tets (meshing/prism_cut.h); the seed ranks the vertices, anew in each layer, so that
// diagonals have no common direction.
TetSoup extruded_tets(const Mapping& mapping, const Sheet& sheet, std::uint32_t layers, std::uint64_t seed);

// Each triangle becomes three quadrilaterals round its centre, each of them a column of cells: half the edge of the
// sheet, and no triangle left over, whatever the sheet's shape.
HexSoup extruded_hexes(const Mapping& mapping, const Sheet& sheet, std::uint32_t layers);

}  // namespace sunder
