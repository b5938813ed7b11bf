#pragma once
// Any shape as the cells of a lattice: hexahedra as near to cubes as the shape allows, in regular rows where it has
// them (Norton et al. 1991, geometric modeling).
//
// Mapped shapes are gridded in their charts. Nothing is revolved to the axis: a disc is an n x n grid under a map from
// square to disc, and the rings round it have 4n cells, so nodes coincide. Balls are cubes under such a map. Parts of
// an assembly are glued one to one (lattice_glue.h). What is left, files of closed surfaces among it, is cut out of a
// grid whose outer nodes are drawn onto the surface.

#include <cstdint>
#include <string>
#include <vector>

#include "mesh/hex_soup.h"
#include "shapes/mapping.h"
#include "shapes/shape.h"

namespace sunder {

struct LatticeOptions {
  double edge = 0;  // m, of the cells
  std::uint32_t layers =
      0;  // through the thickness of shapes that have one; 0: as many as the edge gives, at least one
  std::uint32_t around = 0;  // a wall of revolution or a disc, a multiple of 4; 0: as many as the edge gives
  bool square = false;       // a disc is its n x n grid alone, without rings round it
};

// InputError if the shape cannot be built at this edge length. `notes` gets what the user should know.
HexSoup lattice_cells(const Shape& shape, const LatticeOptions& options, std::vector<std::string>& notes);

// Cells about as long as wide of a mapped shape.
HexSoup mapped_cells(const Mapping& mapping, const LatticeOptions& options);

// Cells of a grid that lie inside, with outer nodes on the surface where that leaves the cells in shape. `inside` is
// the signed distance, `low` and `high` hold all of the solid.
HexSoup voxel_cells(const DistanceFunction& inside, const Vec3& low, const Vec3& high, double edge);

}  // namespace sunder
