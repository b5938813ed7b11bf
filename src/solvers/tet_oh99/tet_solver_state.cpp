// What a checkpoint keeps of the solver. First the mesh as it has cracked, where everything is and how it moves: that
// is what a branch takes over.

#include <Eigen/LU>
#include <cmath>
#include <unordered_map>

#include "solvers/records.h"
#include "solvers/tet_oh99/tet_solver.h"

namespace sunder::tet_oh99 {
namespace {

using Labelled = std::vector<std::pair<Uid, std::uint32_t>>;

void put(Writer& out, const Labelled& labels) {
  out.put<std::uint64_t>(labels.size());
  for (const auto& [uid, label] : labels) out.put(uid), out.put(label);
}

Labelled get_labels(Reader& in) {
  Labelled labels;
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const Uid uid = in.get<Uid>();
    labels.emplace_back(uid, in.get<std::uint32_t>());
  }
  return labels;
}

}  // namespace

void TetSolver::save(Writer& out) const {
  out.put(time_), out.put(last_dt_), out.put(dissipated_);
  debris_.save(out);
  out.put<std::uint8_t>(mesh_changes() ? 1 : 0);
  if (mesh_changes()) save_mesh(out);
  shedding_.save(out), dust_.save(out);
  out.put<std::uint8_t>(plastic_.on() ? 1 : 0);
  if (plastic_.on()) save_plastic(out);
  out.put_all(state_.position.span());
  out.put_all(state_.velocity.span());
  contacts_.save_motion(out);
  save_reactions(out, reactions_);
  // What a branch does not take over follows.
  out.put(steps_), out.put(restless_until_);
  out.put(bound_.elastic), out.put(bound_.viscous), out.put(bound_.smallest_ratio);
  out.put(elements_.largest_gradient_square), out.put(elements_.smallest_damping_time);
  spectral_limit_.save(out);
  step_control_.save(out);
  sleep_.save(out);
  for (const Stiffness& s : {resting_bound_, resting_body_}) {
    out.put(s.elastic), out.put(s.viscous), out.put(s.smallest_ratio);
  }
  if (fracture_.on() && fast_forces_) fast_forces_->save(out);
  contacts_.save(out);
  bodies_->save(out);
}

void TetSolver::save_mesh(Writer& out) const {
  mesh_.save(out);
  out.put_all(masses_.mass.span());
  out.put_all(masses_.stiffness.span());
  const FragmentTracker::State& fragments = fragments_.state();
  put(out, fragments.tets), put(out, fragments.nodes);
  out.put(fragments.next_id), out.put<std::uint64_t>(fragments_.count());
  regions_.save_members(out);
  contacts_.save_surface(out);
  fracture_.save(out);
}

void TetSolver::load_mesh(Reader& in) {
  skin_.clear();
  std::unordered_map<Uid, TetId> tets;  // of pressed faces, by the uids of the mesh that the regions were made for
  std::vector<Uid> before(mesh_.tet_slots(), 0);
  for (const TetId t : id_range<TetId>(mesh_.tet_slots())) before[t.index] = mesh_.alive(t) ? mesh_.uid(t) : 0;
  const std::size_t nodes_before = mesh_.node_slots();

  mesh_.load(in);
  if (mesh_.node_slots() < nodes_before) in.fail();
  if (mesh_.tet_count() == 0 && !debris_.rules().removes()) in.fail();
  for (const TetId t : id_range<TetId>(mesh_.tet_slots())) {
    if (!mesh_.alive(t)) continue;
    if (mesh_.tags(t).material >= materials_.size() || mesh_.tags(t).body >= body_names_.size()) in.fail();
    tets[mesh_.uid(t)] = t;
  }
  elements_ = element_constants(mesh_, materials_, parameters_.damping);
  masses_.mass.resize(mesh_.node_slots());
  in.get_into(masses_.mass.span());
  masses_.stiffness.resize(mesh_.node_slots());
  in.get_into(masses_.stiffness.span());
  masses_.inverse.resize(mesh_.node_slots());
  for (const NodeId n : id_range<NodeId>(mesh_.node_slots())) {
    const double m = masses_.mass[n];
    masses_.inverse[n] = m > 0 ? 1 / m : 0;
  }
  FragmentTracker::State fragments;
  fragments.tets = get_labels(in), fragments.nodes = get_labels(in);
  fragments.next_id = in.get<std::uint32_t>();
  fragments_ = FragmentTracker(std::move(fragments), in.get<std::uint64_t>());
  std::vector<TetId> now(before.size());
  for (std::size_t t = 0; t < before.size(); ++t) {
    const auto found = tets.find(before[t]);
    if (found != tets.end()) now[t] = found->second;
  }
  regions_.renumber_tets(now, mesh_);
  regions_.load_members(in, mesh_);
  contacts_.load_surface(in, mesh_.node_slots());
  fracture_.load(in);
  state_.position.resize(mesh_.node_slots());
  state_.velocity.resize(mesh_.node_slots());
  refresh_forces();
}

