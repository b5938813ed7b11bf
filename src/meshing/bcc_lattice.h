#pragma once
// The background tetrahedra of isosurface stuffing: a body-centred cubic lattice over the cells of an octree, cells of
// different sizes joined as in F. Labelle and J. R. Shewchuk, "Isosurface stuffing", 2007, section 4.
//
// Where neighbours are equal, two centres and an edge of the face between them make a tet (all alike, dihedral angles
// of 60 and 90 degrees). Where such an edge has a midpoint, the tet is halved. Between a large cell and four smaller
// ones lie half pyramids on one side and quarters of the regular tet on the other.

#include <array>
#include <cstdint>
#include <vector>

#include "core/parallel.h"
#include "meshing/octree.h"

namespace sunder {

struct BccLattice {
  std::vector<GridPoint> nodes;
  std::vector<std::array<std::uint32_t, 4>> tets;  // positively oriented
};

// Tets that lie wholly in cells for which wanted(cell) is false are left out. The octree must be balanced.
BccLattice bcc_lattice(const Octree& octree, const Borrowed<bool(std::uint32_t cell)>& wanted);

}  // namespace sunder
