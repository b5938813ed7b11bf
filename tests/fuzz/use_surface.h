#pragma once
// A surface that a reader accepted, on its way to the mesher.

#include "mesh/triangle_mesh.h"

namespace sunder::fuzz {

// What a reader promises must hold; InputError if there is nothing in the surface to work with.
void use_surface(const TriangleMesh& surface);

}  // namespace sunder::fuzz
