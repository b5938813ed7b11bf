#include "solvers/lattice_norton91/node_grid.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>

#include "core/parallel.h"

namespace sunder::lattice_norton91 {
namespace {

constexpr std::size_t kNodeChunk = 4096;
constexpr std::size_t kCubeChunk = 512;

// Cubes so far from the middle of all nodes, or farther, are one. Nodes that were neighbours still are.
constexpr double kFarthest = 1 << 20;

}  // namespace

void NodeGrid::number_cubes(const Column<NodeId, Vec3>& position, std::span<const Index> numbers, double side) {
  const std::size_t nodes = numbers.size();
  Vec3 middle = Vec3::Zero();
  for (const Index n : numbers) middle += position[NodeId(n)] / static_cast<double>(nodes);
  if (!middle.allFinite()) middle = Vec3::Zero();
  const auto cube_of = [&](std::size_t n, int axis) {
    const double at = std::floor((position[NodeId(numbers[n])][axis] - middle[axis]) / side);
    return std::isfinite(at) ? static_cast<std::int64_t>(std::clamp(at, -kFarthest, kFarthest)) : 0;
  };
  using Place = std::array<std::int64_t, 3>;
  std::vector<Place> low((nodes + kNodeChunk - 1) / kNodeChunk), high(low.size());
  parallel_chunks(nodes, kNodeChunk, [&](std::size_t begin, std::size_t end) {
    Place least, most;
    least.fill(std::numeric_limits<std::int64_t>::max()), most.fill(std::numeric_limits<std::int64_t>::min());
    for (std::size_t n = begin; n < end; ++n) {
      for (int a = 0; a < 3; ++a) {
        const std::int64_t c = cube_of(n, a);
        least[static_cast<std::size_t>(a)] = std::min(least[static_cast<std::size_t>(a)], c);
        most[static_cast<std::size_t>(a)] = std::max(most[static_cast<std::size_t>(a)], c);
      }
    }
    low[begin / kNodeChunk] = least, high[begin / kNodeChunk] = most;
  });
  Place first = low[0], size = high[0];
  for (std::size_t i = 0; i < low.size(); ++i) {
    for (std::size_t a = 0; a < 3; ++a)
      first[a] = std::min(first[a], low[i][a]), size[a] = std::max(size[a], high[i][a]);
  }
  // An empty cube at either end of each row, and an empty row at either end of each layer: what is next to a cube never
  // lies at the other end.
  for (std::size_t a = 0; a < 3; ++a) size[a] -= first[a] - 3;
  row_ = static_cast<std::uint64_t>(size[0]);
  layer_ = row_ * static_cast<std::uint64_t>(size[1]);
  largest_key_ = layer_ * static_cast<std::uint64_t>(size[2]);
  keyed_.resize(nodes);
  parallel_chunks(nodes, kNodeChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) {
      const auto at = [&](int a) {
        return static_cast<std::uint64_t>(cube_of(n, a) - first[static_cast<std::size_t>(a)] + 1);
      };
      keyed_[n] = {at(2) * layer_ + at(1) * row_ + at(0), numbers[n]};
    }
  });
}

// By digits of eleven bits, the lowest first; nodes of a cube stay in ascending order.
void NodeGrid::sort_by_cube() {
  constexpr unsigned kBits = 11;
  constexpr std::uint64_t kDigits = 1u << kBits;
  scratch_.resize(keyed_.size());
  for (unsigned shift = 0; shift < static_cast<unsigned>(std::bit_width(largest_key_)); shift += kBits) {
    std::array<Index, kDigits + 1> start = {};
    for (const Keyed& k : keyed_) ++start[(k.key >> shift) % kDigits + 1];
    for (std::size_t d = 0; d < kDigits; ++d) start[d + 1] += start[d];
    for (const Keyed& k : keyed_) scratch_[start[(k.key >> shift) % kDigits]++] = k;
    keyed_.swap(scratch_);
  }
}

void NodeGrid::fill_cubes() {
  cubes_.clear();
  for (Index i = 0; i < placed_.size(); ++i) {
    if (i == 0 || keyed_[i].key != cubes_.back().key) cubes_.push_back({keyed_[i].key, i, placed_[i].component});
    if (cubes_.back().tag != placed_[i].component) cubes_.back().tag = kMixed;
  }
  cubes_.push_back({std::numeric_limits<std::uint64_t>::max(), static_cast<Index>(placed_.size()), kMixed});
}

