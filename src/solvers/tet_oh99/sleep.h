#pragma once
// Pieces at rest sleep: they stand exactly still and cost next to nothing, until something touches them.
//
// A piece is a fragment or a rigid body with a mass. It is calm while its fastest point is slower than `speed`, looked
// at once a frame. Pieces that touch each other are an island. An island falls asleep when all its pieces have been
// calm for `after`, something that stands still or a taut rope carries it, nothing that goes by keyframes touches it
// and no region but a `hold` acts on it. It wakes as a whole, in the step in which a piece that is awake pushes it, a
// collider that goes by keyframes touches it, a load or a motion of one of its nodes starts or a hold ends.
//
// A frozen piece sleeps for good, belongs to no island, and carries others as a fixed thing does.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/asleep.h"
#include "collision/between_bodies.h"
#include "collision/collider_contacts.h"
#include "collision/contact_rules.h"
#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "mesh/fragments.h"
#include "mesh/tet_mesh.h"
#include "solvers/regions.h"
#include "solvers/tet_oh99/forces.h"
#include "solvers/tet_oh99/integrate.h"

namespace sunder::tet_oh99 {

class Sleep {
 public:
  Sleep(const SleepRules& rules, double automatic_speed)
      : on_(rules.on), speed_(rules.speed.value_or(automatic_speed)), after_(rules.after) {}

  const Asleep& asleep() const { return asleep_; }
  bool any() const { return asleep_.any(); }

  struct World {
    const TetMesh& mesh;
    const FragmentTracker& fragments;  // up to date
    const Regions& regions;
    const ColliderContacts& colliders;
    const BetweenBodies& bodies;
    const NodeState& state;
    // What other methods' bodies push.
    std::span<const NodeId> pushed;
    std::span<const std::uint32_t> pushed_colliders;
    double time;  // s
  };
  // Once a frame. True if islands have fallen asleep; who calls this stops them, with stop().
  bool look(const World& world);
  // After the contacts of a step were found: true if islands have woken.
  bool wake_touched(const ColliderContacts& colliders, const BetweenBodies& bodies, const Regions& regions,
                    double time);

  // All islands of these nodes and colliders wake. True if there are any.
  bool wake(std::span<const NodeId> nodes, std::span<const std::uint32_t> colliders, double time);

  // Pieces that nothing wakes from now on. Who calls this stops them.
  void freeze(const TetMesh& mesh, const FragmentTracker& fragments, std::span<const std::uint32_t> ids);

  // Nodes have been removed from the mesh.
  void drop_gone(const TetMesh& mesh);

  // Those that have fallen asleep stay where they are.
  void stop(NodeState& state);
  // The nodes that are awake, of so many.
  std::span<const NodeRange> moving(std::size_t nodes);

  // What nodes that sleep and are held had to bear when they fell asleep: their reactions need it.
  void keep_forces(const Regions& regions, const Column<NodeId, Vec3>& force);
  void put_kept_forces(Column<NodeId, Vec3>& force) const;

  void forget();  // all are awake
  void save(Writer& out) const;
  void load(Reader& in, const TetMesh& mesh, const RigidBodies& rigid, NodeState& state);

 private:
  struct Calm {  // a piece that is
    std::uint32_t piece = 0;
    std::uint32_t island = 0;  // 0: awake
    double since = 0;          // s
  };
  struct Kept {
    NodeId node;
    Vec3 force;  // N
  };
  class Islands;
  void disturb(NodeId node) {
    if (asleep_[node] && !asleep_.frozen(node)) waking_.push_back(asleep_.island[node]);
  }
  void disturb(std::size_t collider) {
    if (asleep_.collider(collider)) waking_.push_back(asleep_.rigid[collider]);
  }
  bool wake_disturbed(double time);
  void find_islands(const World& world, Islands& islands);
  void count();  // who sleeps and who moves

  bool on_;
  double speed_;  // m/s
  double after_;  // s
  Asleep asleep_;
  std::vector<NodeRange> moving_ = {{}};  // the last goes on to the last node
  std::vector<Kept> kept_;
  std::vector<Calm> calm_;  // by piece

  // scratch
  std::vector<Touch> touches_;
  std::vector<ColliderContacts::NodeTouch> collider_touches_;
  std::vector<RigidContacts::Touch> rigid_touches_;
  std::vector<std::uint32_t> waking_;
};

}  // namespace sunder::tet_oh99
