#include "solvers/lattice_norton91/components.h"

#include <algorithm>
#include <map>

#include "core/disjoint_sets.h"

namespace sunder::lattice_norton91 {

std::vector<FragmentEvent> Components::update(const Lattice& lattice, const Breakage& breakage) {
  const std::size_t nodes = lattice.node_count();
  DisjointSets sets(nodes);
  for (Index b = 0; b < lattice.bond_count(); ++b) {
    if (breakage.whole(b)) sets.join(lattice.ends[b][0], lattice.ends[b][1]);
  }
  std::vector<Index> size(nodes, 0);
  for (Index n = 0; n < nodes; ++n) ++size[sets.root(n)];
  if (labels_.empty()) labels_.assign(nodes, 0);
  std::map<std::uint32_t, Index> heir;  // by old label: the root that keeps it
  count_ = 0;
  for (Index n = 0; n < nodes; ++n) {
    if (sets.root(n) != n) continue;
    ++count_;
    if (labels_[n] == 0) continue;
    const auto [at, first] = heir.try_emplace(labels_[n], n);
    if (!first && size[n] > size[at->second]) at->second = n;
  }
  std::vector<FragmentEvent> fresh;
  std::vector<std::uint32_t> now(nodes, 0);  // by root
  for (Index n = 0; n < nodes; ++n) {
    const Index root = sets.root(n);
    if (root == n) {
      const std::uint32_t old = labels_[n];
      if (old != 0 && heir.at(old) == n) {
        now[n] = old;
      } else {
        now[n] = next_++;
        fresh.push_back({now[n], old});
      }
    }
  }
  for (Index n = 0; n < nodes; ++n) labels_[n] = now[sets.root(n)];
  return fresh;
}

void Components::save(Writer& out) const {
  out.put_all(std::span<const std::uint32_t>(labels_));
  out.put(next_), out.put<std::uint64_t>(count_);
}

void Components::load(Reader& in, std::size_t nodes) {
  labels_ = in.get_all<std::uint32_t>();
  if (labels_.size() != nodes) in.fail();
  next_ = in.get<std::uint32_t>(), count_ = static_cast<std::size_t>(in.get<std::uint64_t>());
}

}  // namespace sunder::lattice_norton91
