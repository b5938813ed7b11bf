#pragma once
// Tetrahedra for a ball: an icosahedron joined to its centre, subdivided, and blown up shell by shell.

#include <cstdint>

#include "mesh/tet_soup.h"

namespace sunder {

// A ball of the given radius (m) round the origin; its boundary nodes lie on the sphere. Mean edge about `edge` (m),
// 20 n^3 tets with n shells. The seed moves the points inside by up to 0.15 shell thicknesses, and no
// dihedral angle comes out below 25 degrees.
TetSoup ball_mesh(double radius, double edge, std::uint64_t seed);

// The same with a given number of shells.
TetSoup ball_mesh_of_shells(double radius, std::uint32_t shells, std::uint64_t seed);

}  // namespace sunder
