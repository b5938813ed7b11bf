#include "meshing/hex_quality.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

namespace sunder {

double least_corner_volume(const HexSoup& soup, const std::array<std::uint32_t, 8>& cell) {
  // The next corners along the three edges of each, right-handed.
  constexpr std::array<std::array<std::size_t, 3>, 8> kNext = {
      {{1, 3, 4}, {2, 0, 5}, {3, 1, 6}, {0, 2, 7}, {7, 5, 0}, {4, 6, 1}, {5, 7, 2}, {6, 4, 3}}};
  double least = std::numeric_limits<double>::infinity(), length = 0;
  for (std::size_t c = 0; c < 8; ++c) {
    const Vec3& x = soup.points[cell[c]];
    std::array<Vec3, 3> e;
    for (std::size_t k = 0; k < 3; ++k) {
      e[k] = soup.points[cell[kNext[c][k]]] - x;
      length += e[k].norm() / 24;
    }
    least = std::min(least, e[0].cross(e[1]).dot(e[2]));
  }
  return length > 0 ? least / (length * length * length) : 0;
}

void drop_unused_points(HexSoup& soup) {
  constexpr std::uint32_t kNone = 0xffffffffu;
  std::vector<std::uint32_t> now(soup.points.size(), kNone);
  std::vector<char> used(soup.points.size(), 0);
  for (const auto& cell : soup.cells) {
    for (const std::uint32_t n : cell) used[n] = 1;
  }
  std::uint32_t kept = 0;
  for (std::size_t n = 0; n < soup.points.size(); ++n) {
    if (used[n] == 0) continue;
    soup.points[kept] = soup.points[n];
    now[n] = kept++;
  }
  soup.points.resize(kept);
  for (auto& cell : soup.cells) {
    for (std::uint32_t& n : cell) n = now[n];
  }
}

}  // namespace sunder
