#include "solvers/lattice_norton91/lattice_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/error.h"
#include "core/keyframes.h"
#include "core/parallel.h"
#include "core/rotation.h"
#include "solvers/lattice_norton91/fastest_vibration.h"
#include "solvers/records.h"

namespace sunder::lattice_norton91 {
namespace {

constexpr double kGroundStiffness = 5;  // colliders, over the softest edge bond at the node: they never were one solid

// m, to the nearest neighbour, of the body where that is least on average.
double finest_edge(const Lattice& lattice, std::size_t bodies) {
  std::vector<double> sum(bodies, 0), count(bodies, 0);
  for (std::size_t n = 0; n < lattice.node_count(); ++n) {
    sum[lattice.node_body[n]] += 2 * lattice.radius[n], count[lattice.node_body[n]] += 1;
  }
  double finest = std::numeric_limits<double>::infinity();
  for (std::size_t b = 0; b < bodies; ++b) finest = std::min(finest, sum[b] / count[b]);
  return finest;
}

}  // namespace

LatticeSolver::LatticeSolver(LatticeSetup setup)
    : parameters_(std::move(setup.parameters)),
      lattice_(make_lattice(setup.bodies)),
      weakness_(setup.bodies, lattice_),
      fastest_(fastest_vibrations(lattice_, setup.bodies.size())),
      breakage_(lattice_, parameters_.keep),
      regions_(std::move(setup.regions)),
      pressed_faces_(lattice_, regions_),
      node_contacts_(lattice_, parameters_.contact),
      colliders_(std::move(setup.colliders)),
      flight_(lattice_),
      sleep_(parameters_.sleep, automatic_sleep_speed(parameters_.gravity, finest_edge(lattice_, setup.bodies.size())),
             lattice_.node_count()),
      clearance_(lattice_) {
  if (parameters_.contact.stiffness > 1) {
    throw InputError({}, "contact would be stiffer than the bonds: what breaks would fly apart by itself",
                     "make it at most as stiff as the softest edge bond");
  }
  for (std::size_t b = 0; b < setup.bodies.size(); ++b) {
    const LatticeMaterial& material = setup.bodies[b].material;
    const double omega = std::sqrt(fastest_[b]);
    body_names_.push_back(setup.bodies[b].name);
    double ratio = material.damping;
    damping_time_.push_back(2 * ratio / omega);           // beta = 2 zeta / omega_max
    if (material.springs && material.springs->damping) {  // beta = d / k
      damping_time_.back() = *material.springs->damping / material.springs->edge;
      ratio = 0.5 * damping_time_.back() * omega;
    }
    largest_damping_ = std::max(largest_damping_, ratio);
  }
  weakness_.set(0, lattice_);
  bond_forces_ = BondForces(lattice_, damping_time_);
  const std::size_t nodes = lattice_.node_count();
  position_ = lattice_.rest;
  velocity_.assign(nodes, Vec3::Zero());
  force_.assign(nodes, Vec3::Zero());
  lossy_.assign(nodes, Vec3::Zero());
  turn_.assign(nodes, Eigen::Quaterniond::Identity());
  std::vector<Vec3> centre(setup.bodies.size(), Vec3::Zero());
  std::vector<double> mass(setup.bodies.size(), 0);
  for (const NodeId n : id_range<NodeId>(nodes)) {
    const Index b = lattice_.node_body[n.index];
    centre[b] += lattice_.mass[n] * position_[n];
    mass[b] += lattice_.mass[n];
  }
  std::vector<NodeId> all;
  Column<NodeId, double> stiffness(nodes, 0);
  for (const NodeId n : id_range<NodeId>(nodes)) {
    const Index b = lattice_.node_body[n.index];
    const LatticeBody& body = setup.bodies[b];
    velocity_[n] = body.velocity + body.spin.cross(position_[n] - centre[b] / mass[b]);
    stiffness[n] = kGroundStiffness * lattice_.least_edge[n];
    all.push_back(n);
  }
  colliders_.set_surface(all, stiffness, lattice_.mass);
  regions_.start_supports(velocity_);
  for (std::size_t r = 0; r < regions_.size(); ++r) {
    reactions_.push_back({.name = regions_[r].name, .kind = kind_name(regions_[r].kind)});
  }
  for (const Collider& c : colliders_.colliders()) reactions_.push_back({.name = c.name, .kind = "collider"});
  for (const RigidBodies::RopePull& rope : colliders_.rigid().ropes()) {
    reactions_.push_back({.name = colliders_.colliders()[rope.collider].name, .kind = "rope"});
  }
  if (!parameters_.controls.empty()) reactions_.push_back({.name = "control", .kind = "control"});
  control_ = control_at(0);
  log_.fragments = components_.update(lattice_, breakage_);
  idle_.update(flight_, sleep_, nodes);
  node_contacts_.find(lattice_, breakage_, components_, position_, idle_, true);
  colliders_.find(position_, velocity_, 0);
  limit_ = find_limit();
  if (!parameters_.dt && !(stable_dt() > 0)) {
    throw SimulationError(
        "no step is stable: forward-euler needs damping in every body\n"
        "  use integrator = \"symplectic-euler\", give the lattices damping, or set dt yourself");
  }
}

double LatticeSolver::begin_step(double dt) {
  follow_controls();
  if (weakness_.set(time_, lattice_)) bond_forces_.follow_thresholds(lattice_, breakage_);
  if (parameters_.flight) follow_flight();
  if (sleep_.wake_disturbed()) wake();
  const BondControl control{control_.stiffness, control_.length};
  const auto evaluate_bonds = [&]() -> const BondForces::Report& {
    return bond_forces_.evaluate(lattice_, position_, velocity_, control, force_, lossy_);
  };
  const BondForces::Report& bonds = evaluate_bonds();
  if (!bonds.done.empty()) retire(bonds.done);
  if (!bonds.overstretched.empty() && break_bonds(bonds.overstretched)) evaluate_bonds();
  const auto find_near_nodes = [&] {
    node_contacts_.find(lattice_, breakage_, components_, position_, idle_, std::exchange(components_changed_, false));
  };
  find_near_nodes();
  colliders_.find(position_, velocity_, last_dt_, &idle_.asleep());
  if (sleep_.any() && sleep_.wake_touched(colliders_, node_contacts_, position_)) {
    wake();
    evaluate_bonds();
    find_near_nodes();
  }
  return parameters_.dt ? dt : std::min(dt, parameters_.safety * find_limit());
}

void LatticeSolver::add_contact_forces(double dt) {
  node_contacts_.add_forces(lattice_, position_, velocity_, control_.stiffness, dt, force_, lossy_);
  colliders_.add_forces(velocity_, force_);
}

StepReport LatticeSolver::finish_step(double dt) {
  regions_.add_loads(time_, position_, velocity_, force_);
  regions_.constrain(time_, dt, lattice_.mass, control_.gravity * parameters_.gravity, velocity_, force_);
  const bool fell = look_for_sleep();
  dissipated_ -= integrate(dt);
  colliders_.move_colliders(time_ + dt, control_.gravity * parameters_.gravity, dt, dt);
  time_ += dt;
  last_dt_ = dt;
  account(dt);
  if (fell) fall_asleep();
  limit_ = find_limit();
  StepReport report;
  report.dt = dt;
  report.finite = std::isfinite(dissipated_) && std::isfinite(kinetic_energy()) && colliders_.rigid().finite();
  report.outran_contact = dt > colliders_.limits().longest;
  return report;
}

// V' = V + dt F / m, R' = R + dt V (the paper's), or R' = R + dt V' (symplectic)
// Returns what the lossy forces did, J: a force F changes the kinetic energy by dt F.(V + V')/2, exactly.
double LatticeSolver::integrate(double dt) {
  constexpr std::size_t kChunk = 1024;
  const Vec3 gravity = control_.gravity * parameters_.gravity;
  const bool forward = parameters_.scheme == Scheme::forward_euler;
  flight_.advance(dt, gravity, forward);
  const std::span<const Index> awake = idle_.awake();
  return parallel_sum(awake.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    double work = 0;
    for (std::size_t i = begin; i < end; ++i) {
      const NodeId n(awake[i]);
      const Vec3 before = velocity_[n];
      velocity_[n] += dt * (force_[n] / lattice_.mass[n] + gravity);
      position_[n] += dt * (forward ? before : velocity_[n]);
      work += 0.5 * dt * lossy_[n].dot(before + velocity_[n]);
    }
    return work;
  });
}

