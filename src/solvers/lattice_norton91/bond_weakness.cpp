#include "solvers/lattice_norton91/bond_weakness.h"

#include <algorithm>

#include "core/parallel.h"

namespace sunder::lattice_norton91 {

BondWeakness::BondWeakness(std::span<const LatticeBody> bodies, const Lattice& lattice) {
  if (std::all_of(bodies.begin(), bodies.end(), [](const LatticeBody& b) { return b.weakness.layers.empty(); })) return;
  for (const LatticeBody& body : bodies) {
    fields_.push_back(body.weakness);
    fields_.back().base = {.value = 1};
  }
  drawn_ = lattice.threshold;
}

bool BondWeakness::set(double time, Lattice& lattice) {
  if (is_settled_ && settled(time)) return false;
  is_settled_ = settled(time);
  std::vector<std::vector<double>> factors;
  for (const ToughnessField& field : fields_) factors.push_back(field.factors(time));
  if (factors == factors_) return false;
  constexpr std::size_t kChunk = 1024;
  parallel_chunks(drawn_.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t b = begin; b < end; ++b) {
      const auto& [i, j] = lattice.ends[b];
      const std::uint32_t body = lattice.node_body[i];
      if (fields_[body].layers.empty()) continue;
      const Vec3 &x = lattice.rest[NodeId(i)], &y = lattice.rest[NodeId(j)];
      const Resistance here = fields_[body].at(Uid{i} << 32 | j, (x + y) / 2, factors[body]);
      const double across = here.planes ? here.planes->of((y - x).normalized()) : 1;
      lattice.threshold[b] = drawn_[b] * here.value * across;
    }
  });
  factors_ = std::move(factors);
  return true;
}

bool BondWeakness::settled(double time) const {
  return std::all_of(fields_.begin(), fields_.end(), [&](const ToughnessField& field) {
    return std::all_of(field.layers.begin(), field.layers.end(), [&](const ToughnessLayer& layer) {
      return layer.factor.back().time <= time || layer.factor.size() == 1;
    });
  });
}

}  // namespace sunder::lattice_norton91
