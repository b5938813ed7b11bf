#include "solvers/lattice_norton91/node_contacts.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "solvers/pair_push.h"

namespace sunder::lattice_norton91 {
namespace {

constexpr double kMargin = 0.6;  // of the mean radius: pairs so much farther apart than their radii are watched
constexpr std::size_t kChunk = 4096;

}  // namespace

NodeContacts::NodeContacts(const Lattice& lattice, const NodeContactRules& rules)
    : rules_(rules), touches_(lattice.node_count(), 0), load_(lattice.node_count(), 0) {
  double sum = 0;
  for (const double r : lattice.radius) sum += r;
  margin_ = kMargin * sum / static_cast<double>(std::max<std::size_t>(1, lattice.node_count()));
}

double NodeContacts::stiffness(const Lattice& lattice, const NodePair& pair) const {
  return rules_.stiffness * std::min(lattice.least_edge[NodeId(pair.a)], lattice.least_edge[NodeId(pair.b)]);
}

bool NodeContacts::have_common_cell(const Lattice& lattice, const NodePair& pair) const {
  for (const Index c : lattice.node_cells[pair.a]) {
    const auto& corners = lattice.corners[c];
    if (std::find(corners.begin(), corners.end(), pair.b) != corners.end()) return true;
  }
  return false;
}

void NodeContacts::find(const Lattice& lattice, const Breakage& breakage, const Components& components,
                        const Column<NodeId, Vec3>& position, const Idle& idle, bool changed) {
  if (!rules_.on || (components.count() < 2 && !rules_.within)) return;
  changed = changed || looked_at_.size() != position.size();
  bool look = changed;
  const std::span<const Index> nodes = idle.awake();
  if (!look && !nodes.empty()) {
    // Two nodes that were just out of sight have come nearer by twice the largest way at most.
    std::vector<double> farthest((nodes.size() + kChunk - 1) / kChunk, 0);
    parallel_chunks(nodes.size(), kChunk, [&](std::size_t begin, std::size_t end) {
      double most = 0;
      for (std::size_t i = begin; i < end; ++i) {
        most = std::max(most, (position[NodeId(nodes[i])] - looked_at_[nodes[i]]).squaredNorm());
      }
      farthest[begin / kChunk] = most;
    });
    const double most = *std::max_element(farthest.begin(), farthest.end());
    look = !(2 * std::sqrt(most) < margin_);
  }
  const auto distance = [&](const NodePair& p) { return (position[NodeId(p.b)] - position[NodeId(p.a)]).norm(); };
  const auto reach = [&](const NodePair& p) { return lattice.radius[p.a] + lattice.radius[p.b]; };
  if (look) {
    looked_at_.resize(position.size(), Vec3::Zero());
    for (const Index n : idle.grounded()) looked_at_[n] = position[NodeId(n)];
    previous_.clear();
    if (changed) std::swap(previous_, resting_);
    const auto awake = static_cast<std::ptrdiff_t>(previous_.size());
    previous_.insert(previous_.end(), pairs_.begin(), pairs_.end());
    std::inplace_merge(previous_.begin(), previous_.begin() + awake, previous_.end(),
                       [](const Pair& p, const Pair& q) { return p.nodes < q.nodes; });
    pairs_.clear();
    std::size_t old = 0;
    const auto& near =
        grid_.find(position, idle.grounded(), lattice.radius, components.labels(), margin_, rules_.within);
    for (const NodePair& pair : near) {
      const bool rests = idle[pair.a] && idle[pair.b];
      if (rests && !changed) continue;  // it is known
      const bool together = components.labels()[pair.a] == components.labels()[pair.b];
      if (together && have_common_cell(lattice, pair)) continue;
      // While a broken bond still pushes, it is the contact.
      const auto bonds = lattice.node_bonds[pair.a];
      const bool pushes = std::any_of(bonds.begin(), bonds.end(), [&](Index b) {
        return lattice.ends[b][1] == pair.b && breakage.bonds()[b] == BondState::pushing;
      });
      if (pushes) continue;
      while (old < previous_.size() && previous_[old].nodes < pair) ++old;
      const bool known = old < previous_.size() && previous_[old].nodes == pair;
      (rests ? resting_ : pairs_)
          .push_back({pair, !rules_.own_lengths ? reach(pair)
                            : known             ? previous_[old].natural
                                                : distance(pair)});
    }
  }
  const auto grow = [&](Pair& pair) {
    const double most = reach(pair.nodes);
    if (pair.natural < most) pair.natural = std::min(most, std::max(pair.natural, distance(pair.nodes)));
    if (pair.natural > most) pair.natural = most;
  };
  for (Pair& pair : pairs_) grow(pair);
  if (!changed) return;
  for (Pair& pair : resting_) grow(pair);
  resting_limit_ = weigh(lattice, position, resting_, resting_touching_);
  forget_weights(resting_);
}

double NodeContacts::weigh(const Lattice& lattice, const Column<NodeId, Vec3>& position, const std::vector<Pair>& pairs,
                           std::size_t& touching) {
  touching = 0;
  double most = 0;
  for (const Pair& p : pairs) {
    if (!touches(p, position)) continue;
    ++touching;
    const double k = stiffness(lattice, p.nodes);
    for (const Index n : {p.nodes.a, p.nodes.b}) {
      ++touches_[n];
      load_[n] += k;
      most = std::max(most, 2 * load_[n] / lattice.mass[NodeId(n)]);
    }
  }
  return most;
}

void NodeContacts::forget_weights(const std::vector<Pair>& pairs) {
  for (const Pair& p : pairs) {
    for (const Index n : {p.nodes.a, p.nodes.b}) touches_[n] = 0, load_[n] = 0;
  }
}

void NodeContacts::add_forces(const Lattice& lattice, const Column<NodeId, Vec3>& position,
                              const Column<NodeId, Vec3>& velocity, double softer, double dt,
                              Column<NodeId, Vec3>& force, Column<NodeId, Vec3>& lossy) {
  elastic_limit_ = weigh(lattice, position, pairs_, touching_);
  if (touching_ == 0) return;
  for (const Pair& p : pairs_) {
    if (!touches(p, position)) continue;
    const NodeId a(p.nodes.a), b(p.nodes.b);
    const Vec3 d = position[b] - position[a];
    const double distance = d.norm();
    if (!(distance > 0)) continue;  // there is no telling which way
    const Vec3 n = d / distance, v = velocity[b] - velocity[a];
    const double k = softer * stiffness(lattice, p.nodes);
    // If each node serves all its contacts alike.
    const double mass = 1 / (touches_[a.index] / lattice.mass[a] + touches_[b.index] / lattice.mass[b]);
    const PairPush push = pair_push({n, v, p.natural - distance, k, mass}, rules_.damping, rules_.friction, dt);
    force[a] -= push.force;
    force[b] += push.force;
    lossy[a] -= push.loss;
    lossy[b] += push.loss;
  }
  forget_weights(pairs_);
}

double NodeContacts::energy(const Lattice& lattice, const Column<NodeId, Vec3>& position, double softer) const {
  double sum = 0;
  for (const auto* pairs : {&pairs_, &resting_}) {
    for (const Pair& p : *pairs) {
      const double depth = p.natural - (position[NodeId(p.nodes.b)] - position[NodeId(p.nodes.a)]).norm();
      if (depth > 0) sum += 0.5 * softer * stiffness(lattice, p.nodes) * depth * depth;
    }
  }
  return sum;
}

void NodeContacts::save(Writer& out) const {
  out.put_all(std::span<const Vec3>(looked_at_));
  for (const auto* pairs : {&pairs_, &resting_}) {
    out.put<std::uint64_t>(pairs->size());
    for (const Pair& p : *pairs) out.put(p.nodes.a), out.put(p.nodes.b), out.put(p.natural);
  }
  out.put(elastic_limit_), out.put<std::uint64_t>(touching_);
  out.put(resting_limit_), out.put<std::uint64_t>(resting_touching_);
}

void NodeContacts::load(Reader& in, std::size_t nodes) {
  const std::vector<double> numbers = in.get_all<double>();
  if (numbers.size() % 3 != 0 || (!numbers.empty() && numbers.size() != 3 * nodes)) in.fail();
  looked_at_.resize(numbers.size() / 3);
  for (std::size_t i = 0; i < looked_at_.size(); ++i) {
    looked_at_[i] = Vec3(numbers[3 * i], numbers[3 * i + 1], numbers[3 * i + 2]);
  }
  for (auto* pairs : {&pairs_, &resting_}) {
    pairs->clear();
    for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
      Pair p;
      p.nodes.a = in.get<Index>(), p.nodes.b = in.get<Index>(), p.natural = in.get<double>();
      if (p.nodes.a >= p.nodes.b || p.nodes.b >= nodes) in.fail();
      pairs->push_back(p);
    }
  }
  elastic_limit_ = in.get<double>(), touching_ = static_cast<std::size_t>(in.get<std::uint64_t>());
  resting_limit_ = in.get<double>(), resting_touching_ = static_cast<std::size_t>(in.get<std::uint64_t>());
}

}  // namespace sunder::lattice_norton91
