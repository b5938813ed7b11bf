#include "solvers/lattice_norton91/bond_forces.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "solvers/lattice_norton91/bond_kernel.h"

namespace sunder::lattice_norton91 {

BondForces::BondForces(const Lattice& lattice, const std::vector<double>& damping_time, std::size_t least)
    : rows_(make_bond_rows(lattice, least)),
      live_(live_bonds(rows_, [](Index) { return true; })),
      left_out_(lattice.node_count(), 0),
      slot_force_(6 * rows_.slot_count / kLanes),
      overstretched_(rows_.lanes.size(), 0),
      any_(rows_.blocks.size(), 0) {
  for (const Index body : lattice.node_body) damping_time_.push_back(damping_time[body]);
  damping_time_.resize(lattice.node_count() + kLanes, 0);
}

void BondForces::follow_thresholds(const Lattice& lattice, const Breakage& breakage) {
  for (Index b = 0; b < lattice.bond_count(); ++b) {
    if (!breakage.whole(b)) continue;
    rows_.lanes[rows_.place[b] / kLanes].longest_square.of[rows_.place[b] % kLanes] = longest_square(lattice, b);
  }
}

void BondForces::follow(const Breakage& breakage, std::span<const Index> bonds) {
  for (const Index b : bonds) {
    const BondState state = breakage.bonds()[b];
    const auto at = std::lower_bound(pushing_.begin(), pushing_.end(), b);
    const bool listed = at != pushing_.end() && *at == b;
    if (state == BondState::pushing && !listed) pushing_.insert(at, b);
    if (state != BondState::pushing && listed) pushing_.erase(at);
    if (state == BondState::whole) continue;
    BondLanes& lanes = rows_.lanes[rows_.place[b] / kLanes];
    const std::size_t lane = rows_.place[b] % kLanes;
    lanes.stiffness.of[lane] = 0;
    lanes.longest_square.of[lane] = std::numeric_limits<double>::infinity();
  }
}

const BondForces::Report& BondForces::evaluate(const Lattice& lattice, const Column<NodeId, Vec3>& position,
                                               const Column<NodeId, Vec3>& velocity, const BondControl& control,
                                               Column<NodeId, Vec3>& force, Column<NodeId, Vec3>& damping) {
  BondTask task;
  task.rows = &rows_, task.live = &live_;
  task.position = position.data()->data(), task.velocity = velocity.data()->data();
  task.damping_time = damping_time_.data();
  task.stiffness = control.stiffness, task.length = control.length;
  task.slot_force = slot_force_.data();
  task.overstretched = overstretched_.data(), task.any = any_.data();
  parallel_chunks(rows_.blocks.size(), 1, [&](std::size_t begin, std::size_t end) { bond_forces(task, begin, end); });
  const BondSumTask sum = {&rows_, &live_, slot_force_.data(), force.data()->data(), damping.data()->data()};
  parallel_chunks(rows_.blocks.size(), 1,
                  [&](std::size_t begin, std::size_t end) { add_up_bond_forces(sum, begin, end); });
  report_.overstretched.clear(), report_.done.clear();
  list_overstretched(lattice, position, control);
  push(lattice, position, velocity, control, force, damping);
  return report_;
}

void BondForces::list_overstretched(const Lattice& lattice, const Column<NodeId, Vec3>& position,
                                    const BondControl& control) {
  for (std::size_t b = 0; b < any_.size(); ++b) {
    if (any_[b] == 0) continue;
    const auto look_at = [&](Index e) {
      for (unsigned lane = 0; overstretched_[e] >> lane != 0; ++lane) {
        if ((overstretched_[e] >> lane & 1) == 0) continue;
        const Index bond = rows_.number[kLanes * e + lane];
        const Index i = lattice.ends[bond][0], j = lattice.ends[bond][1];
        if (left_out_[i] != 0) continue;
        const double length = (position[NodeId(j)] - position[NodeId(i)]).norm();
        const double strain = length / (control.length * lattice.length[bond]) - 1;
        report_.overstretched.push_back({bond, strain / lattice.threshold[bond]});
      }
    };
    const LiveBlock& live = live_.blocks[b];
    for (Index r = live.first_row; r < live.row_end; ++r) {
      for (Index i = live_.rows[r].first; i < live_.rows[r].end; ++i) look_at(live_.entries[i]);
    }
    for (Index s = live.first_scattered; s < live.scattered_end; ++s) look_at(live_.scattered[s]);
  }
}

void BondForces::push(const Lattice& lattice, const Column<NodeId, Vec3>& position,
                      const Column<NodeId, Vec3>& velocity, const BondControl& control, Column<NodeId, Vec3>& force,
                      Column<NodeId, Vec3>& damping) {
  for (const Index bond : pushing_) {
    if (left_out_[lattice.ends[bond][0]] != 0) continue;
    const NodeId a(lattice.ends[bond][0]), b(lattice.ends[bond][1]);
    const Vec3 d = position[b] - position[a];
    const double length = d.norm(), rest = control.length * lattice.length[bond];
    if (length >= rest) {
      report_.done.push_back(bond);
      continue;
    }
    if (!(length > 0)) continue;  // there is no telling which way
    const Vec3 n = d / length;
    const double k = control.stiffness * lattice.stiffness[bond];
    const double viscous = damping_time_[a.index] * k * (velocity[b] - velocity[a]).dot(n);
    const Vec3 pull = (k * (length - rest) + viscous) * n;
    force[a] += pull, force[b] -= pull;
    damping[a] += viscous * n, damping[b] -= viscous * n;
  }
}

double bond_energy(const Lattice& lattice, const Breakage& breakage, const Column<NodeId, Vec3>& position,
                   const BondControl& control) {
  constexpr std::size_t kChunk = 4096;
  return parallel_sum(lattice.bond_count(), kChunk, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t b = begin; b < end; ++b) {
      const BondState state = breakage.bonds()[b];
      if (state == BondState::retired) continue;
      const auto& [i, j] = lattice.ends[b];
      const double stretch = (position[NodeId(j)] - position[NodeId(i)]).norm() - control.length * lattice.length[b];
      if (state == BondState::pushing && stretch >= 0) continue;
      sum += 0.5 * control.stiffness * lattice.stiffness[b] * stretch * stretch;
    }
    return sum;
  });
}

}  // namespace sunder::lattice_norton91
