#pragma once
// Any shape as tetrahedra.

#include <cstdint>

#include "mesh/tet_soup.h"
#include "shapes/shape.h"

namespace sunder {

// Mean edge about `edge` (m); the seed moves inner points off regular patterns. A file keeps its own points, and edge
// and seed say nothing about it. Points and tets are numbered for locality (meshing/renumber.h). InputError or
// FileError if a file does not hold tetrahedra that can be simulated.
TetSoup mesh_shape(const Shape& shape, double edge, std::uint64_t seed);

}  // namespace sunder
