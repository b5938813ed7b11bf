#pragma once
// Tetrahedra for a box: the body-centred cubic lattice, whose elements are all alike and nearly regular.

#include <cstdint>

#include "core/vec.h"
#include "mesh/tet_soup.h"

namespace sunder {

// A box of the given size (m) centred at the origin, filled exactly; mean edge about `edge` (m). The seed moves points
// off the lattice by up to 0.15 cell, those on a face or edge of the box within it.
//
// No dihedral angle below 25 degrees where the sides of the cells are within 3:2, nor below 20 degrees within 2:1. A
// box thinner than about half an edge gets flatter cells, one through the thickness, and flatter tets.
TetSoup box_mesh(const Vec3& size, double edge, std::uint64_t seed);

}  // namespace sunder
