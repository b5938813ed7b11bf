#pragma once
// Cubes cut into eight, as often as a size function wants, such that cubes that touch differ at most by a factor of
// two. Coordinates are whole numbers; a unit is half the edge of the smallest possible cube, so that centres have
// coordinates too.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.h"

namespace sunder {

using GridPoint = std::array<std::int32_t, 3>;

class Octree {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;
  struct Cell {
    GridPoint corner{};                 // the one with the smallest coordinates
    std::int32_t size = 0;              // edge in units, a power of two and at least 2
    std::uint32_t first_child = kNone;  // eight in a row; none in a leaf
    bool leaf() const { return first_child == kNone; }
    GridPoint centre() const { return {corner[0] + size / 2, corner[1] + size / 2, corner[2] + size / 2}; }
  };

  // `roots` cubes along each axis, each 2 * 2^deepest units long.
  Octree(const GridPoint& roots, int deepest);

  // Cuts cells for which too_large(cell) holds, level by level (in parallel: it must not mind), until none is left,
  // cells are smallest, or there are more than most_cells. False in the last case.
  bool refine(const Borrowed<bool(const Cell&)>& too_large, std::size_t most_cells);

  // Cuts cells that are more than twice as long as one they touch, at a face, an edge or a corner.
  bool balance(std::size_t most_cells);

  std::span<const Cell> cells() const { return cells_; }
  // The leaf that holds a point, or none outside: cells own their lower faces, not their upper ones.
  std::uint32_t leaf_at(const GridPoint& p) const;

 private:
  void split(std::uint32_t cell);

  GridPoint roots_;
  std::int32_t root_size_;
  std::vector<Cell> cells_;
};

}  // namespace sunder
