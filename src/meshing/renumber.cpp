#include "meshing/renumber.h"

#include <algorithm>
#include <bit>
#include <cstddef>
#include <utility>
#include <vector>

namespace sunder {
namespace {

// Bits of a corner of a cube, rotated among the three axes.
unsigned rotate_left(unsigned corner, unsigned by) { return (corner << by | corner >> (3 - by)) & 7u; }
unsigned rotate_right(unsigned corner, unsigned by) { return (corner >> by | corner << (3 - by)) & 7u; }

unsigned gray(unsigned i) { return i ^ (i >> 1); }
unsigned gray_inverse(unsigned g) { return g ^ (g >> 1) ^ (g >> 2); }  // for three bits

// The curve enters the i-th of the eight sub-cubes of a cube at this corner of it, and leaves along this axis.
unsigned entry(unsigned i) { return i == 0 ? 0 : gray((i - 1) / 2 * 2); }
unsigned exit_axis(unsigned i) {
  if (i == 0) return 0;
  return static_cast<unsigned>(std::countr_one(i % 2 == 0 ? i - 1 : i)) % 3;
}

}  // namespace

// C. Hamilton, "Compact Hilbert Indices", Dalhousie CS-2006-07: at every level the sub-cube is looked up in a cube
// that is reflected (first) and rotated (axis) so that the curve runs in the standard way.
std::uint64_t hilbert_index(const std::array<std::uint32_t, 3>& cell, int bits) {
  std::uint64_t index = 0;
  unsigned first = 0, axis = 0;
  for (int level = bits - 1; level >= 0; --level) {
    const auto bit = [&](std::size_t i) { return cell[i] >> level & 1u; };
    const unsigned corner = bit(0) | bit(1) << 1 | bit(2) << 2;
    const unsigned turn = (axis + 1) % 3;
    const unsigned which = gray_inverse(rotate_right(corner ^ first, turn));
    first ^= rotate_left(entry(which), turn);
    axis = (axis + exit_axis(which) + 1) % 3;
    index = index << 3 | which;
  }
  return index;
}

TetSoup renumbered(const TetSoup& soup) {
  TetSoup sorted;
  if (soup.tets.empty()) return sorted;

  std::vector<Vec3> centroids;
  centroids.reserve(soup.tets.size());
  for (const auto& c : soup.tets) {
    centroids.emplace_back((soup.points[c[0]] + soup.points[c[1]] + soup.points[c[2]] + soup.points[c[3]]) / 4);
  }
  Vec3 lower = centroids[0], upper = centroids[0];
  for (const Vec3& x : centroids) {
    lower = lower.cwiseMin(x);
    upper = upper.cwiseMax(x);
  }
  // One grid step in all directions, so that the cells are cubes.
  constexpr int bits = 20;
  const double extent = (upper - lower).maxCoeff();
  const double scale = extent > 0 ? ((1 << bits) - 1) / extent : 0;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> order;  // the index decides between equal keys
  order.reserve(soup.tets.size());
  for (std::size_t t = 0; t < soup.tets.size(); ++t) {
    const Vec3 x = scale * (centroids[t] - lower);
    order.emplace_back(hilbert_index({static_cast<std::uint32_t>(x[0]), static_cast<std::uint32_t>(x[1]),
                                      static_cast<std::uint32_t>(x[2])},
                                     bits),
                       static_cast<std::uint32_t>(t));
  }
  std::sort(order.begin(), order.end());

  constexpr std::uint32_t none = 0xffffffffu;
  std::vector<std::uint32_t> number(soup.points.size(), none);
  sorted.points.reserve(soup.points.size());
  sorted.tets.reserve(soup.tets.size());
  for (const auto& [key, t] : order) {
    std::array<std::uint32_t, 4> corners = soup.tets[t];
    for (std::uint32_t& p : corners) {
      if (number[p] == none) {
        number[p] = static_cast<std::uint32_t>(sorted.points.size());
        sorted.points.push_back(soup.points[p]);
      }
      p = number[p];
    }
    sorted.tets.push_back(corners);
  }

  std::vector<std::uint32_t> place(soup.tets.size());
  for (std::size_t t = 0; t < order.size(); ++t) place[order[t].second] = static_cast<std::uint32_t>(t);
  sorted.part_names = soup.part_names;
  sorted.skin = soup.skin;
  for (SkinFace& face : sorted.skin) face.tet = place[face.tet];
  std::sort(sorted.skin.begin(), sorted.skin.end(),
            [](const SkinFace& a, const SkinFace& b) { return a.tet != b.tet ? a.tet < b.tet : a.face < b.face; });
  return sorted;
}

}  // namespace sunder
