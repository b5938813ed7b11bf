#include "solvers/tet_oh99/tet_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/hash.h"
#include "core/parallel.h"
#include "mesh/boundary.h"

namespace sunder::tet_oh99 {
namespace {

constexpr std::size_t kChunk = 1024;  // nodes summed by one task

// Looking at the elements' stretch, for the bound on the step, costs a third of a force evaluation. A calm body is
// looked at every few steps; one whose bound moves, or that has just touched something, at every step for a while.
constexpr std::uint64_t kMeasureInterval = 8, kRestlessSteps = 16;
constexpr double kCalmChange = 0.01;

// The mean edge of the body with the shortest, m.
double finest_edge(const TetMesh& mesh, std::size_t bodies) {
  std::vector<double> sum(bodies, 0), count(bodies, 0);
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t)) continue;
    sum[mesh.tags(t).body] += mean_edge(mesh.material_corners(t));
    ++count[mesh.tags(t).body];
  }
  double finest = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < bodies; ++b) {
    if (count[b] > 0) finest = std::min(finest, sum[b] / count[b]);
  }
  return finest;
}

}  // namespace

TetSolver::TetSolver(TetSetup setup)
    : mesh_(std::move(setup.mesh)),
      body_names_(std::move(setup.body_names)),
      materials_(std::move(setup.materials)),
      parameters_(setup.parameters),
      elements_(element_constants(mesh_, materials_, parameters_.damping)),
      internal_forces_(mesh_, materials_, elements_),
      contacts_(std::move(setup.colliders)),
      bodies_(make_between_bodies(parameters_.contact, finest_edge(mesh_, body_names_.size()))),
      regions_(std::move(setup.regions)),
      upkeep_(materials_, parameters_.damping),
      plastic_(mesh_, materials_, parameters_.damping),
      fracture_(parameters_.fracture, std::move(setup.toughness), mesh_, materials_, elements_),
      step_control_(parameters_.scheme, parameters_.safety),
      state_(std::move(setup.state)) {
  if (std::all_of(materials_.begin(), materials_.end(), [](const TetMaterial& m) { return m.isotropic; })) {
    fast_forces_.emplace(mesh_, materials_, elements_);
  }
  if (fast_forces_ && fracture_.on()) fracture_.set_limits(*fast_forces_);
  masses_.mass = lumped_masses(mesh_, materials_);
  for (const double m : masses_.mass) masses_.inverse.push_back(m > 0 ? 1 / m : 0);
  regions_.bind(mesh_);
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    reactions_.push_back({.name = regions_[r].name, .kind = kind_name(regions_[r].kind)});
  }
  for (const Collider& c : contacts_.colliders()) reactions_.push_back({.name = c.name, .kind = "collider"});
  for (const RigidBodies::RopePull& rope : contacts_.rigid().ropes()) {
    reactions_.push_back({.name = contacts_.colliders()[rope.collider].name, .kind = "rope"});
  }
  fragments_.update(mesh_);
  masses_.stiffness = node_stiffness(mesh_, materials_, elements_);
  contacts_.set_surface(boundary_nodes(boundary_faces(mesh_)), masses_.stiffness, masses_.mass);
  regions_.start_supports(state_.velocity);
  start_step_control();
  if (!parameters_.dt && !(stable_dt() > 0)) {
    throw SimulationError(
        "no step is stable: forward-euler needs viscosity in every material and damping in every collider\n"
        "  use integrator = \"symplectic-euler\", give the materials phi and psi, or set dt yourself");
  }
}

void TetSolver::start_step_control() {
  find_contacts(0);
  take_bound(find_internal_forces(state_, force_, true));
  control_step();
}

