#pragma once
// The skin of a tet mesh in a VTU file: cell arrays `parts`, `uv`, `normals`, `source` as frames have them
// (mesh/face_skin.h), and the field array `part_names`, bytes with a line for each name.

#include "mesh/tet_soup.h"
#include "meshfile/vtu.h"

namespace sunder {

// Adds the arrays that the skin needs; none if there is no skin.
void add_skin_arrays(const TetSoup& soup, VtuGrid& grid);

// The skin of the boundary faces, as far as the grid has one. The cells of the grid are the tets of the soup, one for
// one; a tet that was inside out in the file has been turned round, and gets none. Arrays of another kind or size,
// which other programs may have written under these names, and numbers that are not finite are left out.
void take_skin_arrays(const VtuGrid& grid, TetSoup& soup);

}  // namespace sunder
