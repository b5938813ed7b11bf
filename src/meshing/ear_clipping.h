#pragma once
// Triangles for a polygon with holes, using its corners only.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/vec.h"

namespace sunder {

// `loops` index into `corners`: the outline counter-clockwise, then holes clockwise, all simple and apart from each
// other. Quadratic in the number of corners; always takes the best-shaped ear. InputError if the loops cross.
std::vector<std::array<std::uint32_t, 3>> triangles_of_polygon(std::span<const Vec2> corners,
                                                               std::span<const std::vector<std::uint32_t>> loops);

}  // namespace sunder
