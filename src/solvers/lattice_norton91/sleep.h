#pragma once
// Pieces at rest sleep: they stand exactly still and cost next to nothing, until something touches them.
//
// A piece is a component. It is looked at every 128 steps, and at rest if
// - all its nodes have been slower than `speed` at every look for `after`, and
// - what its nodes did on average in the first half of that time and in the second differs by no more than a tenth of
//   `speed`. So the mean force on each has been next to nothing, some ten-thousandths of its weight by default: what
//   passes an apex, tips over or begins to slide is slow, but not at rest. Vibration, which is fast and goes nowhere,
//   hardly counts in such a mean.
//
// Pieces that touch each other are an island. It falls asleep when all its pieces are at rest, a collider that never
// moves carries it, nothing that moves touches it, no region holds, moves or loads it, now or later, and what acts on
// it at this moment is in balance: so colliders go on bearing its weight. It wakes as a whole, in the step in which a
// piece that is awake or a collider that moves touches it, or when a control changes.

#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "collision/collider_contacts.h"
#include "collision/contact_rules.h"
#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "solvers/lattice_norton91/components.h"
#include "solvers/lattice_norton91/lattice.h"
#include "solvers/regions.h"

namespace sunder::lattice_norton91 {

class Idle;
class NodeContacts;

class Sleep {
 public:
  Sleep() = default;
  Sleep(const SleepRules& rules, double automatic_speed, std::size_t nodes);

  bool any() const { return sleeping_ > 0; }
  std::uint32_t island(Index node) const { return island_[node]; }  // 0: awake
  std::size_t sleeping() const { return sleeping_; }                // nodes

  struct World {
    const Lattice& lattice;
    const Components& components;
    const Idle& idle;
    const ColliderContacts& colliders;
    const NodeContacts& contacts;
    const std::vector<Index>& pushing;  // broken bonds
    const Regions& regions;
    const Column<NodeId, Vec3>&position, &velocity;
    const Column<NodeId, Vec3>& force;  // N, with all contacts, without gravity
    Vec3 gravity;                       // m/s^2
    double time;                        // s
  };
  // In every step, when forces are known. True if islands have fallen asleep; who calls this stops them.
  bool look(const World& world);
  // After contacts were found: true if islands have woken.
  bool wake_touched(const ColliderContacts& colliders, const NodeContacts& contacts,
                    const Column<NodeId, Vec3>& position);

  // Bodies of other methods touch these nodes.
  void disturb(const Components& components, std::span<const NodeId> nodes);
  void disturb_all();
  // True if any of those who were disturbed slept.
  bool wake_disturbed();

  void forget();  // all are awake, and nothing is known of them
  void save(Writer& out) const;
  void load(Reader& in, const Components& components);

 private:
  struct Calm {  // a piece that is, and is awake
    std::uint32_t piece = 0;
    std::uint32_t marks = 0;      // where its nodes were has been noted so often; 2 and more count as 2
    double before = 0, last = 0;  // s, the last but one and the last time
    bool steady = false;          // in the two spans of time between these and the next
  };
  class Pieces;
  void follow_calm(const World& world, Pieces& pieces);
  void mark(const World& world, std::span<const Index> nodes, Calm& calm);
  void find_islands(const World& world, Pieces& pieces) const;
  bool balanced(const World& world, std::span<const Index> nodes) const;
  void wake_at(Index node) {
    if (island_[node] != 0) waking_.push_back(island_[node]);
  }

  bool on_ = false;
  double speed_ = 0, after_ = 0;       // m/s, s
  std::vector<std::uint32_t> island_;  // by node; the lowest piece
  std::size_t sleeping_ = 0;
  std::uint32_t until_look_ = 0;          // steps
  std::vector<Calm> calm_;                // by piece
  std::vector<Vec3> before_, last_;       // m, by node, where it was at its piece's times
  std::vector<std::uint32_t> disturbed_;  // pieces, since the last look
  std::vector<std::uint32_t> waking_;     // islands
};

}  // namespace sunder::lattice_norton91