void NodeGrid::look_round(std::size_t begin, std::size_t end, double margin, bool within,
                          std::vector<NodePair>& found) const {
  const auto look_at = [&](const Placed& p, const Placed& q) {
    if (!within && p.component == q.component) return;
    const double reach = p.radius + q.radius + margin;
    if ((q.x - p.x).squaredNorm() >= reach * reach) return;
    found.push_back({std::min(p.node, q.node), std::max(p.node, q.node)});
  };
  const auto look_into = [&](std::size_t mine, std::size_t other) {
    const Cube &c = cubes_[mine], &o = cubes_[other];
    if (!within && c.tag != kMixed && c.tag == o.tag) return;
    for (Index i = c.first; i < cubes_[mine + 1].first; ++i) {
      for (Index j = o.first; j < cubes_[other + 1].first; ++j) look_at(placed_[i], placed_[j]);
    }
  };
  // Of the 26 cubes round one, the 13 that come after it: the next, and three in each of four rows.
  const std::array<std::uint64_t, 4> rows = {row_, layer_ - row_, layer_, layer_ + row_};
  std::array<std::size_t, 4> at;
  for (std::size_t r = 0; r < rows.size(); ++r) {
    const std::uint64_t key = cubes_[begin].key + rows[r] - 1;
    at[r] = static_cast<std::size_t>(
        std::lower_bound(cubes_.begin(), cubes_.end(), key, [](const Cube& c, std::uint64_t k) { return c.key < k; }) -
        cubes_.begin());
  }
  for (std::size_t c = begin; c < end; ++c) {
    const std::uint64_t key = cubes_[c].key;
    if (within || cubes_[c].tag == kMixed) {
      for (Index i = cubes_[c].first; i < cubes_[c + 1].first; ++i) {
        for (Index j = i + 1; j < cubes_[c + 1].first; ++j) look_at(placed_[i], placed_[j]);
      }
    }
    if (cubes_[c + 1].key == key + 1) look_into(c, c + 1);
    for (std::size_t r = 0; r < rows.size(); ++r) {
      while (cubes_[at[r]].key < key + rows[r] - 1) ++at[r];
      for (std::size_t o = at[r]; cubes_[o].key <= key + rows[r] + 1; ++o) look_into(c, o);
    }
  }
}

// Into the lists of their lower nodes, which are short.
void NodeGrid::sort_pairs(std::size_t nodes) {
  first_.assign(nodes + 1, 0);
  std::size_t count = 0;
  for (const auto& found : found_) {
    count += found.size();
    for (const NodePair& p : found) ++first_[p.a + std::size_t{1}];
  }
  for (std::size_t n = 0; n < nodes; ++n) first_[n + 1] += first_[n];
  pairs_.resize(count);
  for (const auto& found : found_) {
    for (const NodePair& p : found) pairs_[first_[p.a]++] = p;
  }
  for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
    while (end < count && pairs_[end].a == pairs_[begin].a) ++end;
    std::sort(pairs_.begin() + static_cast<std::ptrdiff_t>(begin), pairs_.begin() + static_cast<std::ptrdiff_t>(end));
  }
}

const std::vector<NodePair>& NodeGrid::find(const Column<NodeId, Vec3>& position, std::span<const Index> nodes,
                                            std::span<const double> radius, std::span<const std::uint32_t> component,
                                            double margin, bool within) {
  pairs_.clear();
  if (nodes.empty()) return pairs_;
  number_cubes(position, nodes, 2 * *std::max_element(radius.begin(), radius.end()) + margin);
  sort_by_cube();
  placed_.resize(nodes.size());
  parallel_for(nodes.size(), [&](std::size_t i) {
    const Index n = keyed_[i].node;
    placed_[i] = {position[NodeId(n)], radius[n], component[n], n};
  });
  fill_cubes();
  const std::size_t cubes = cubes_.size() - 1;
  found_.resize((cubes + kCubeChunk - 1) / kCubeChunk);
  parallel_chunks(cubes, kCubeChunk, [&](std::size_t begin, std::size_t end) {
    std::vector<NodePair>& found = found_[begin / kCubeChunk];
    found.clear();
    look_round(begin, end, margin, within, found);
  });
  sort_pairs(position.size());
  return pairs_;
}

}  // namespace sunder::lattice_norton91