StepReport TetSolver::step(double dt) {
  if (plastic_.on()) flow();
  bool measure = steps_ < restless_until_ || steps_ % kMeasureInterval == 0;
  if (fracture_.on()) fracture_.set_time(time_, fast_forces_ ? &*fast_forces_ : nullptr);
  if (fast_forces_) fast_forces_->watch(fracture_.on());
  ForceReport internal = find_internal_forces(state_, force_, measure);  // OH99 (1), (3), (4), (7), (8), (27)
  if (fast_forces_) fast_forces_->watch(false);
  const bool broke = fracture_.on() && break_nodes();  // (28) to (32), 4.3
  find_contacts(last_dt_);                             // 3.3
  if (broke) {
    measure = true;
    internal = find_internal_forces(state_, force_, measure);
    take_bound(internal);
    control_step();
    dt = std::min(dt, stable_dt());
  }
  if (!parameters_.dt) dt = std::min(dt, step_control_.safe_dt(bound_, contact_limits()));
  const bool outran_contact = dt > contact_limits().longest;
  contacts_.add_forces(state_.velocity, force_);
  bodies_->add_forces(state_.velocity, force_);
  regions_.add_loads(time_, state_.position, state_.velocity, force_);
  const double kick = kick_time(parameters_.scheme, last_dt_, dt);
  regions_.constrain(time_, kick, masses_.mass, parameters_.gravity, state_.velocity, force_);
  if (parameters_.scheme == Scheme::taylor2) find_jerk();

  integrate(parameters_.scheme, {force_, masses_.inverse, parameters_.gravity}, jerk_, kick, dt, state_);
  contacts_.move_colliders(time_ + dt, parameters_.gravity, kick, dt);
  time_ += dt;
  last_dt_ = dt;
  ++steps_;
  dissipated_ += kick * internal.viscous_power;
  account(kick);
  if (measure) take_bound(internal);
  control_step();
  // Every node's position and velocity enter the dissipation, so one number tells whether all are finite.
  return {dt, internal.inverted, std::isfinite(dissipated_) && contacts_.rigid().finite(), outran_contact};
}

TouchingBodies TetSolver::touching_bodies() const {
  return {mesh_, state_.position, state_.velocity, masses_.mass, masses_.stiffness};
}

void TetSolver::find_contacts(double last_dt) {
  const std::size_t touching = contacts_.touching() + bodies_->touching();
  contacts_.find(state_.position, state_.velocity, last_dt);
  bodies_->find(touching_bodies(), last_dt);
  if (contacts_.touching() + bodies_->touching() > touching) restless_until_ = steps_ + kRestlessSteps;
}

// m: an altitude of the thinnest tet.
double TetSolver::thinnest() const { return 1 / std::sqrt(elements_.largest_gradient_square); }

// A node may touch a collider and another body at once: the bounds add up.
ColliderContacts::Limits TetSolver::contact_limits() const {
  const ColliderContacts::Limits a = contacts_.limits(thinnest()), b = bodies_->limits();
  return {a.elastic + b.elastic, a.viscous + b.viscous, std::min(a.smallest_ratio, b.smallest_ratio),
          std::min(a.longest, b.longest)};
}

// Lets what has yielded flow, and brings up to date what hangs on the rest shapes.
void TetSolver::flow() {
  const double lost = plastic_.run(state_, centring(), elements_);
  plastic_work_ += lost;
  dissipated_ += lost;
  if (plastic_.flowed().empty()) return;
  if (fast_forces_) fast_forces_->reshape(plastic_.flowed());
  if (fracture_.on()) fracture_.reshaped(plastic_.flowed(), fast_forces_ ? &*fast_forces_ : nullptr);
}

// Splits what fails, and brings up to date what hangs on the mesh. The forces must be found anew after it.
bool TetSolver::break_nodes() {
  const ElementUpkeep::Data data = {mesh_, state_, elements_, masses_, contacts_, *bodies_, regions_, fragments_};
  const std::size_t splits =
      fracture_.run(steps_, time_, state_, fast_forces_ ? &*fast_forces_ : nullptr,
                    [&](const SplitResult& result) { dissipated_ += upkeep_.after_split(result, data); });
  if (splits == 0) return false;
  if (fast_forces_) fast_forces_->update();
  internal_forces_.refresh();
  spectral_limit_.forget();
  step_control_.forget_body();
  restless_until_ = steps_ + kRestlessSteps;
  return true;
}

