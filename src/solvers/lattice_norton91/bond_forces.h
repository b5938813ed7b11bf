#pragma once
// The forces of all bonds on their nodes: eight bonds at a time, in blocks of nodes whose sums are added in order
// (bond_rows.h). The same bits for any number of threads.

#include <cstdint>
#include <span>
#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "solvers/lattice_norton91/bond_rows.h"
#include "solvers/lattice_norton91/breakage.h"
#include "solvers/lattice_norton91/lattice.h"

namespace sunder::lattice_norton91 {

// What a scene changes while time goes on: factors of all bonds' stiffness and rest length.
struct BondControl {
  double stiffness = 1;
  double length = 1;
};

class BondForces {
 public:
  BondForces() = default;
  // `damping_time` of every body, s: d = damping_time k. `least` as in make_bond_rows.
  BondForces(const Lattice& lattice, const std::vector<double>& damping_time, std::size_t least = 3);

  // From now on without the bonds of nodes that fly; what it says of the forces on these is nothing to go by.
  template <class Flies>
  void leave_out(const Lattice& lattice, const Flies& flies);

  // After the lattice's thresholds have changed.
  void follow_thresholds(const Lattice& lattice, const Breakage& breakage);

  // After these bonds broke or retired.
  void follow(const Breakage& breakage, std::span<const Index> bonds);

  struct Report {
    std::vector<OverstretchedBond> overstretched;
    std::vector<Index> done;  // bonds that pushed and have reached their rest length
  };
  // F = (k (l - L) + d v) along the bond                                         Norton 1991, internal forces
  // Sets the forces, and what of them is damping. A bond that pushes only does so while it is shorter than at rest.
  const Report& evaluate(const Lattice& lattice, const Column<NodeId, Vec3>& position,
                         const Column<NodeId, Vec3>& velocity, const BondControl& control, Column<NodeId, Vec3>& force,
                         Column<NodeId, Vec3>& damping);

  const BondRows& rows() const { return rows_; }
  const LiveBonds& live() const { return live_; }
  const std::vector<Index>& pushing() const { return pushing_; }  // bonds, ascending

 private:
  void list_overstretched(const Lattice& lattice, const Column<NodeId, Vec3>& position, const BondControl& control);
  void push(const Lattice& lattice, const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
            const BondControl& control, Column<NodeId, Vec3>& force, Column<NodeId, Vec3>& damping);

  BondRows rows_;
  LiveBonds live_;
  std::vector<std::uint8_t> left_out_;  // by node
  std::vector<double> damping_time_;    // by node, and some more
  std::vector<Index> pushing_;          // bonds, ascending
  std::vector<EightNumbers> slot_force_;
  std::vector<std::uint8_t> overstretched_, any_;  // by entry, by block
  Report report_;
};

template <class Flies>
void BondForces::leave_out(const Lattice& lattice, const Flies& flies) {
  for (Index n = 0; n < left_out_.size(); ++n) left_out_[n] = flies(n) ? 1 : 0;
  live_ = live_bonds(rows_, [&](Index bond) { return left_out_[lattice.ends[bond][0]] == 0; });
}

// J, of the bonds that act.
double bond_energy(const Lattice& lattice, const Breakage& breakage, const Column<NodeId, Vec3>& position,
                   const BondControl& control);

}  // namespace sunder::lattice_norton91
