#pragma once
// An irregular, well-shaped triangulation of a sheet with equal edges in the world: blue-noise points, no grid to see.

#include <cstdint>

#include "meshing/sheet_start.h"
#include "shapes/mapping.h"

namespace sunder {

// Mean edge about `edge` (m) in the world, at w = 1/2; shorter where the outline has shorter sides. Labels, and the
// outline's coordinate, are those of sheet_start.
Sheet triangulate_sheet(const Mapping& mapping, double edge, std::uint64_t seed);

}  // namespace sunder