ForceReport TetSolver::find_internal_forces(const NodeState& state, Column<NodeId, Vec3>& force, bool measure) {
  return fast_forces_ ? fast_forces_->evaluate(state, force, measure) : internal_forces_.evaluate(state, force);
}

void TetSolver::find_jerk() {
  acceleration_.resize(force_.size());
  const Push push = {force_, masses_.inverse, parameters_.gravity};
  parallel_for(force_.size(), [&](std::size_t i) { acceleration_[NodeId(i)] = push.acceleration(NodeId(i)); });
  internal_forces_.evaluate_rate(state_, acceleration_, jerk_);
  contacts_.add_force_rates(state_.velocity, acceleration_, jerk_);
  bodies_->add_force_rates(state_.velocity, acceleration_, jerk_);
  regions_.add_load_rates(time_, state_.position, state_.velocity, jerk_);
  parallel_for(jerk_.size(), [&](std::size_t i) { jerk_[NodeId(i)] *= masses_.inverse[NodeId(i)]; });
  regions_.constrain_jerk(time_, jerk_);
}

void TetSolver::account(double dt) {
  regions_.account(dt, state_.velocity, reactions_);
  const ColliderContacts::Booking& contact = contacts_.account(dt, state_.velocity);
  std::size_t row = regions_.size();
  for (std::size_t c = 0; c < contact.force.size(); ++c) {
    book(reactions_[row++], contact.force[c], contact.work[c], dt);
  }
  for (const RigidBodies::RopePull& rope : contacts_.rigid().ropes()) book(reactions_[row++], rope.force, 0, dt);
  dissipated_ += contact.dissipated + bodies_->account(dt, state_.velocity);
}

void TetSolver::take_bound(const ForceReport& internal) {
  if (std::abs(internal.elastic_eigen - bound_.elastic) > kCalmChange * bound_.elastic) {
    restless_until_ = steps_ + kRestlessSteps;
  }
  bound_ = {internal.elastic_eigen, internal.viscous_eigen, elements_.smallest_damping_time};
}

void TetSolver::control_step() {
  const double length = thinnest();
  const auto assembled = [&](double dt, int iterations) {
    return spectral_limit_.estimate(
        state_, masses_.mass, dt, length, iterations,
        [&](const NodeState& state, Column<NodeId, Vec3>& force) { find_internal_forces(state, force, false); });
  };
  step_control_.update(bound_, contact_limits(), assembled);
}

double TetSolver::stable_dt() const { return parameters_.dt.value_or(step_control_.dt()); }

FastestNode TetSolver::fastest_node() const {
  FastestNode result;
  TetId tet;
  NodeId node;
  double fastest = -1;
  for (const TetId t : id_range<TetId>(mesh_.tet_slots())) {
    if (!mesh_.alive(t)) continue;
    for (const NodeId n : mesh_.corners(t)) {
      const bool finite = state_.position[n].allFinite() && state_.velocity[n].allFinite();
      const double speed = finite ? state_.velocity[n].stableNorm() : std::numeric_limits<double>::infinity();
      if (speed > fastest) tet = t, node = n, fastest = speed;
    }
  }
  if (!tet.valid()) return result;
  result.body = body_names_[mesh_.tags(tet).body];
  result.node = mesh_.uid(node);
  result.rest = mesh_.material_position(node);
  result.position = state_.position[node];
  result.speed = fastest;
  return result;
}

// Symplectic Euler from (p_n, v_n) is leapfrog in disguise: v_n belongs to the time of p_n - dt/2 v_n. Energies taken
// there are right to second order, and gravity's and free flight's to round-off. The other schemes need no shift.
double TetSolver::centring() const { return parameters_.scheme == Scheme::symplectic_euler ? 0.5 * last_dt_ : 0; }

Column<NodeId, Vec3> TetSolver::centred_positions() const {
  Column<NodeId, Vec3> x(mesh_.node_slots());
  const double half = centring();
  parallel_for(x.size(), [&](std::size_t i) {
    const NodeId n(i);
    x[n] = state_.position[n] - half * state_.velocity[n];
  });
  return x;
}

