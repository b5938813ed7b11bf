#pragma once
// A triangulated sheet, extruded in layers: prisms cut into tets, or hexahedra.

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/tet_soup.h"
#include "meshing/sheet_start.h"
#include "shapes/mapping.h"

namespace sunder {

// Each prism becomes three tets (meshing/prism_cut.h); the seed ranks the vertices, anew in each layer, so that
// diagonals have no common direction.
TetSoup extruded_tets(const Mapping& mapping, const Sheet& sheet, std::uint32_t layers, std::uint64_t seed);

struct HexSoup {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 8>> cells;  // VTK's order: bottom counter-clockwise from above, then top
};

// Each triangle becomes three quadrilaterals round its centre, each of them a column of cells: half the edge of the
// sheet, and no triangle left over, whatever the sheet's shape.
HexSoup extruded_hexes(const Mapping& mapping, const Sheet& sheet, std::uint32_t layers);

}  // namespace sunder
