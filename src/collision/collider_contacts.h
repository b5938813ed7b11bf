#pragma once
// Penalty contact of surface nodes with rigid colliders (contact_spring.h), and of those with each other. Colliders
// that move get the opposite force at the node's place.
//
// It is nodes that touch: a collider smaller than the mesh's edges can slip between them, and a face between touching
// nodes lies inside a round one. Cracks make new nodes there. No crack may load a spring: a new node pushes by what it
// sinks further in only, the twins of a node share what its spring held, and a spring that becomes stiffer holds no
// more than before.

#include <algorithm>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "collision/asleep.h"
#include "collision/collider.h"
#include "collision/contact_spring.h"
#include "collision/rigid_bodies.h"
#include "collision/rigid_contacts.h"
#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "mesh/tet_mesh.h"

namespace sunder {

class ColliderContacts {
 public:
  explicit ColliderContacts(std::vector<Collider> colliders);

  // The nodes that can touch, in a lasting order, with the stiffness (N/m) that contact takes unless a collider has
  // its own, and their masses.
  void set_surface(const std::vector<NodeId>& nodes, const Column<NodeId, double>& stiffness,
                   const Column<NodeId, double>& mass);

  // A node of the surface, or one that a crack has brought to it, with stiffness and mass as they are now.
  void set_node(NodeId node, double stiffness, double mass);
  // A crack has parted `twin` from `node`; before either is set.
  void add_twin(NodeId twin, NodeId node) { twins_.push_back({twin, node}); }
  // Nodes have been removed from the mesh.
  void drop_gone(const TetMesh& mesh);
  bool wants_nodes() const { return !colliders().empty(); }

  // Who touches what at these positions, reached from the last by `last_dt` of these velocities. Nodes that sleep are
  // looked at against colliders that move, those that are away not at all.
  void find(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity, double last_dt,
            const Asleep* asleep = nullptr);

  // Forces on the nodes, and on the colliders that have a mass.
  void add_forces(const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force);
  // d/dt of the forces on the nodes; curvature and acceleration of colliders and turning of slip left out.
  void add_force_rates(const Column<NodeId, Vec3>& velocity, const Column<NodeId, Vec3>& acceleration,
                       Column<NodeId, Vec3>& force_rate) const;

  // Takes the colliders that move to `time`: kicked for `kick` seconds, drifting for `dt`, as the nodes.
  void move_colliders(double time, const Vec3& gravity, double kick, double dt) {
    rigid_.move(time, gravity, kick, dt);
  }

  // What touching nodes, and those that may touch in the next step, add to the bound on the step. A collider with a
  // mass gives way too: to the largest k / m comes its mobility times the stiffness of all that touch it.
  //   w2 <= max(k / m) + max over colliders of sum k (1 / M + r^2 / I_min)
  struct Limits {
    double elastic = 0;         // 1/s^2
    double viscous = 0;         // the same of c, 1/s
    double smallest_ratio = 0;  // least c / k, s; meaningful if elastic > 0
    // s; within it no collider moves by more than a quarter of its thickness, nor, near nodes, of the mesh's
    double longest = std::numeric_limits<double>::infinity();

    // Of both, on different nodes.
    Limits with(const Limits& o) const {
      return {std::max(elastic, o.elastic), std::max(viscous, o.viscous), std::min(smallest_ratio, o.smallest_ratio),
              std::min(longest, o.longest)};
    }
  };
  Limits limits(double mesh_thickness = std::numeric_limits<double>::infinity()) const;

  // After the step: the force of every collider on bodies and other colliders, the work of those that go by keyframes,
  // J, and the energy that damping, slip and ropes took, J.
  struct Booking {
    std::vector<Vec3> force;
    std::vector<double> work;
    double dissipated = 0;
  };
  const Booking& account(double dt, const Column<NodeId, Vec3>& velocity);

  // Energy in the contact springs, J, at these positions, `since_find` of these velocities after the last find() and
  // `back` before the colliders' places.
  double energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity, double since_find,
                double back) const;

  // Others sleep than before. Their contacts rest: they are kept as they are, with the force that the collider carries,
  // until they wake. Before those who fall asleep are stopped, `last_dt` of whose velocities followed the last find();
  // or, with 0, right after find(), for those who wake.
  void follow_sleep(const Asleep& asleep, const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                    double last_dt);
  void add_resting_forces(Column<NodeId, Vec3>& force) const;
  // Contacts of nodes that do not rest.
  struct NodeTouch {
    NodeId node;
    std::uint32_t collider = 0;
  };
  void list_touches(std::vector<NodeTouch>& touches) const;
  void list_touches(std::vector<RigidContacts::Touch>& touches) const { rigid_contacts_.list_touches(touches); }

