#pragma once
// The boundary of tets that are not a TetMesh yet.

#include <array>
#include <cstdint>
#include <vector>

#include "mesh/tet_soup.h"

namespace sunder {

struct SoupFace {
  std::array<std::uint32_t, 3> points;  // counter-clockwise seen from outside
  std::uint32_t tet = 0;
  int corner = 0;  // opposite the face
};

// Faces of one tet only, in the order of tets, then of corners.
std::vector<SoupFace> soup_boundary(const TetSoup& soup);

}  // namespace sunder
