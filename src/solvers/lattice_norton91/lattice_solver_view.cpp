#include <Eigen/LU>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/hash.h"
#include "core/parallel.h"
#include "core/rotation.h"
#include "geometry/symmetric_eigen.h"
#include "solvers/lattice_norton91/lattice_solver.h"
#include "solvers/records.h"

namespace sunder::lattice_norton91 {
namespace {

constexpr std::size_t kChunk = 4096;

// Derivatives of a cell's corners along its three directions, at its middle.
Mat3 directions(const CellCorners& x) {
  Mat3 d;
  d.col(0) = (x[1] + x[2] + x[5] + x[6] - x[0] - x[3] - x[4] - x[7]) / 4;
  d.col(1) = (x[2] + x[3] + x[6] + x[7] - x[0] - x[1] - x[4] - x[5]) / 4;
  d.col(2) = (x[4] + x[5] + x[6] + x[7] - x[0] - x[1] - x[2] - x[3]) / 4;
  return d;
}

}  // namespace

// The rotation nearest to how the unbroken bonds of a node are turned, from where it was last: of all rotations R the
// one with the largest sum of (R r).x over bonds r at rest and x now, found by turning about the moment of the x on the
// R r (Mueller, Bender, Chentanez & Macklin 2016).
Eigen::Quaterniond LatticeSolver::turn_of(Index node) const {
  if (breakage_.whole_cells(node) == 0) return turn_[node];
  Eigen::Quaterniond q = turn_[node];
  constexpr int kMost = 60;
  constexpr double kSettled = 1e-9;
  Mat3 moment = Mat3::Zero();  // sum x r^T
  for (const Index b : lattice_.node_bonds[node]) {
    if (!breakage_.whole(b)) continue;
    const NodeId n(node), o(lattice_.ends[b][0] == node ? lattice_.ends[b][1] : lattice_.ends[b][0]);
    moment += (position_[o] - position_[n]) * (lattice_.rest[o] - lattice_.rest[n]).transpose();
  }
  for (int i = 0; i < kMost; ++i) {
    const Mat3 r = q.toRotationMatrix();
    Vec3 turn = Vec3::Zero();
    double along = 0;
    for (int k = 0; k < 3; ++k) {
      turn += r.col(k).cross(moment.col(k));
      along += r.col(k).dot(moment.col(k));
    }
    turn /= std::abs(along) + 1e-300;
    q = (rotation_by(turn) * q).normalized();
    if (turn.squaredNorm() < kSettled * kSettled) break;
  }
  return q;
}

void LatticeSolver::update_turns() {
  parallel_chunks(turn_.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t n = begin; n < end; ++n) turn_[n] = turn_of(static_cast<Index>(n));
  });
}

void LatticeSolver::prepare_frame() {
  place_flying();
  update_turns();
}

void LatticeSolver::begin_frame() {
  log_ = {};
  for (Reaction& reaction : reactions_) reaction.impulse = Vec3::Zero(), reaction.peak = 0;
}

double LatticeSolver::kinetic_energy() const {
  const std::span<const Index> awake = idle_.awake();
  return parallel_sum(awake.size(), kChunk,
                      [&](std::size_t begin, std::size_t end) {
                        double sum = 0;
                        for (std::size_t i = begin; i < end; ++i) {
                          sum += 0.5 * lattice_.mass[NodeId(awake[i])] * velocity_[NodeId(awake[i])].squaredNorm();
                        }
                        return sum;
                      }) +
         flight_.kinetic_energy() + colliders_.rigid().kinetic_energy();
}

// Symplectic Euler is leapfrog in disguise: the velocities belong to half a step before the positions. Energies taken
// there are right to second order.
Column<NodeId, Vec3> LatticeSolver::centred_positions() const {
  Column<NodeId, Vec3> x = position_;
  if (parameters_.scheme == Scheme::forward_euler) return x;
  for (const NodeId n : id_range<NodeId>(x.size())) x[n] -= 0.5 * last_dt_ * velocity_[n];
  return x;
}

