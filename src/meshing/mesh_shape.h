#pragma once
// Any shape as tetrahedra.

#include <cstdint>

#include "mesh/tet_soup.h"
#include "meshing/extrude.h"
#include "shapes/shape.h"

namespace sunder {

struct MeshOptions {
  double edge = 0;           // m, mean; 0 takes default_edge()
  std::uint32_t layers = 0;  // through the thickness of shapes that have one; 0 takes as many as suit the edge
  std::uint64_t seed = 1;    // moves points off regular patterns
};

// A file of tetrahedra keeps its own points, and the options say nothing about it. Points and tets are numbered for
// locality (meshing/renumber.h). InputError or FileError if a file holds nothing that can be simulated, or if the shape
// cannot be built.
TetSoup mesh_shape(const Shape& shape, const MeshOptions& options);
inline TetSoup mesh_shape(const Shape& shape, double edge, std::uint64_t seed) {
  return mesh_shape(shape, MeshOptions{edge, 0, seed});
}

// The same in hexahedra; InputError for shapes that are not meshed in layers.
HexSoup hex_shape(const Shape& shape, const MeshOptions& options);

}  // namespace sunder
