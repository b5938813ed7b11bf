#pragma once
// A polyhedron joined to its centre, every tet subdivided regularly, and blown up shell by shell to a ball.

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/tet_soup.h"

namespace sunder {

// At most 16 corners, on the unit sphere; the corners of each face ascend. Leaving faces out leaves that part of the
// ball out.
struct Polyhedron {
  std::vector<Vec3> corners;
  std::vector<std::array<std::uint32_t, 3>> faces;
};

// n^3 tets a face for n shells; the outermost points lie on the sphere of the given radius (m).
TetSoup subdivided_ball(const Polyhedron& polyhedron, double radius, std::uint32_t shells);

}  // namespace sunder
