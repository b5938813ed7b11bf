#pragma once
// A mesh that a reader accepted, on its way into the program.

#include "mesh/tet_soup.h"

namespace sunder::fuzz {

// InputError if the tetrahedra overlap or the like; a mesh that passes must keep every invariant.
void use_mesh(const TetSoup& soup);

}  // namespace sunder::fuzz