template <class Value>
double TetSolver::sum_over_nodes(Value&& value) const {
  return parallel_sum(mesh_.node_slots(), kChunk, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) sum += masses_.mass[NodeId(i)] * value(NodeId(i));
    return sum;
  });
}

double TetSolver::kinetic_energy() const {
  return sum_over_nodes([&](NodeId n) { return 0.5 * state_.velocity[n].squaredNorm(); }) +
         contacts_.rigid().kinetic_energy();
}

Totals TetSolver::totals() const {
  const Column<NodeId, Vec3> x = centred_positions();
  Totals t;
  t.nodes = mesh_.node_count();
  t.elements = mesh_.tet_count();
  t.fragments = fragments_.count();
  const CrackCounts& cracks = fracture_.counts();
  t.crack_area = cracks.area;
  t.splits = cracks.splits, t.refused_splits = cracks.refused, t.hard_snapped_splits = cracks.hard_snapped;
  const RigidBodies& rigid = contacts_.rigid();
  t.mass = sum_over_nodes([](NodeId) { return 1.0; }) + rigid.mass();
  for (int a = 0; a < 3; ++a) t.momentum[a] = sum_over_nodes([&](NodeId n) { return state_.velocity[n][a]; });
  t.momentum += rigid.momentum();
  t.kinetic = kinetic_energy();
  t.gravity = sum_over_nodes([&](NodeId n) { return -parameters_.gravity.dot(x[n]); }) +
              rigid.gravity_energy(parameters_.gravity, 0.5 * last_dt_);  // they leap, whatever the scheme
  t.elastic = internal_forces_.elastic_energy(x);
  // find() was at the positions before the step; where the shift is nothing, they have moved on by a whole step
  const double since = last_dt_ - centring();
  t.contact = contacts_.energy(x, state_.velocity, since, centring()) + bodies_->energy(x, state_.velocity, since);
  t.dissipated = dissipated_;
  t.plastic = plastic_work_;
  return t;
}

void TetSolver::prepare_frame() {
  compact();
  for (const NewFragment& fresh : fragments_.update(mesh_))
    fracture_.log().fragments.push_back({fresh.id, fresh.parent});
  Journal::Mark read = fragments_.mark().value_or(0);
  if (fast_forces_) read = std::min(read, fast_forces_->mark());
  if (bodies_->mark()) read = std::min(read, *bodies_->mark());
  mesh_.journal().forget(read);
}

// Closes the holes that splits have left among the tets. They leave none among the nodes.
void TetSolver::compact() {
  constexpr std::size_t kHoles = 4;  // one over the share of the slots at which it is worth it
  const std::size_t slots = mesh_.tet_slots();
  if (kHoles * (slots - mesh_.tet_count()) < slots) return;
  const TetMesh::Renumbering map = mesh_.compact();
  renumber_tets(map.tet, elements_);
  regions_.renumber_tets(map.tet, mesh_);
  fracture_.renumber_tets(map.tet);
  refresh_forces();
}

void TetSolver::begin_frame() {
  fracture_.log() = {};
  for (Reaction& r : reactions_) {
    r.impulse.setZero();
    r.peak = 0;
  }
}

// What the boundary faces know of their shapes, if there is anything.
static void snapshot_skin(const TetMesh& mesh, Frame& frame) {
  size_skin(frame, mesh.has_skin() ? mesh.tet_count() : 0, mesh.skin_contents());
  if (!mesh.has_skin()) return;
  std::size_t row = 0;
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t)) continue;
    for (std::size_t face = 0; face < 4; ++face) {
      if (const FaceSkin* skin = mesh.skin({t, static_cast<int>(face)})) put_skin(frame, row, face, *skin);
    }
    ++row;
  }
}

