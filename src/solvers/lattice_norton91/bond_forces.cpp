#include "solvers/lattice_norton91/bond_forces.h"

#include <cmath>

#include "core/parallel.h"

namespace sunder::lattice_norton91 {
namespace {

constexpr std::size_t kBondChunk = 4096;
constexpr std::size_t kNodeChunk = 1024;

}  // namespace

BondForces::BondForces(const Lattice& lattice, std::vector<double> damping_time)
    : damping_time_(std::move(damping_time)) {
  pack(lattice, Breakage(lattice, 1));
}

void BondForces::pack(const Lattice& lattice, const Breakage& breakage) {
  bonds_.clear(), number_.clear();
  const auto add = [&](Index b) {
    const auto& [i, j] = lattice.ends[b];
    const double k = lattice.stiffness[b];
    bonds_.push_back({i, j, lattice.length[b], k, damping_time_[lattice.node_body[i]] * k, 1 + lattice.threshold[b]});
    number_.push_back(b);
  };
  const std::vector<BondState>& state = breakage.bonds();
  for (Index b = 0; b < state.size(); ++b) {
    if (state[b] == BondState::whole) add(b);
  }
  pushing_ = bonds_.size();
  for (Index b = 0; b < state.size(); ++b) {
    if (state[b] == BondState::pushing) add(b);
  }
  pull_.resize(bonds_.size());
  parts_.resize((bonds_.size() + kBondChunk - 1) / kBondChunk);
  std::vector<std::array<Index, 2>> ends;
  ends.reserve(2 * bonds_.size());
  for (Index p = 0; p < bonds_.size(); ++p) {
    ends.push_back({bonds_[p].a, 2 * p});
    ends.push_back({bonds_[p].b, 2 * p + 1});
  }
  at_node_ = make_lists(lattice.node_count(), ends);
}

const BondForces::Report& BondForces::evaluate(const Column<NodeId, Vec3>& position,
                                               const Column<NodeId, Vec3>& velocity, const BondControl& control,
                                               Column<NodeId, Vec3>& force) {
  const Vec3 *x = position.data(), *v = velocity.data();
  parallel_chunks(bonds_.size(), kBondChunk, [&](std::size_t begin, std::size_t end) {
    Part& part = parts_[begin / kBondChunk];
    part.power = 0;
    part.overstretched.clear(), part.done.clear();
    for (std::size_t p = begin; p < end; ++p) {
      const Packed& bond = bonds_[p];
      const Vec3 d = x[bond.b] - x[bond.a];
      const double length = d.norm(), rest = control.length * bond.length;
      const Vec3 n = d / length;
      const double rate = (v[bond.b] - v[bond.a]).dot(n);
      if (p >= pushing_ && length >= rest) {
        part.done.push_back(number_[p]);
        pull_[p] = Vec3::Zero();
        continue;
      }
      const double damping = control.stiffness * bond.damping;
      pull_[p] = (control.stiffness * bond.stiffness * (length - rest) + damping * rate) * n;
      part.power += damping * rate * rate;
      if (length > bond.longest * rest && p < pushing_) {
        part.overstretched.push_back({number_[p], (length / rest - 1) / (bond.longest - 1)});
      }
    }
  });
  Vec3* f = force.data();
  parallel_chunks(force.size(), kNodeChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t node = begin; node < end; ++node) {
      Vec3 sum = Vec3::Zero();
      for (const Index e : at_node_[node]) {
        if ((e & 1) == 0) {
          sum += pull_[e >> 1];
        } else {
          sum -= pull_[e >> 1];
        }
      }
      f[node] = sum;
    }
  });
  report_.viscous_power = 0;
  report_.overstretched.clear(), report_.done.clear();
  for (const Part& part : parts_) {
    report_.viscous_power += part.power;
    report_.overstretched.insert(report_.overstretched.end(), part.overstretched.begin(), part.overstretched.end());
    report_.done.insert(report_.done.end(), part.done.begin(), part.done.end());
  }
  return report_;
}

double BondForces::energy(const Column<NodeId, Vec3>& position, const BondControl& control) const {
  return parallel_sum(bonds_.size(), kBondChunk, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t p = begin; p < end; ++p) {
      const Packed& bond = bonds_[p];
      const double stretch =
          (position[NodeId(bond.b)] - position[NodeId(bond.a)]).norm() - control.length * bond.length;
      if (p >= pushing_ && stretch >= 0) continue;
      sum += 0.5 * control.stiffness * bond.stiffness * stretch * stretch;
    }
    return sum;
  });
}

}  // namespace sunder::lattice_norton91