bool LatticeSolver::break_bonds(std::vector<OverstretchedBond> overstretched) {
  const auto stretch = [&](Index b) {
    const auto& [i, j] = lattice_.ends[b];
    return (position_[NodeId(j)] - position_[NodeId(i)]).norm() - control_.length * lattice_.length[b];
  };
  const auto pressed = [&](Index b) { return stretch(b) < 0; };
  const auto remember_turns = [&](Index cell) {
    for (const Index n : lattice_.corners[cell]) turn_[n] = turn_of(n);
  };
  const auto events = breakage_.run(lattice_, std::move(overstretched), pressed, remember_turns);
  if (events.empty()) return false;
  for (const Breakage::Event& event : events) {
    const Index first = event.first.bond;
    const NodeId a(lattice_.ends[first][0]), b(lattice_.ends[first][1]);
    const double stiffness = control_.stiffness * lattice_.stiffness[first];
    CrackEvent crack;
    crack.time = time_;
    crack.node = a.index + Uid{1};
    crack.eigenvalue = stiffness * stretch(first);
    crack.toughness = crack.eigenvalue / event.first.ratio;
    crack.position = (position_[a] + position_[b]) / 2;
    crack.rest = (lattice_.rest[a] + lattice_.rest[b]) / 2;
    crack.normal = (position_[b] - position_[a]).normalized();
    crack.tets_before = event.cells;
    const auto broke = [&](Index bond) {
      crack.area += lattice_.area[bond];
      if (lattice_.area[bond] > 0) ++crack.crack_faces;
      const double s = stretch(bond);
      // What a stretched bond held is gone; one that is pressed goes on pushing.
      if (s > 0) dissipated_ += 0.5 * control_.stiffness * lattice_.stiffness[bond] * s * s;
    };
    broke(first);
    for (const Index bond : event.closed) broke(bond);
    bond_forces_.follow(breakage_, {&first, 1});
    bond_forces_.follow(breakage_, event.closed);
    crack_area_ += crack.area;
    ++breaks_;
    log_.cracks.push_back(crack);
  }
  const auto fresh = components_.update(lattice_, breakage_);
  log_.fragments.insert(log_.fragments.end(), fresh.begin(), fresh.end());
  components_changed_ = true;
  pressed_faces_.follow(breakage_, regions_);
  return true;
}