void TetSolver::refresh_forces() {
  internal_forces_.refresh();
  if (!fast_forces_) return;
  fast_forces_->refresh();
  if (fracture_.on()) fracture_.set_limits(*fast_forces_);
}

void TetSolver::save_plastic(Writer& out) const {
  const PlasticShapes& plastic = elements_.plastic;
  out.put(plastic_work_);
  out.put_all(plastic.strain.span());
  out.put_all(std::span<const double>(plastic.deformation.data()->data(), 9 * plastic.deformation.size()));
}

// Into a branch whose materials no longer flow, too: then the shapes are as they were at the start.
void TetSolver::load_plastic(Reader& in) {
  plastic_work_ = in.get<double>();
  PlasticShapes plastic;
  plastic.strain.resize(mesh_.tet_slots());
  in.get_into(plastic.strain.span());
  const std::vector<double> numbers = in.get_all<double>();
  if (numbers.size() != 9 * mesh_.tet_slots()) in.fail();
  if (!plastic_.on()) return;
  plastic.flows = elements_.plastic.flows;
  plastic.deformation.resize(mesh_.tet_slots());
  for (const TetId t : id_range<TetId>(mesh_.tet_slots())) {
    plastic.deformation[t] = Eigen::Map<const Mat3>(&numbers[9 * t.index]);
    if (!mesh_.alive(t)) continue;
    const double determinant = plastic.deformation[t].determinant();
    if (!(plastic.strain[t] >= 0) || !(std::abs(determinant - 1) < 1e-6)) in.fail();
  }
  elements_ = element_constants(mesh_, materials_, parameters_.damping, std::move(plastic));
  refresh_forces();
}

void TetSolver::load(Reader& in) {
  read_motion(in, true);
  steps_ = in.get<std::uint64_t>(), restless_until_ = in.get<std::uint64_t>();
  bound_.elastic = in.get<double>(), bound_.viscous = in.get<double>(), bound_.smallest_ratio = in.get<double>();
  elements_.largest_gradient_square = in.get<double>(), elements_.smallest_damping_time = in.get<double>();
  spectral_limit_.load(in, mesh_.node_slots());
  step_control_.load(in);
  sleep_.load(in, mesh_, contacts_.rigid(), state_);
  contacts_.rigid().follow_sleep(sleep_.asleep());
  for (Stiffness* s : {&resting_bound_, &resting_body_}) {
    s->elastic = in.get<double>(), s->viscous = in.get<double>(), s->smallest_ratio = in.get<double>();
  }
  if (fast_forces_) {
    fracture_.on() ? fast_forces_->load(in) : fast_forces_->refresh();
  }
  contacts_.load(in);
  bodies_->load(in, mesh_);
}

void TetSolver::load_motion(Reader& in) {
  read_motion(in, false);
  steps_ = 0, restless_until_ = 0;
  resting_bound_ = resting_body_ = {};
  if (fast_forces_) fast_forces_->refresh();
  spectral_limit_.forget();
  contacts_.follow_sleep(sleep_.asleep(), state_.position, state_.velocity, 0);
  bodies_->forget();
  step_control_ = StepControl(parameters_.scheme, parameters_.safety);
  start_step_control();
}

// `same`: into the run that it was saved from.
void TetSolver::read_motion(Reader& in, bool same) {
  sleep_.forget();
  time_ = in.get<double>(), last_dt_ = in.get<double>(), dissipated_ = in.get<double>();
  debris_.load(in);
  if (in.get<std::uint8_t>() != 0) load_mesh(in);
  shedding_.load(in, mesh_), dust_.load(in, same, body_names_.size());
  if (in.get<std::uint8_t>() != 0) load_plastic(in);
  in.get_into(state_.position.span());
  in.get_into(state_.velocity.span());
  contacts_.load_motion(in, same, time_);
  load_reactions(in, reactions_);
}

}  // namespace sunder::tet_oh99
