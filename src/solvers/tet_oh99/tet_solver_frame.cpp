// What is done between frames: storage is compacted, fragments are counted, debris goes, those at rest fall asleep.

#include <algorithm>

#include "solvers/tet_oh99/tet_solver.h"

namespace sunder::tet_oh99 {

void TetSolver::prepare_frame() {
  compact();
  for (const NewFragment& fresh : fragments_.update(mesh_))
    fracture_.log().fragments.push_back({fresh.id, fresh.parent});
  const Debris::Found debris =
      debris_.look({mesh_, fragments_, state_, masses_.mass, sleep_.asleep(), body_names_, time_});
  if (!debris.remove.empty()) remove_pieces(debris.remove);
  debris_.book(debris.remove), debris_.book(debris.freeze);
  debris_.book(shedding_.news(dust_, body_names_, time_));
  Journal::Mark read = fragments_.mark().value_or(0);
  if (fast_forces_) read = std::min(read, fast_forces_->mark());
  if (bodies_->mark()) read = std::min(read, *bodies_->mark());
  mesh_.journal().forget(read);
  std::vector<std::uint32_t> frozen;
  for (const DebrisEvent& event : debris.freeze) frozen.push_back(event.fragment);
  fall_asleep(frozen);
}

// Takes them out of the mesh, and out of everything that hangs on it. What they had of energy is booked as dissipated.
void TetSolver::remove_pieces(const std::vector<DebrisEvent>& pieces) {
  const double before = energy();
  const auto goes = [&](TetId t) {
    const std::uint32_t label = fragments_.labels()[t];
    return std::binary_search(pieces.begin(), pieces.end(), DebrisEvent{.fragment = label},
                              [](const DebrisEvent& a, const DebrisEvent& b) { return a.fragment < b.fragment; });
  };
  std::vector<TetId> tets;
  std::vector<NodeId> nodes;
  for (const TetId t : id_range<TetId>(mesh_.tet_slots())) {
    if (!mesh_.alive(t) || !goes(t)) continue;
    tets.push_back(t);
    nodes.insert(nodes.end(), mesh_.corners(t).begin(), mesh_.corners(t).end());
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  if (sleep_.wake(nodes, {}, time_)) wake();  // who leans on them would hang in the air
  for (const TetId t : tets) mesh_.remove_tet(t);
  for (const NodeId n : nodes) {
    mesh_.remove_node(n);
    masses_.mass[n] = masses_.inverse[n] = masses_.stiffness[n] = 0;
    state_.velocity[n].setZero();
  }
  sleep_.drop_gone(mesh_);
  regions_.drop_gone(mesh_);
  fracture_.drop_gone();
  contacts_.drop_gone(mesh_);
  bodies_->drop_gone(mesh_);
  fragments_.update(mesh_);
  count_again(mesh_, materials_, parameters_.damping, elements_);
  refresh_forces();
  spectral_limit_.forget();
  step_control_.forget_body();
  restless_until_ = steps_ + kRestlessSteps;
  dissipated_ += before - energy();
}

void TetSolver::fall_asleep(std::span<const std::uint32_t> freeze) {
  if (!freeze.empty()) sleep_.freeze(mesh_, fragments_, freeze);
  const bool fell =
      time_ >= fracture_.toughness_settles_at() &&
      sleep_.look({mesh_, fragments_, regions_, contacts_, *bodies_, state_, pushed_, pushed_colliders_, time_});
  if (!fell && freeze.empty()) return;
  const double before = energy();
  contacts_.follow_sleep(sleep_.asleep(), state_.position, state_.velocity, last_dt_);
  bodies_->follow_sleep(touching_bodies(), last_dt_);
  sleep_.stop(state_);
  find_internal_forces(state_, force_, false);
  contacts_.add_resting_forces(force_);
  bodies_->add_resting_forces(force_);
  sleep_.keep_forces(regions_, force_);
  resting_bound_ = bound_, resting_body_ = step_control_.body(bound_);
  if (fast_forces_) fast_forces_->refresh();
  // Their motion, and what it would have done to springs and height by the time that velocities belong to.
  dissipated_ += before - energy();
}

void TetSolver::wake() {
  contacts_.follow_sleep(sleep_.asleep(), state_.position, state_.velocity, 0);
  bodies_->follow_sleep(touching_bodies(), 0);
  if (!sleep_.any()) resting_bound_ = resting_body_ = {};
  spectral_limit_.forget();  // its mode has nothing of those that slept
  restless_until_ = steps_ + kRestlessSteps;
  if (fast_forces_) fast_forces_->refresh();
}

double TetSolver::energy() const {
  const Totals t = totals();
  return t.kinetic + t.gravity + t.elastic + t.contact;
}

// Closes the holes that splits and debris have left among the tets. Nodes keep their places.
void TetSolver::compact() {
  constexpr std::size_t kHoles = 4;  // one over the share of the slots at which it is worth it
  const std::size_t slots = mesh_.tet_slots();
  if (kHoles * (slots - mesh_.tet_count()) < slots) return;
  const TetMesh::Renumbering map = mesh_.compact(TetMesh::Holes::of_tets);
  renumber_tets(map.tet, elements_);
  regions_.renumber_tets(map.tet, mesh_);
  fracture_.renumber_tets(map.tet);
  shedding_.renumber_tets(map.tet, mesh_.tet_slots());
  refresh_forces();
}

void TetSolver::begin_frame() {
  fracture_.log() = {};
  debris_.clear_log();
  for (Reaction& r : reactions_) {
    r.impulse.setZero();
    r.peak = 0;
  }
}

}  // namespace sunder::tet_oh99
