#include "solvers/tet_oh99/tet_solver.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "mesh/boundary.h"
#include "solvers/records.h"

namespace sunder::tet_oh99 {
namespace {

// Looking at the elements' stretch, for the bound on the step, costs a third of a force evaluation. A calm body is
// looked at every few steps; one whose bound moves, or that has just touched something, at every step for a while
// (kRestlessSteps).
constexpr std::uint64_t kMeasureInterval = 8;
constexpr double kCalmChange = 0.01;
constexpr int kFreshIterations = 60;  // of the assembled body's fastest mode, when those who woke have no part in it

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
      sleep_(parameters_.contact.sleep,
             automatic_sleep_speed(parameters_.gravity, finest_edge(mesh_, body_names_.size()))),
      debris_(parameters_.debris, mesh_, body_names_.size()),
      shedding_(parameters_.dust, materials_, mesh_),
      dust_(contacts_.colliders().size()),
      upkeep_(materials_, parameters_.damping),
      plastic_(mesh_, materials_, parameters_.damping),
      fracture_(parameters_.fracture, std::move(setup.toughness), mesh_, materials_, elements_),
      step_control_(parameters_.scheme, parameters_.safety),
      state_(std::move(setup.state)) {
  if (std::all_of(materials_.begin(), materials_.end(), [](const TetMaterial& m) { return m.isotropic; })) {
    fast_forces_.emplace(mesh_, materials_, elements_);
    fast_forces_->leave_out(&sleep_.asleep());
  }
  fracture_.leave_out(&sleep_.asleep());
  plastic_.leave_out(&sleep_.asleep());
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

double TetSolver::begin_step(double dt) {
  if (plastic_.on()) flow();
  measured_ = steps_ < restless_until_ || steps_ % kMeasureInterval == 0;
  if (fracture_.on()) fracture_.set_time(time_, fast_forces_ ? &*fast_forces_ : nullptr);
  if (fast_forces_) fast_forces_->watch(fracture_.on());
  internal_ = find_internal_forces(state_, force_, measured_);  // OH99 (1), (3), (4), (7), (8), (27)
  if (fast_forces_) fast_forces_->watch(false);
  const bool broke = fracture_.on() && break_nodes();  // (28) to (32), 4.3
  find_contacts(last_dt_);                             // 3.3
  const bool touched = sleep_.wake_touched(contacts_, *bodies_, regions_, time_);
  const bool woke = sleep_.wake(disturbed_, disturbed_colliders_, time_) || touched;
  pushed_.swap(disturbed_), pushed_colliders_.swap(disturbed_colliders_);
  disturbed_.clear(), disturbed_colliders_.clear();
  if (woke) wake();
  if (broke || woke) {
    measured_ = true;
    internal_ = find_internal_forces(state_, force_, measured_);
    take_bound(internal_);
    control_step();
  }
  if (parameters_.dt) return dt;
  if (broke || woke) dt = std::min(dt, stable_dt());
  return std::min(dt, step_control_.safe_dt(bound_, contact_limits()));
}

void TetSolver::add_contact_forces(double) {
  contacts_.add_forces(state_.velocity, force_);
  bodies_->add_forces(state_.velocity, force_);
}

StepReport TetSolver::finish_step(double dt) {
  const bool outran_contact = dt > contact_limits().longest;
  sleep_.put_kept_forces(force_);
  regions_.add_loads(time_, state_.position, state_.velocity, force_);
  const double kick = this->kick(dt);
  regions_.constrain(time_, kick, masses_.mass, parameters_.gravity, state_.velocity, force_);
  if (parameters_.scheme == Scheme::taylor2) find_jerk();

  integrate(parameters_.scheme, {force_, masses_.inverse, parameters_.gravity}, jerk_, kick, dt,
            sleep_.moving(state_.position.size()), state_);
  dissipated_ += dust_.fly(parameters_.gravity, kick, dt, contacts_.rigid());
  contacts_.move_colliders(time_ + dt, parameters_.gravity, kick, dt);
  time_ += dt;
  last_dt_ = dt;
  ++steps_;
  dissipated_ += kick * internal_.viscous_power;
  account(kick);
  if (measured_) take_bound(internal_);
  control_step();
  // Every node's position and velocity enter the dissipation, so one number tells whether all are finite.
  return {dt, internal_.inverted, std::isfinite(dissipated_) && contacts_.rigid().finite(), outran_contact};
}

double TetSolver::kick(double dt) const { return kick_time(parameters_.scheme, last_dt_, dt); }

Touchable TetSolver::touchable() {
  if (skin_.empty() || skin_mark_ != mesh_.journal().now()) {
    skin_.clear();
    for (const BoundaryFace& face : boundary_faces(mesh_)) skin_.push_back(face.nodes);
    skin_mark_ = mesh_.journal().now();
  }
  return {state_.position, state_.velocity, masses_.mass, masses_.stiffness, force_, {}, skin_, skin_mark_};
}

void TetSolver::disturb(std::span<const NodeId> nodes) {
  disturbed_.insert(disturbed_.end(), nodes.begin(), nodes.end());
}

void TetSolver::disturb_colliders(std::span<const std::uint32_t> colliders) {
  disturbed_colliders_.insert(disturbed_colliders_.end(), colliders.begin(), colliders.end());
}

TouchingBodies TetSolver::touching_bodies() const {
  return {mesh_, state_.position, state_.velocity, masses_.mass, masses_.stiffness, &sleep_.asleep()};
}

void TetSolver::find_contacts(double last_dt) {
  const std::size_t touching = contacts_.touching() + bodies_->touching();
  contacts_.find(state_.position, state_.velocity, last_dt, &sleep_.asleep());
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
  const ElementUpkeep::Data data = {mesh_,    state_,     elements_, masses_, contacts_,           *bodies_,
                                    regions_, fragments_, shedding_, dust_,   parameters_.gravity, centring()};
  const std::size_t splits =
      fracture_.run(steps_, time_, state_, fast_forces_ ? &*fast_forces_ : nullptr, [&](const SplitResult& result) {
        const ElementUpkeep::Booking booking = upkeep_.after_split(result, data);
        dissipated_ += booking.lost;
        CrackEvent& event = fracture_.log().cracks.back();
        event.grains = booking.shed.grains, event.dust_mass = booking.shed.mass;
      });
  if (splits == 0) return false;
  dissipated_ -= shedding_.recoil(masses_.inverse, state_.velocity);
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
    book(reactions_[row++], contact.force[c] + dust_.force()[c], contact.work[c] + dust_.work()[c], dt);
  }
  for (const RigidBodies::RopePull& rope : contacts_.rigid().ropes()) book(reactions_[row++], rope.force, 0, dt);
  dissipated_ += contact.dissipated + bodies_->account(dt, state_.velocity);
}

void TetSolver::take_bound(const ForceReport& internal) {
  const double lighter = 1 / shedding_.least_kept();
  const double elastic = std::max(lighter * internal.elastic_eigen, resting_bound_.elastic);
  if (std::abs(elastic - bound_.elastic) > kCalmChange * bound_.elastic) {
    restless_until_ = steps_ + kRestlessSteps;
  }
  bound_ = {elastic, std::max(lighter * internal.viscous_eigen, resting_bound_.viscous),
            elements_.smallest_damping_time};
}

void TetSolver::control_step() {
  const double length = thinnest();
  const auto assembled = [&](double dt, int iterations) {
    if (!spectral_limit_.started()) iterations = std::max(iterations, kFreshIterations);
    Stiffness found = spectral_limit_.estimate(
        state_, masses_.mass, dt, length, iterations,
        [&](const NodeState& state, Column<NodeId, Vec3>& force) { find_internal_forces(state, force, false); });
    found.elastic = std::max(found.elastic, resting_body_.elastic);
    found.viscous = std::max(found.viscous, resting_body_.viscous);
    return found;
  };
  step_control_.update(bound_, contact_limits(), assembled);
}

double TetSolver::stable_dt() const { return parameters_.dt.value_or(step_control_.dt()); }

}  // namespace sunder::tet_oh99
