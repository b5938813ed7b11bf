#include "meshing/cell_tets.h"

#include <algorithm>

#include "core/error.h"
#include "geometry/tetrahedron.h"

namespace sunder {
namespace {

using Index = std::uint32_t;

// The corners of a cell's faces, counter-clockwise from outside.
constexpr std::array<std::array<std::uint8_t, 4>, 6> kFaces = {
    {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 7, 6, 2}, {0, 3, 2, 1}, {4, 5, 6, 7}}};

}  // namespace

TetSoup cell_tets(const HexSoup& cells) {
  TetSoup soup;
  soup.points = cells.points;
  for (const std::array<Index, 8>& cell : cells.cells) {
    const Index apex = *std::min_element(cell.begin(), cell.end());
    for (const auto& corners : kFaces) {
      std::array<Index, 4> face = {cell[corners[0]], cell[corners[1]], cell[corners[2]], cell[corners[3]]};
      if (std::find(face.begin(), face.end(), apex) != face.end()) continue;
      std::rotate(face.begin(), std::min_element(face.begin(), face.end()), face.end());
      for (const std::size_t k : {std::size_t{1}, std::size_t{2}}) {
        soup.tets.push_back({apex, face[0], face[k], face[k + 1]});
        const auto& [a, b, c, d] = soup.tets.back();
        if (signed_volume({soup.points[a], soup.points[b], soup.points[c], soup.points[d]}) > 0) continue;
        throw InputError({}, "at this edge length some cells of the shape are too bent to be cut into tetrahedra",
                         "use a shorter edge");
      }
    }
  }
  return soup;
}

}  // namespace sunder
