#pragma once
// Nodes of different components repel each other: a spring whose natural length is the sum of their radii, or what
// their distance was when they met, if that was less. So neither a lid that sits on its rim nor a crack that opens sets
// anything in motion: the natural length of such a pair grows with its distance, up to the sum of the radii.

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "core/byte_stream.h"
#include "core/column.h"
#include "solvers/lattice_norton91/breakage.h"
#include "solvers/lattice_norton91/components.h"
#include "solvers/lattice_norton91/idle.h"
#include "solvers/lattice_norton91/lattice.h"
#include "solvers/lattice_norton91/node_grid.h"

namespace sunder::lattice_norton91 {

struct NodeContactRules {
  bool on = true;
  // Over that of the softest edge bond at either node. Above 1 breaking would push pieces apart faster than the bonds
  // held them: kinetic energy from nowhere.
  double stiffness = 0.5;
  double damping = 0.3;   // ratio to critical, of a pair
  double friction = 0.4;  // Coulomb's coefficient
  // Pairs that overlap when they meet have their distance as natural length. False is the paper, which gives them
  // energy from nowhere: a test shows it.
  bool own_lengths = true;
  bool within = false;  // also nodes of one component that have no cell in common
};

class NodeContacts {
 public:
  NodeContacts() = default;
  NodeContacts(const Lattice& lattice, const NodeContactRules& rules);

  // Looks who is near, if anything has moved far enough since the last look or `changed` says that components or
  // pushing bonds have, or who flies and who sleeps. Then lets natural lengths grow.
  // Not among nodes that fly. Pairs of which both sleep rest: they are kept as they are until one wakes.
  void find(const Lattice& lattice, const Breakage& breakage, const Components& components,
            const Column<NodeId, Vec3>& position, const Idle& idle, bool changed);

  // Adds the forces, and to `lossy` what of them is damping and friction. `softer` is the factor that the scene puts on
  // all stiffness.
  void add_forces(const Lattice& lattice, const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                  double softer, double dt, Column<NodeId, Vec3>& force, Column<NodeId, Vec3>& lossy);

  double energy(const Lattice& lattice, const Column<NodeId, Vec3>& position, double softer) const;  // J
  // 1/s^2, that pairs in touch add to the fastest vibration while the scene makes nothing softer or stiffer.
  // Those that rest count: who wakes needs the step at once.
  double elastic_limit() const { return std::max(elastic_limit_, resting_limit_); }
  std::size_t watched() const { return pairs_.size(); }
  // visit(a, b) for all pairs of nodes that are watched.
  template <class Visit>
  void for_each_watched(Visit&& visit) const {
    for (const Pair& pair : pairs_) visit(pair.nodes.a, pair.nodes.b);
  }
  // visit(a, b) for all that touch, but for those that rest.
  template <class Visit>
  void for_each_touching(const Column<NodeId, Vec3>& position, Visit&& visit) const {
    for (const Pair& pair : pairs_) {
      if (touches(pair, position)) visit(pair.nodes.a, pair.nodes.b);
    }
  }
  std::size_t touching() const { return touching_ + resting_touching_; }

  void save(Writer& out) const;
  void load(Reader& in, std::size_t nodes);

 private:
  struct Pair {
    NodePair nodes;
    double natural = 0;  // m
  };
  static bool touches(const Pair& p, const Column<NodeId, Vec3>& position) {
    return (position[NodeId(p.nodes.b)] - position[NodeId(p.nodes.a)]).squaredNorm() < p.natural * p.natural;
  }
  // Counts those that touch, and what they add to their nodes' springs; 1/s^2, the most of 2 k / m.
  double weigh(const Lattice& lattice, const Column<NodeId, Vec3>& position, const std::vector<Pair>& pairs,
               std::size_t& touching);
  void forget_weights(const std::vector<Pair>& pairs);
  double stiffness(const Lattice& lattice, const NodePair& pair) const;
  bool have_common_cell(const Lattice& lattice, const NodePair& pair) const;

  NodeContactRules rules_;
  double margin_ = 0;  // m
  NodeGrid grid_;
  std::vector<Pair> pairs_, previous_;  // in ascending order
  std::vector<Pair> resting_;           // the same, of those that sleep
  std::vector<Vec3> looked_at_;         // positions at the last look, of those that were looked at
  std::vector<Index> touches_;          // by node, scratch
  std::vector<double> load_;            // by node, N/m, scratch
  double elastic_limit_ = 0, resting_limit_ = 0;
  std::size_t touching_ = 0, resting_touching_ = 0;
};

}  // namespace sunder::lattice_norton91
