#pragma once
// Hexahedra as meshers give them.

#include <array>
#include <cstdint>
#include <vector>

#include "core/vec.h"

namespace sunder {

struct HexSoup {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 8>> cells;  // VTK's order: bottom counter-clockwise from above, then top
};

}  // namespace sunder
