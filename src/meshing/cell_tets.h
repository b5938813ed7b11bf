#pragma once
// The cells of a lattice as tetrahedra, six each: the same nodes, and a coarse mesh where the general mesher would put
// several elements through a thin wall.

#include "mesh/hex_soup.h"
#include "mesh/tet_soup.h"

namespace sunder {

// Every face is cut from its node with the lowest number, which the cell on its other side knows too; a cell is then
// what its lowest node sees of the faces that it is not on. InputError if a tetrahedron has no volume.
TetSoup cell_tets(const HexSoup& cells);

}  // namespace sunder
