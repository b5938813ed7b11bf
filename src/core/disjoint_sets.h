#pragma once
// Disjoint sets with path halving; the smaller root wins, so roots do not depend on the order of joins.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <numeric>
#include <vector>

namespace sunder {

class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count = 0) { restart(count); }
  void restart(std::size_t count) {
    parent_.resize(count);
    std::iota(parent_.begin(), parent_.end(), 0u);
  }
  std::uint32_t root(std::uint32_t i) {
    while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
    return i;
  }
  void join(std::uint32_t i, std::uint32_t j) {
    i = root(i);
    j = root(j);
    parent_[std::max(i, j)] = std::min(i, j);
  }

 private:
  std::vector<std::uint32_t> parent_;
};

}  // namespace sunder
