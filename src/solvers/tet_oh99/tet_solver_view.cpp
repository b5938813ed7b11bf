// What a solver tells of itself: totals, frames, poses.

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/hash.h"
#include "core/parallel.h"
#include "solvers/records.h"
#include "solvers/tet_oh99/tet_solver.h"

namespace sunder::tet_oh99 {

constexpr std::size_t kChunk = 1024;  // nodes summed by one task

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
         contacts_.rigid().kinetic_energy() + dust_.kinetic_energy();
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
  t.removed_pieces = debris_.counts().removed, t.frozen_pieces = debris_.counts().frozen;
  t.removed_mass = debris_.counts().removed_mass;
  const RigidBodies& rigid = contacts_.rigid();
  t.mass = sum_over_nodes([](NodeId) { return 1.0; }) + rigid.mass() + dust_.mass();
  t.grains = dust_.grains().size(), t.dust_mass = dust_.mass();
  for (int a = 0; a < 3; ++a) t.momentum[a] = sum_over_nodes([&](NodeId n) { return state_.velocity[n][a]; });
  t.momentum += rigid.momentum() + dust_.momentum();
  t.kinetic = kinetic_energy();
  t.gravity = sum_over_nodes([&](NodeId n) { return -parameters_.gravity.dot(x[n]); }) +
              rigid.gravity_energy(parameters_.gravity, 0.5 * last_dt_) +  // they leap, whatever the scheme
              dust_.gravity_energy(parameters_.gravity, 0.5 * last_dt_);
  t.elastic = internal_forces_.elastic_energy(x);
  // find() was at the positions before the step; where the shift is nothing, they have moved on by a whole step
  const double since = last_dt_ - centring();
  t.contact = contacts_.energy(x, state_.velocity, since, centring()) + bodies_->energy(x, state_.velocity, since);
  t.dissipated = dissipated_;
  t.plastic = plastic_work_;
  return t;
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

std::vector<RigidPose> TetSolver::poses() const { return poses_of(contacts_.rigid()); }

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
  frame.grains.clear();
  for (const Grain& g : dust_.grains()) {
    frame.grains.push_back({g.position, g.velocity, g.rest, g.mass, g.radius, g.body});
  }
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
  dust_.add_to(hash);
  return hash.value();
}

}  // namespace sunder::tet_oh99
