#pragma once
// Moves the points of a mesh off their regular pattern, so that cracks find no grid to follow, without spoiling
// elements.

#include <cstdint>
#include <span>

#include "core/vec.h"
#include "mesh/tet_soup.h"

namespace sunder {

// Adds displacement[i] to point i. Where a tet would come out with a dihedral angle below `floor` (radians), the
// displacements of its corners are damped until none does; a tet that starts near or below the floor may lose a fifth
// of its angle.
void jitter_points(TetSoup& soup, std::span<const Vec3> displacement, double floor);

// Uniform in the cube [-1, 1]^3, a function of seed and point only.
Vec3 random_displacement(std::uint64_t seed, std::uint64_t point);

}  // namespace sunder
