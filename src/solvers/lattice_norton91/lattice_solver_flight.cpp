// Who flies (flight.h), and when.

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "solvers/lattice_norton91/lattice_solver.h"
#include "solvers/lattice_norton91/sorted_labels.h"
#include "solvers/lattice_norton91/vibration.h"

namespace sunder::lattice_norton91 {
namespace {

constexpr std::uint32_t kLook = 128;  // steps from one look at who could take off to the next
constexpr std::size_t kChunk = 4096;  // nodes

}  // namespace

// Whether bonds, and what they bear, stay as they are from now on: gravity may change.
bool LatticeSolver::controls_settled() const {
  return weakness_.settled(time_) &&
         std::all_of(parameters_.controls.begin(), parameters_.controls.end(), [&](const ControlKeyframe& c) {
           return c.time < time_ || (c.stiffness == control_.stiffness && c.length == control_.length);
         });
}

// m/s: nothing that may come near anything has moved faster in the last step.
double LatticeSolver::fastest() const {
  const std::span<const Index> awake = idle_.awake();
  std::vector<double> squares((awake.size() + kChunk - 1) / kChunk, 0);
  parallel_chunks(awake.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      squares[begin / kChunk] = std::max(squares[begin / kChunk], velocity_[NodeId(awake[i])].squaredNorm());
    }
  });
  double fastest = flight_.fastest();
  for (const double square : squares) fastest = std::max(fastest, std::sqrt(square));
  const RigidBodies& rigid = colliders_.rigid();
  for (std::size_t c = 0; c < rigid.colliders().size(); ++c) {
    if (rigid.moves(c)) fastest = std::max(fastest, rigid.fastest_point(c));
  }
  return fastest;
}

// Before the contacts of a step are looked for.
void LatticeSolver::follow_flight() {
  bool changed = false;
  if (flight_.any()) {
    clearance_.moved(last_dt_ * fastest());
    if (clearance_.outdated() || !controls_settled()) changed = wake_crowded();
  }
  if (until_look_ == 0) {
    until_look_ = kLook;
    if (controls_settled()) changed = look_for_flight() || changed;
    pushed_.clear();
  }
  --until_look_;
  if (changed) follow_idle();
}

// True if any have woken.
bool LatticeSolver::wake_crowded() {
  place_flying();
  clearance_.look(lattice_, components_, colliders_.rigid(), position_, parameters_.contact.on);
  const bool all = !controls_settled();
  return !flight_
              .wake([&](const RigidPiece& piece) {
                return all || clearance_.crowded(components_.labels()[piece.nodes()[0]]);
              })
              .empty();
}

// True if any have taken off, or woken.
bool LatticeSolver::look_for_flight() {
  const std::vector<std::uint32_t>& label = components_.labels();
  const Lists pieces = idle_.pieces_awake(components_);
  std::vector<std::uint8_t> ready =
      quiet_pieces(lattice_, breakage_, pieces, position_, velocity_, {control_.stiffness, control_.length});
  std::vector<std::uint32_t> quiet;
  sort_once(pushed_);
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    const std::uint32_t piece = label[pieces[p][0]];
    if (ready[p] != 0) quiet.push_back(piece);
    if (!holds(quiet_, piece) || holds(pushed_, piece)) ready[p] = 0;
  }
  sort_once(quiet);
  quiet_ = std::move(quiet);
  if (std::find(ready.begin(), ready.end(), 1) == ready.end()) return false;

  const bool woken = wake_crowded();
  for (const Index b : bond_forces_.pushing()) {
    const auto& [i, j] = lattice_.ends[b];
    if (label[i] != label[j]) clearance_.crowd(label[i]), clearance_.crowd(label[j]);
  }
  node_contacts_.for_each_watched([&](Index a, Index b) {
    if (label[a] == label[b]) clearance_.crowd(label[a]);  // it may touch itself
  });
  regions_.for_each_bound(time_, [&](NodeId n) { clearance_.crowd(label[n.index]); });
  bool any = false;
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (clearance_.crowded(label[pieces[p][0]])) ready[p] = 0;
    any = any || ready[p] != 0;
  }
  if (!any) return woken;
  flight_.take_off(lattice_, pieces, ready, position_, velocity_);
  return true;
}

// Others fly or sleep than before.
void LatticeSolver::follow_idle() {
  idle_.update(flight_, sleep_, lattice_.node_count());
  bond_forces_.leave_out(lattice_, [&](Index n) { return idle_[n]; });
  components_changed_ = true;
}

// Whoever sleeps there wakes before the next bonds are evaluated: at once, or if this is amid a step, in the next.
void LatticeSolver::disturb(std::span<const NodeId> nodes) {
  sleep_.disturb(components_, nodes);
  if (!parameters_.flight) return;
  const std::vector<std::uint32_t>& label = components_.labels();
  for (const NodeId n : nodes) pushed_.push_back(label[n.index]);
  if (!flight_.any() || nodes.empty()) return;
  sort_once(pushed_);
  place_flying();
  const std::vector<Index> woken =
      flight_.wake([&](const RigidPiece& piece) { return holds(pushed_, label[piece.nodes()[0]]); });
  if (woken.empty()) return;
  for (const Index n : woken) force_[NodeId(n)].setZero(), lossy_[NodeId(n)].setZero();  // also amid a step
  follow_idle();
}

}  // namespace sunder::lattice_norton91
