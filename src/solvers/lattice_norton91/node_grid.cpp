#include "solvers/lattice_norton91/node_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>

#include "core/parallel.h"
#include "core/random.h"

namespace sunder::lattice_norton91 {
namespace {

constexpr std::size_t kChunk = 1024;  // nodes

}  // namespace

std::size_t NodeGrid::bucket(const Cube& cube) const {
  std::uint64_t key = 0;
  for (const std::int64_t c : cube) key = mix64(key + static_cast<std::uint64_t>(c) + 0x9e3779b97f4a7c15ull);
  return static_cast<std::size_t>(key) & mask_;
}

void NodeGrid::fill(std::span<const std::uint32_t> component) {
  const std::size_t nodes = cube_.size();
  mask_ = std::bit_ceil(2 * nodes + 1) - 1;
  start_.assign(mask_ + 2, 0);
  std::vector<Index> in(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    in[n] = static_cast<Index>(bucket(cube_[n]));
    ++start_[in[n] + std::size_t{1}];
  }
  for (std::size_t i = 0; i <= mask_; ++i) start_[i + 1] += start_[i];
  nodes_.resize(nodes);
  std::vector<Index> next(start_.begin(), start_.end() - 1);
  for (std::size_t n = 0; n < nodes; ++n) nodes_[next[in[n]]++] = static_cast<Index>(n);
  tag_.assign(mask_ + 1, kMixed);
  for (std::size_t i = 0; i <= mask_; ++i) {
    if (start_[i] == start_[i + 1]) continue;
    tag_[i] = component[nodes_[start_[i]]];
    for (Index k = start_[i]; k < start_[i + 1]; ++k) {
      if (component[nodes_[k]] != tag_[i]) tag_[i] = kMixed;
    }
  }
}

const std::vector<NodePair>& NodeGrid::find(const Column<NodeId, Vec3>& position, std::span<const double> radius,
                                            std::span<const std::uint32_t> component, double margin, bool within) {
  const std::size_t nodes = position.size();
  double largest = 0;
  for (const double r : radius) largest = std::max(largest, r);
  const double side = 2 * largest + margin;
  cube_.resize(nodes);
  parallel_for(nodes, [&](std::size_t n) {
    constexpr double kFarthest = 1e15;  // whole numbers beyond are no longer exact, and nothing is near anyway
    for (std::size_t a = 0; a < 3; ++a) {
      const double at = std::floor(position[NodeId(n)][static_cast<Eigen::Index>(a)] / side);
      cube_[n][a] = std::abs(at) < kFarthest ? static_cast<std::int64_t>(at) : 0;
    }
  });
  fill(component);
  found_.resize((nodes + kChunk - 1) / kChunk);
  parallel_chunks(nodes, kChunk, [&](std::size_t begin, std::size_t end) {
    std::vector<NodePair>& found = found_[begin / kChunk];
    found.clear();
    for (std::size_t n = begin; n < end; ++n) {
      const std::size_t first = found.size();
      for (int c = 0; c < 27; ++c) {
        const Cube cube = {cube_[n][0] + c % 3 - 1, cube_[n][1] + c / 3 % 3 - 1, cube_[n][2] + c / 9 - 1};
        const std::size_t at = bucket(cube);
        if (!within && tag_[at] == component[n]) continue;
        for (Index k = start_[at]; k < start_[at + 1]; ++k) {
          const Index other = nodes_[k];
          // Other cubes may lie in the same bucket.
          if (other <= n || cube_[other] != cube || (!within && component[other] == component[n])) continue;
          const double reach = radius[n] + radius[other] + margin;
          if ((position[NodeId(other)] - position[NodeId(n)]).squaredNorm() >= reach * reach) continue;
          found.push_back({static_cast<Index>(n), other});
        }
      }
      std::sort(found.begin() + static_cast<std::ptrdiff_t>(first), found.end());
    }
  });
  pairs_.clear();
  for (const auto& found : found_) pairs_.insert(pairs_.end(), found.begin(), found.end());
  return pairs_;
}

}  // namespace sunder::lattice_norton91