std::vector<RigidPose> TetSolver::poses() const {
  std::vector<RigidPose> poses;
  const RigidBodies& rigid = contacts_.rigid();
  for (std::size_t c = 0; c < rigid.colliders().size(); ++c) {
    const Collider& collider = rigid.colliders()[c];
    RigidPose pose{.name = collider.name,
                   .kind = kind_name(collider.shape),
                   .position = collider.position,
                   .rotation = collider.rotation,
                   .velocity = rigid.velocity_at(c, collider.position),
                   .spin = rigid.spin(c)};
    if (const auto* ground = std::get_if<GroundCollider>(&collider.shape)) pose.position = Vec3(0, ground->height, 0);
    poses.push_back(std::move(pose));
  }
  return poses;
}

void TetSolver::snapshot(Frame& frame) const {
  frame.time = time_;
  const std::size_t nodes = mesh_.node_count(), tets = mesh_.tet_count();
  for (auto* column : {&frame.position, &frame.rest, &frame.velocity}) {
    column->clear();
    column->reserve(nodes);
  }
  frame.node_uid.clear();
  std::vector<std::uint32_t> place(mesh_.node_slots());
  for (const NodeId n : id_range<NodeId>(mesh_.node_slots())) {
    if (!mesh_.alive(n)) continue;
    place[n.index] = static_cast<std::uint32_t>(frame.position.size());
    frame.position.push_back(state_.position[n]);
    frame.rest.push_back(mesh_.material_position(n));
    frame.velocity.push_back(state_.velocity[n]);
    frame.node_uid.push_back(mesh_.uid(n));
  }
  Column<TetId, double> stress;
  internal_forces_.principal_stress(state_, stress);
  frame.tets.clear(), frame.body.clear(), frame.fragment.clear(), frame.material.clear();
  frame.tet_uid.clear(), frame.stress.clear(), frame.crack_faces.clear(), frame.plastic_strain.clear();
  frame.tets.reserve(tets);
  for (const TetId t : id_range<TetId>(mesh_.tet_slots())) {
    if (!mesh_.alive(t)) continue;
    const auto& c = mesh_.corners(t);
    frame.tets.push_back({place[c[0].index], place[c[1].index], place[c[2].index], place[c[3].index]});
    frame.body.push_back(mesh_.tags(t).body);
    frame.fragment.push_back(fragments_.label(mesh_.uid(t)));
    frame.material.push_back(mesh_.tags(t).material);
    frame.tet_uid.push_back(mesh_.uid(t));
    frame.stress.push_back(stress[t]);
    frame.crack_faces.push_back(mesh_.crack_faces(t));
    if (plastic_.on()) frame.plastic_strain.push_back(elements_.plastic.strain[t]);
  }
  snapshot_skin(mesh_, frame);
}

double TetSolver::hot_bytes_per_tet() const {
  const auto tets = static_cast<double>(mesh_.tet_count()), nodes = static_cast<double>(mesh_.node_count());
  const double node_bytes = 3 * sizeof(Vec3) + sizeof(double);  // position, velocity, force, inverse mass
  const double element_bytes = fast_forces_ ? static_cast<double>(fast_forces_->hot_bytes()) / tets
                                            : sizeof(Mat3) + 2 * sizeof(double) + 4 * sizeof(Vec3);
  return element_bytes + node_bytes * nodes / tets;
}

std::uint64_t TetSolver::state_hash() const {
  Hash64 hash;
  hash.add(flat(state_.position.span()));
  hash.add(flat(state_.velocity.span()));
  for (const TetId t : id_range<TetId>(mesh_.tet_slots())) {
    if (!mesh_.alive(t)) continue;
    hash.add(mesh_.uid(t));
    for (const NodeId n : mesh_.corners(t)) hash.add(mesh_.uid(n));
  }
  if (plastic_.on()) {
    for (const TetId t : id_range<TetId>(mesh_.tet_slots())) {
      if (mesh_.alive(t)) hash.add(std::span<const double>(elements_.plastic.deformation[t].data(), 9));
    }
  }
  contacts_.rigid().add_to(hash);
  return hash.value();
}

}  // namespace sunder::tet_oh99