Totals LatticeSolver::totals() const {
  place_flying();
  const Column<NodeId, Vec3> x = centred_positions();
  const double back = parameters_.scheme == Scheme::forward_euler ? 0 : 0.5 * last_dt_;
  Totals t;
  const Vec3 gravity = control_.gravity * parameters_.gravity;
  t.nodes = lattice_.node_count();
  t.elements = lattice_.cell_count();
  t.fragments = components_.count();
  t.crack_area = crack_area_;
  t.splits = breaks_;
  t.refused_splits = breakage_.refused();
  const RigidBodies& rigid = colliders_.rigid();
  t.mass = rigid.mass();
  t.momentum = rigid.momentum();
  t.gravity = rigid.gravity_energy(gravity, 0.5 * last_dt_);
  for (const NodeId n : id_range<NodeId>(position_.size())) {
    t.mass += lattice_.mass[n];
    t.momentum += lattice_.mass[n] * velocity_[n];
    t.gravity -= lattice_.mass[n] * gravity.dot(x[n]);
  }
  t.kinetic = kinetic_energy();
  t.elastic = bond_energy(lattice_, breakage_, x, {control_.stiffness, control_.length});
  t.contact =
      node_contacts_.energy(lattice_, x, control_.stiffness) + colliders_.energy(x, velocity_, last_dt_ - back, back);
  t.dissipated = dissipated_;
  return t;
}

FastestNode LatticeSolver::fastest_node() const {
  place_flying();
  FastestNode fastest;
  for (const NodeId n : id_range<NodeId>(velocity_.size())) {
    const double speed = velocity_[n].norm();
    const bool finite = std::isfinite(speed) && position_[n].allFinite();
    if (n.index > 0 && finite && !(speed > fastest.speed)) continue;
    fastest = {body_names_[lattice_.node_body[n.index]], n.index + Uid{1}, lattice_.rest[n], position_[n],
               finite ? speed : std::numeric_limits<double>::infinity()};
    if (!finite) break;
  }
  return fastest;
}

std::vector<RigidPose> LatticeSolver::poses() const { return poses_of(colliders_.rigid()); }

// Largest principal stress of a whole cell, Pa, by its mean strain and the isotropic stiffness that its bonds make up
// (lambda = mu = 2/5 E); 0 if it is broken.
double LatticeSolver::cell_stress(Index cell) const {
  if (breakage_.cell_broken(cell)) return 0;
  CellCorners x, rest;
  for (std::size_t i = 0; i < 8; ++i) {
    x[i] = position_[NodeId(lattice_.corners[cell][i])];
    rest[i] = control_.length * lattice_.rest[NodeId(lattice_.corners[cell][i])];
  }
  const Mat3 f = directions(x) * directions(rest).inverse();
  const Mat3 strain = 0.5 * (f.transpose() * f - Mat3::Identity());
  const double mu = 0.4 * control_.stiffness * lattice_.young[cell];
  const Mat3 stress = mu * strain.trace() * Mat3::Identity() + 2 * mu * strain;
  return symmetric_eigenvalues(stress)[0];
}

void LatticeSolver::snapshot(Frame& frame) const {
  place_flying();
  const std::size_t nodes = lattice_.node_count(), cells = lattice_.cell_count();
  frame.time = time_;
  frame.position.assign(position_.begin(), position_.end());
  frame.rest.assign(lattice_.rest.begin(), lattice_.rest.end());
  frame.velocity.assign(velocity_.begin(), velocity_.end());
  frame.node_fragment = components_.labels();
  frame.hexes = lattice_.corners;
  frame.node_uid.resize(nodes), frame.turn.resize(nodes);
  for (std::size_t n = 0; n < nodes; ++n) {
    frame.node_uid[n] = n + 1;
    frame.turn[n] = {turn_[n].w(), turn_[n].x(), turn_[n].y(), turn_[n].z()};
  }
  frame.body.assign(lattice_.cell_body.begin(), lattice_.cell_body.end());
  frame.material = frame.body;
  frame.fragment.resize(cells), frame.tet_uid.resize(cells), frame.stress.resize(cells);
  frame.crack_faces.assign(cells, 0), frame.broken_edges.assign(cells, 0);
  for (Index c = 0; c < cells; ++c) {
    frame.fragment[c] = components_.labels()[lattice_.corners[c][0]];
    frame.tet_uid[c] = c + Uid{1};
    frame.stress[c] = cell_stress(c);
    for (std::size_t e = 0; e < 12; ++e) {
      if (breakage_.whole(lattice_.cell_bonds[c][e])) continue;
      frame.broken_edges[c] |= 1u << e;
      for (std::size_t f = 0; f < 6; ++f) {
        const auto has = [&](std::uint8_t corner) {
          return std::find(kCellFaces[f].begin(), kCellFaces[f].end(), corner) != kCellFaces[f].end();
        };
        if (has(kCellEdges[e][0]) && has(kCellEdges[e][1])) {
          frame.crack_faces[c] = static_cast<std::uint8_t>(frame.crack_faces[c] | 1u << f);
        }
      }
    }
  }
}

