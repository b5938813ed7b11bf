#include "meshing/surface_edges.h"

#include <algorithm>

namespace sunder {

SurfaceEdges::SurfaceEdges(std::span<const std::array<std::uint32_t, 3>> triangles)
    : neighbours_(3 * triangles.size()) {
  struct Side {
    std::uint32_t low, high, slot;  // 3 * triangle + side
    bool upwards;
  };
  std::vector<Side> sides;
  sides.reserve(neighbours_.size());
  for (std::uint32_t t = 0; t < triangles.size(); ++t) {
    for (std::uint32_t i = 0; i < 3; ++i) {
      const std::uint32_t a = triangles[t][i], b = triangles[t][(i + 1) % 3];
      sides.push_back({std::min(a, b), std::max(a, b), 3 * t + i, a < b});
    }
  }
  std::sort(sides.begin(), sides.end(), [](const Side& a, const Side& b) {
    if (a.low != b.low) return a.low < b.low;
    return a.high != b.high ? a.high < b.high : a.slot < b.slot;
  });
  for (std::size_t begin = 0, end = 0; begin < sides.size(); begin = end) {
    while (end < sides.size() && sides[end].low == sides[begin].low && sides[end].high == sides[begin].high) ++end;
    if (end - begin == 1) ++open_edges_;
    if (end - begin != 2) continue;
    const bool agrees = sides[begin].upwards != sides[begin + 1].upwards;
    neighbours_[sides[begin].slot] = {sides[begin + 1].slot / 3, agrees};
    neighbours_[sides[begin + 1].slot] = {sides[begin].slot / 3, agrees};
  }
}

}  // namespace sunder
