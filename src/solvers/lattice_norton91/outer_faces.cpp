#include "solvers/lattice_norton91/outer_faces.h"

#include <algorithm>

namespace sunder::lattice_norton91 {

std::vector<std::array<Index, 4>> outer_faces(std::span<const std::array<Index, 8>> cells) {
  struct Face {
    std::array<Index, 4> sorted;  // the same for both sides
    std::array<Index, 4> corners;
  };
  std::vector<Face> faces;
  faces.reserve(6 * cells.size());
  for (const auto& cell : cells) {
    for (const auto& face : kCellFaces) {
      Face& f = faces.emplace_back();
      for (std::size_t i = 0; i < 4; ++i) f.corners[i] = cell[face[i]];
      f.sorted = f.corners;
      std::sort(f.sorted.begin(), f.sorted.end());
    }
  }
  std::vector<std::size_t> order(faces.size());
  for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
  std::sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
    return faces[a].sorted != faces[b].sorted ? faces[a].sorted < faces[b].sorted : a < b;
  });
  std::vector<std::size_t> single;
  for (std::size_t begin = 0, end = 0; begin < order.size(); begin = end) {
    for (end = begin + 1; end < order.size() && faces[order[end]].sorted == faces[order[begin]].sorted;) ++end;
    if (end == begin + 1) single.push_back(order[begin]);
  }
  std::sort(single.begin(), single.end());
  std::vector<std::array<Index, 4>> outer;
  outer.reserve(single.size());
  for (const std::size_t i : single) outer.push_back(faces[i].corners);
  return outer;
}

}  // namespace sunder::lattice_norton91
