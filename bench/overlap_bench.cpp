// What an overlap of two tets costs, by what ends the question.
//   sunder_overlap_bench [Google Benchmark's options]

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

#include "core/random.h"
#include "geometry/tet_overlap.h"

namespace sunder::bench {
namespace {

using Pair = std::pair<TetCorners, TetCorners>;

constexpr std::size_t kPairs = 4096;  // more than a branch predictor learns by heart, and they fit the L2 cache

// Corners in a unit cube, of the quality that a mesher sees to.
TetCorners random_tet(std::uint64_t seed, std::uint64_t key) {
  for (std::uint64_t tries = 0;; ++tries) {
    TetCorners x;
    for (std::uint64_t i = 0; i < 4; ++i) {
      for (std::uint64_t axis = 0; axis < 3; ++axis) x[i][axis] = random_unit(seed, key, 12 * tries + 3 * i + axis);
    }
    if (signed_volume(x) < 0) std::swap(x[2], x[3]);
    if (quality(x) > 0.3) return x;
  }
}

bool boxes_apart(const Pair& pair) {
  for (int axis = 0; axis < 3; ++axis) {
    const auto range = [&](const TetCorners& x) {
      return std::minmax({x[0][axis], x[1][axis], x[2][axis], x[3][axis]});
    };
    const auto a = range(pair.first), b = range(pair.second);
    if (a.second <= b.first || b.second <= a.first) return true;
  }
  return false;
}

bool face_separates(const TetCorners& x, const TetCorners& from) {
  const auto gradients = barycentric_gradients(x);
  for (int i = 0; i < 4; ++i) {
    bool all = true;
    for (const Vec3& p : from) all = all && gradients[i].dot(p - x[(i + 1) % 4]) <= 0;
    if (all) return true;
  }
  return false;
}

enum Kind { kBoxesApart, kFaceSeparates, kEdgesSeparate, kOverlap };

Kind kind_of(const Pair& pair) {
  if (tet_overlap(pair.first, pair.second).volume > 0) return kOverlap;
  if (boxes_apart(pair)) return kBoxesApart;
  if (face_separates(pair.first, pair.second) || face_separates(pair.second, pair.first)) return kFaceSeparates;
  return kEdgesSeparate;
}

// Random tets, the second shifted by up to the cube that they are from, as a broad phase would hand them over.
std::vector<Pair> pairs_of(Kind kind) {
  std::vector<Pair> pairs;
  for (std::uint64_t seed = 0; pairs.size() < kPairs; ++seed) {
    Pair pair = {random_tet(seed, 0), random_tet(seed, 1)};
    const Vec3 shift = Vec3(random_unit(seed, 2), random_unit(seed, 3), random_unit(seed, 4));
    for (Vec3& x : pair.second) x += shift;
    if (kind_of(pair) == kind) pairs.push_back(pair);
  }
  return pairs;
}

void overlap(benchmark::State& state, Kind kind) {
  const std::vector<Pair> pairs = pairs_of(kind);
  std::size_t i = 0;
  while (state.KeepRunning()) {
    const auto& [a, b] = pairs[i++ % kPairs];
    benchmark::DoNotOptimize(tet_overlap(a, b));
  }
}

BENCHMARK_CAPTURE(overlap, boxes_apart, kBoxesApart);
BENCHMARK_CAPTURE(overlap, face_separates, kFaceSeparates);
BENCHMARK_CAPTURE(overlap, edges_separate, kEdgesSeparate);
BENCHMARK_CAPTURE(overlap, overlapping, kOverlap);

}  // namespace
}  // namespace sunder::bench

BENCHMARK_MAIN();
