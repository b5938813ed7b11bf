#include "meshing/octree.h"

#include <cstddef>

namespace sunder {

Octree::Octree(const GridPoint& roots, int deepest) : roots_(roots), root_size_(std::int32_t{2} << deepest) {
  for (std::int32_t k = 0; k < roots[2]; ++k) {
    for (std::int32_t j = 0; j < roots[1]; ++j) {
      for (std::int32_t i = 0; i < roots[0]; ++i) {
        cells_.push_back({{i * root_size_, j * root_size_, k * root_size_}, root_size_, kNone});
      }
    }
  }
}

void Octree::split(std::uint32_t cell) {
  const Cell parent = cells_[cell];
  const std::int32_t half = parent.size / 2;
  cells_[cell].first_child = static_cast<std::uint32_t>(cells_.size());
  for (std::int32_t c = 0; c < 8; ++c) {
    const GridPoint corner = {parent.corner[0] + (c & 1) * half, parent.corner[1] + (c >> 1 & 1) * half,
                              parent.corner[2] + (c >> 2 & 1) * half};
    cells_.push_back({corner, half, kNone});
  }
}

bool Octree::refine(const Borrowed<bool(const Cell&)>& too_large, std::size_t most_cells) {
  constexpr std::size_t batch = 64;
  std::size_t begin = 0;
  while (begin < cells_.size()) {
    const std::size_t end = cells_.size();
    std::vector<std::uint8_t> cut(end - begin, 0);
    parallel_chunks(cut.size(), batch, [&](std::size_t first, std::size_t last) {
      for (std::size_t i = first; i < last; ++i) {
        const Cell& cell = cells_[begin + i];
        cut[i] = cell.leaf() && cell.size > 2 && too_large(cell) ? 1 : 0;
      }
    });
    for (std::size_t i = 0; i < cut.size(); ++i) {
      if (cut[i] == 0) continue;
      if (cells_.size() > most_cells) return false;
      split(static_cast<std::uint32_t>(begin + i));
    }
    begin = end;
  }
  return true;
}

bool Octree::balance(std::size_t most_cells) {
  std::vector<std::uint32_t> waiting;
  for (std::uint32_t c = 0; c < cells_.size(); ++c) {
    if (cells_[c].leaf()) waiting.push_back(c);
  }
  while (!waiting.empty()) {
    const Cell cell = cells_[waiting.back()];
    waiting.pop_back();
    if (!cell.leaf()) continue;
    for (std::int32_t n = 0; n < 27; ++n) {
      if (n == 13) continue;
      const GridPoint probe = {cell.corner[0] + (n % 3 - 1) * cell.size, cell.corner[1] + (n / 3 % 3 - 1) * cell.size,
                               cell.corner[2] + (n / 9 - 1) * cell.size};
      for (std::uint32_t leaf = leaf_at(probe); leaf != kNone && cells_[leaf].size > 2 * cell.size;
           leaf = leaf_at(probe)) {
        if (cells_.size() > most_cells) return false;
        split(leaf);
        for (std::uint32_t child = 0; child < 8; ++child) waiting.push_back(cells_[leaf].first_child + child);
      }
    }
  }
  return true;
}

std::uint32_t Octree::leaf_at(const GridPoint& p) const {
  GridPoint root{};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    if (p[axis] < 0 || p[axis] >= roots_[axis] * root_size_) return kNone;
    root[axis] = p[axis] / root_size_;
  }
  auto cell = static_cast<std::uint32_t>((root[2] * roots_[1] + root[1]) * roots_[0] + root[0]);
  while (!cells_[cell].leaf()) {
    const std::int32_t half = cells_[cell].size / 2;
    std::uint32_t child = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (p[axis] >= cells_[cell].corner[axis] + half) child |= 1u << axis;
    }
    cell = cells_[cell].first_child + child;
  }
  return cell;
}

}  // namespace sunder
