// Who sleeps (sleep.h), and what that does to the books.

#include "solvers/lattice_norton91/lattice_solver.h"

namespace sunder::lattice_norton91 {

bool LatticeSolver::look_for_sleep() {
  if (!weakness_.settled(time_)) return false;  // what rests may break by itself
  return sleep_.look({lattice_, components_, idle_, colliders_, node_contacts_, bond_forces_.pushing(), regions_,
                      position_, velocity_, force_, control_.gravity * parameters_.gravity, time_});
}

// After the step in which it was found out.
void LatticeSolver::fall_asleep() {
  const double before = energy();
  follow_idle();
  colliders_.follow_sleep(idle_.asleep(), position_, velocity_, last_dt_);
  for (const NodeId n : id_range<NodeId>(velocity_.size())) {
    if (sleep_.island(n.index) != 0) velocity_[n].setZero();
  }
  // Their motion, and what it would have done to springs and height by the time that velocities belong to.
  dissipated_ += before - energy();
}

void LatticeSolver::wake() {
  follow_idle();
  colliders_.follow_sleep(idle_.asleep(), position_, velocity_, 0);
}

double LatticeSolver::energy() const {
  const Totals t = totals();
  return t.kinetic + t.elastic + t.gravity + t.contact;
}

}  // namespace sunder::lattice_norton91
