#pragma once
// Polygons of surface files, cut into triangles.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/vec.h"

namespace sunder {

// Triangles of positions in `corners` (0, 1, ...) that fill a polygon in space, turned like it. Ears are cut, so that
// a polygon that is not convex stays inside its outline; one that crosses itself or has no area becomes a fan.
std::vector<std::array<std::uint32_t, 3>> triangulate_polygon(std::span<const Vec3> corners);

}  // namespace sunder
