#pragma once
// Isosurface stuffing: F. Labelle and J. R. Shewchuk, "Isosurface stuffing: fast tetrahedral meshes with good dihedral
// angles", SIGGRAPH 2007. Lattice nodes that are too near to the surface are moved onto it; the lattice tets that the
// surface still cuts are replaced by a few that fill their inner part.
//
// Where the surface is smooth at the scale of the lattice and the cells at the surface are equal, all dihedral angles
// lie between 10.78 and 164.74 degrees (their section 3, a proof by computer).

#include <cstdint>
#include <vector>

#include "core/vec.h"
#include "mesh/tet_soup.h"
#include "meshing/bcc_lattice.h"
#include "meshing/signed_distance.h"

namespace sunder {

struct StuffingOptions {
  // A node moves onto the surface if the surface cuts one of its edges nearer than this part of the edge. These values
  // give the angles above; long edges are those along an axis.                              section 3.3, "safe" values
  double warp_long = 0.24999;
  double warp_short = 0.41189;
  double tolerance = 1e-6;  // of an edge: how exactly the place is found where the surface cuts it
};

struct StuffedMesh {
  TetSoup soup;
  std::vector<std::uint8_t> on_surface;  // of every point; the others are strictly inside
};

// `origin` and `unit` (m) place the lattice. Every tet has at least one corner strictly inside the solid.
StuffedMesh stuff(const BccLattice& lattice, const Vec3& origin, double unit, const SignedDistance& solid,
                  const StuffingOptions& options = {});

}  // namespace sunder
