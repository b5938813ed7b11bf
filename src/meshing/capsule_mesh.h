#pragma once
// Tetrahedra for a capsule: two half balls made of a subdivided octahedron, and between them prisms over the disc that
// both share.

#include <cstdint>

#include "mesh/tet_soup.h"
#include "shapes/shape.h"

namespace sunder {

TetSoup capsule_mesh(const CapsuleShape& capsule, double edge, std::uint64_t seed);

}  // namespace sunder
