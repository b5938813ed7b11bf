#pragma once
// The bodies that are timed: irregular tets in a box, in their natural order or shuffled as a mesh file may bring them.

#include <cstdint>

#include "mesh/tet_soup.h"
#include "solvers/tet_oh99/tet_solver.h"

namespace sunder::bench {

struct BenchMaterial {
  double lambda = 1e6, mu = 1e6, phi = 50, psi = 50, density = 1000;
};

// About `tets` tetrahedra; the mesher's numbering is random if shuffled.
TetSoup bench_soup(double tets, bool shuffled);

// A body in free fall that also rings: every part of the force is at work, and no contact.
tet_oh99::TetSetup bench_setup(const TetSoup& soup, const BenchMaterial& material);

}  // namespace sunder::bench
