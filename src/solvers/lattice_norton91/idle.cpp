#include "solvers/lattice_norton91/idle.h"

#include <algorithm>
#include <array>

namespace sunder::lattice_norton91 {

void Idle::update(const Flight& flight, const Sleep& sleep, std::size_t nodes) {
  asleep_.island.assign(nodes, 0);
  awake_.clear(), grounded_.clear();
  for (Index n = 0; n < nodes; ++n) {
    const bool flies = flight.flies(n);
    asleep_.island[NodeId(n)] = flies ? Asleep::kAway : sleep.island(n);
    if (!flies) grounded_.push_back(n);
    if (!(*this)[n]) awake_.push_back(n);
  }
  asleep_.count = nodes - awake_.size();
}

Lists Idle::pieces_awake(const Components& components) const {
  const std::vector<std::uint32_t>& label = components.labels();
  std::vector<Index> number(*std::max_element(label.begin(), label.end()) + std::size_t{1}, 0);  // from 1, by label
  std::vector<std::array<Index, 2>> members;
  members.reserve(awake_.size());
  Index count = 0;
  for (const Index n : awake_) {
    if (number[label[n]] == 0) number[label[n]] = ++count;
    members.push_back({number[label[n]] - 1, n});
  }
  return make_lists(count, members);
}

}  // namespace sunder::lattice_norton91
