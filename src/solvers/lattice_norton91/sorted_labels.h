#pragma once
// Sets of components, by their labels: ascending, each once.

#include <algorithm>
#include <cstdint>
#include <vector>

namespace sunder::lattice_norton91 {

inline void sort_once(std::vector<std::uint32_t>& labels) {
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
}

inline bool holds(const std::vector<std::uint32_t>& sorted, std::uint32_t label) {
  return std::binary_search(sorted.begin(), sorted.end(), label);
}

}  // namespace sunder::lattice_norton91
