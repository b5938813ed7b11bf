#pragma once
// The tets at each point of a soup.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/tet_soup.h"

namespace sunder {

class PointStars {
 public:
  explicit PointStars(const TetSoup& soup) : first_(soup.points.size() + 1, 0), tets_(4 * soup.tets.size()) {
    for (const auto& t : soup.tets) {
      for (const std::uint32_t p : t) ++first_[p + 1];
    }
    for (std::size_t p = 0; p + 1 < first_.size(); ++p) first_[p + 1] += first_[p];
    std::vector<std::size_t> next(first_.begin(), first_.end() - 1);
    for (std::uint32_t t = 0; t < soup.tets.size(); ++t) {
      for (const std::uint32_t p : soup.tets[t]) tets_[next[p]++] = t;
    }
  }
  // Ascending.
  std::span<const std::uint32_t> operator[](std::uint32_t p) const {
    return {tets_.data() + first_[p], first_[p + 1] - first_[p]};
  }

 private:
  std::vector<std::size_t> first_;
  std::vector<std::uint32_t> tets_;
};

}  // namespace sunder