std::uint64_t LatticeSolver::state_hash() const {
  place_flying();
  Hash64 hash;
  hash.add(flat(position_.span()));
  hash.add(flat(velocity_.span()));
  hash.add(std::span<const BondState>(breakage_.bonds()));
  colliders_.rigid().add_to(hash);
  return hash.value();
}

// What a branch takes over comes first: where everything is, how it moves and what is broken.
void LatticeSolver::save(Writer& out) const {
  place_flying();
  out.put(time_), out.put(last_dt_);
  out.put_all(position_.span()), out.put_all(velocity_.span());
  for (const Eigen::Quaterniond& q : turn_) {
    for (int i = 0; i < 4; ++i) out.put(q.coeffs()[i]);
  }
  breakage_.save(out);
  components_.save(out);
  out.put(crack_area_), out.put(breaks_), out.put(dissipated_);
  colliders_.save_motion(out);
  save_reactions(out, reactions_);
  // What a branch does not take over follows.
  colliders_.save(out);
  node_contacts_.save(out);
  out.put(limit_), out.put(components_changed_);
  out.put(control_.gravity), out.put(control_.stiffness), out.put(control_.length);
  flight_.save(out);
  sleep_.save(out);
  out.put(clearance_.moved()), out.put(until_look_);
  out.put_all(std::span<const std::uint32_t>(quiet_)), out.put_all(std::span<const std::uint32_t>(pushed_));
}

void LatticeSolver::load_motion_of(Reader& in, bool same) {
  time_ = in.get<double>(), last_dt_ = in.get<double>();
  in.get_into(position_.span()), in.get_into(velocity_.span());
  for (Eigen::Quaterniond& q : turn_) {
    for (int i = 0; i < 4; ++i) q.coeffs()[i] = in.get<double>();
  }
  breakage_.load(in);
  components_.load(in, lattice_.node_count());
  crack_area_ = in.get<double>(), breaks_ = in.get<std::uint64_t>(), dissipated_ = in.get<double>();
  colliders_.load_motion(in, same, time_);
  load_reactions(in, reactions_);
  std::vector<Index> broken;
  for (Index b = 0; b < lattice_.bond_count(); ++b) {
    if (!breakage_.whole(b)) broken.push_back(b);
  }
  weakness_.set(time_, lattice_);
  bond_forces_ = BondForces(lattice_, damping_time_);
  bond_forces_.follow(breakage_, broken);
  pressed_faces_.follow(breakage_, regions_);
  flight_ = Flight(lattice_);
  sleep_.forget();
  follow_idle();
  quiet_.clear(), pushed_.clear(), until_look_ = 0;
  log_ = {};
}

void LatticeSolver::load(Reader& in) {
  load_motion_of(in, true);
  colliders_.load(in);
  node_contacts_.load(in, lattice_.node_count());
  limit_ = in.get<double>(), components_changed_ = in.get<bool>();
  control_.gravity = in.get<double>(), control_.stiffness = in.get<double>(), control_.length = in.get<double>();
  flight_.load(in, lattice_);
  sleep_.load(in, components_);
  const bool changed = components_changed_;
  follow_idle();
  components_changed_ = changed;
  clearance_.load(in.get<double>()), until_look_ = in.get<std::uint32_t>();
  quiet_ = in.get_all<std::uint32_t>(), pushed_ = in.get_all<std::uint32_t>();
}

void LatticeSolver::load_motion(Reader& in) {
  load_motion_of(in, false);
  control_ = control_at(time_);
  node_contacts_ = NodeContacts(lattice_, parameters_.contact);
  node_contacts_.find(lattice_, breakage_, components_, position_, idle_, true);
  colliders_.follow_sleep(idle_.asleep(), position_, velocity_, 0);
  colliders_.find(position_, velocity_, 0);
  limit_ = find_limit();
}

}  // namespace sunder::lattice_norton91