  const std::vector<Collider>& colliders() const { return rigid_.colliders(); }  // where they are now
  const RigidBodies& rigid() const { return rigid_; }
  RigidBodies& rigid() { return rigid_; }  // for who pushes them too, between add_forces() and move_colliders()
  std::size_t touching() const { return contacts_.size() + resting_.size() + rigid_contacts_.touching(); }

  // Where colliders are and how they move, which a branch takes over.
  void save_motion(Writer& out) const { rigid_.save(out); }
  void load_motion(Reader& in, bool same, double time) { rigid_.load(in, same, time); }
  void save(Writer& out) const;
  void load(Reader& in);
  // The surface, for a mesh that has cracked since set_surface(); to be loaded before the rest.
  void save_surface(Writer& out) const;
  void load_surface(Reader& in, std::size_t node_slots);

 private:
  struct Contact : ContactSpring {
    std::uint32_t surface_index = 0;  // position in surface_
    std::uint32_t collider = 0;
    NodeId node;
    double play = 0;                      // m, of slack before `depth` begins
    Vec3 at = Vec3::Zero();               // m, of the node
    Vec3 collider_before = Vec3::Zero();  // m/s, velocity of the collider there

    std::pair<std::uint32_t, std::uint32_t> key() const { return {surface_index, collider}; }
    void slacken(double by) { play += by, depth -= by; }
  };
  // What a chunk of the surface finds.
  struct Found {
    std::vector<Contact> contacts;
    Limits limits;
    std::vector<RigidContacts::Load> load;  // by collider
    std::vector<double> closing;            // m/s, by collider: of the fastest near node, relative to it
  };
  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  struct Twin {
    NodeId node, of;
  };
  void make_room();
  // Its place in a list ordered as contacts_, or kNone.
  static std::size_t find_contact(const std::vector<Contact>& contacts, std::uint32_t surface_index,
                                  std::uint32_t collider);
  // The place in previous_ of the contact that this one was in the step before, or is parted from; or kNone.
  std::size_t heritage(const Contact& contact) const;
  void follow_previous(const Column<NodeId, Vec3>& velocity, double last_dt);
  double play(std::uint32_t surface_index, std::uint32_t collider) const;
  void find_in(std::size_t begin, std::size_t end, const Column<NodeId, Vec3>& position,
               const Column<NodeId, Vec3>& velocity, double last_dt, const Asleep* asleep);
  void sum_up_resting();
  double stiffness(std::size_t surface_index, const Collider& collider) const {
    return collider.stiffness.value_or(stiffness_[surface_index]);
  }
  Vec3 relative_velocity(const Contact& contact, const Column<NodeId, Vec3>& velocity) const {
    return velocity[contact.node] - rigid_.velocity_at(contact.collider, contact.at);
  }

  RigidBodies rigid_;
  RigidContacts rigid_contacts_;
  std::vector<double> near_;  // m, by collider: nodes nearer are watched; 0 if it stands still or has no other side
  std::vector<NodeId> surface_;
  Column<NodeId, std::uint32_t> place_;   // in the surface plus one, 0 if not on it; as long as needed
  std::vector<double> stiffness_, mass_;  // by surface index
  std::size_t known_ = 0;                 // of the surface at the last find(): cracks have added the rest since
  std::vector<Twin> twins_;               // since the last find()
  std::vector<Contact> contacts_;         // ordered by surface index, then collider
  std::vector<Contact> previous_;
  std::vector<std::size_t> heritage_;    // by contact, scratch
  std::vector<double> heirs_stiffness_;  // N/m, by previous contact: of all that go on from it; scratch
  std::vector<Contact> resting_;         // of nodes asleep, with colliders that stand still; ordered as contacts_
  std::vector<Vec3> resting_force_;      // N, by collider: the sum of theirs on the nodes
  std::vector<RigidContacts::Load> resting_load_;  // by collider
  std::vector<Found> found_;                       // per chunk of the surface
  std::vector<RigidContacts::Load> load_;
  Limits limits_, resting_limits_{0, 0, std::numeric_limits<double>::infinity()};
  double closing_ = 0;  // m/s, of the fastest node near a collider that moves
  Booking booking_;
  double slip_loss_ = 0;  // J, in this step: what slipping, parting and softer springs gave up
};

}  // namespace sunder
