#pragma once
// Tetrahedra as files and meshers give them: points and corner indices, nothing else known. A TetMesh is made of one.

#include <array>
#include <cstdint>
#include <vector>

#include "core/vec.h"

namespace sunder {

struct TetSoup {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 4>> tets;
};

}  // namespace sunder