void LatticeSolver::retire(const std::vector<Index>& bonds) {
  for (const Index b : bonds) breakage_.retire(b);
  bond_forces_.follow(breakage_, bonds);
  components_changed_ = true;  // their contact begins
}

ControlKeyframe LatticeSolver::control_at(double time) const {
  if (parameters_.controls.empty()) return {};
  const KeyframeInterval at = keyframe_interval(std::span<const ControlKeyframe>(parameters_.controls), time);
  const ControlKeyframe &a = parameters_.controls[at.from], &b = parameters_.controls[at.to];
  const auto between = [&](double x, double y) { return x + at.share * (y - x); };
  return {time, between(a.gravity, b.gravity), between(a.stiffness, b.stiffness), between(a.length, b.length)};
}

// What a change of stiffness, length or weight adds to the energy is the controls' work.
void LatticeSolver::follow_controls() {
  if (parameters_.controls.empty()) return;
  const ControlKeyframe next = control_at(time_);
  place_flying();
  const bool changes =
      next.gravity != control_.gravity || next.stiffness != control_.stiffness || next.length != control_.length;
  if (changes) sleep_.disturb_all();
  double work = 0;
  if (next.stiffness != control_.stiffness || next.length != control_.length) {
    work += elastic_energy(next) - elastic_energy(control_);
  }
  if (next.gravity != control_.gravity) {
    const Vec3 more = (next.gravity - control_.gravity) * parameters_.gravity;
    for (const NodeId n : id_range<NodeId>(position_.size())) work -= lattice_.mass[n] * more.dot(position_[n]);
    const RigidBodies& rigid = colliders_.rigid();
    work += rigid.gravity_energy(next.gravity * parameters_.gravity, 0) -
            rigid.gravity_energy(control_.gravity * parameters_.gravity, 0);
  }
  reactions_.back().work += work;
  control_ = next;
}

double LatticeSolver::elastic_energy(const ControlKeyframe& at) const {
  return bond_energy(lattice_, breakage_, position_, {at.stiffness, at.length}) +
         node_contacts_.energy(lattice_, position_, at.stiffness);
}

void LatticeSolver::account(double dt) {
  regions_.account(dt, velocity_, reactions_);
  const ColliderContacts::Booking& contact = colliders_.account(dt, velocity_);
  std::size_t row = regions_.size();
  for (std::size_t c = 0; c < contact.force.size(); ++c) book(reactions_[row++], contact.force[c], contact.work[c], dt);
  for (const RigidBodies::RopePull& rope : colliders_.rigid().ropes()) book(reactions_[row++], rope.force, 0, dt);
  dissipated_ += contact.dissipated;
}

double LatticeSolver::stability_limit() const { return limit_; }

// A step of the scene's own must hold at all times; an automatic one for as long as it lasts.
double LatticeSolver::find_limit() const {
  if (parameters_.dt) return limit_until(std::numeric_limits<double>::infinity());
  return limit_until(time_ + limit_until(time_));
}

// s, with the largest stiffness that controls reach from now to `end`.
double LatticeSolver::limit_until(double end) const {
  double stiffest = std::max(control_at(time_).stiffness, control_at(end).stiffness);
  for (const ControlKeyframe& c : parameters_.controls) {
    if (c.time > time_ && c.time < end) stiffest = std::max(stiffest, c.stiffness);
  }
  const ColliderContacts::Limits limits = colliders_.limits();
  const double elastic = stiffest * *std::max_element(fastest_.begin(), fastest_.end()) + limits.elastic +
                         stiffest * node_contacts_.elastic_limit();
  const double omega = std::sqrt(elastic);
  // Of the fastest vibration of all: damping of bonds grows with the frequency, that of contacts comes on top.
  const double ratio = std::sqrt(stiffest) * largest_damping_ + 0.5 * limits.viscous / omega +
                       (node_contacts_.touching() > 0 ? parameters_.contact.damping : 0);
  double dt = std::min(largest_step(omega, ratio), limits.longest);
  if (parameters_.scheme == Scheme::forward_euler) {
    for (const double time : damping_time_) dt = std::min(dt, time);
  }
  return dt;
}

double LatticeSolver::stable_dt() const { return parameters_.dt.value_or(parameters_.safety * limit_); }

}  // namespace sunder::lattice_norton91
