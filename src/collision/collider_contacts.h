#pragma once
// Penalty contact of surface nodes with rigid colliders: a spring along the normal, a spring along the surface that
// slips at Coulomb's limit (so that things at rest stay at rest), and damping.
//
//   normal     f_n = max(0, k d - c v.n)                                  d the depth, n out of the collider
//   along      f_t = -k s - c v_t, shortened to mu f_n if longer          s the stretch since the last slip
//
// It is nodes that touch: a collider smaller than the mesh's edges can slip between them.

#include <cstdint>
#include <vector>

#include "collision/collider.h"
#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"

namespace sunder {

class ColliderContacts {
 public:
  explicit ColliderContacts(std::vector<Collider> colliders) : colliders_(std::move(colliders)) {}

  // The nodes that can touch, in a lasting order, with the stiffness (N/m) that contact takes unless a collider has
  // its own, and their masses.
  void set_surface(const std::vector<NodeId>& nodes, const Column<NodeId, double>& stiffness,
                   const Column<NodeId, double>& mass);

  // A node of the surface, or one that has come to it, with stiffness and mass as they are now.
  void set_node(NodeId node, double stiffness, double mass);
  bool wants_nodes() const { return !colliders_.empty(); }

  // Who touches what at these positions, reached from the last by `last_dt` of these velocities.
  void find(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity, double last_dt);

  void add_forces(const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force);
  // d/dt of the forces, curvature of colliders and turning of slip left out.
  void add_force_rates(const Column<NodeId, Vec3>& velocity, const Column<NodeId, Vec3>& acceleration,
                       Column<NodeId, Vec3>& force_rate) const;

  // What touching nodes, and those that may touch in the next step, add to the bound on the step.
  struct Limits {
    double elastic = 0;         // largest k / m, 1/s^2
    double viscous = 0;         // largest c / m, 1/s
    double smallest_ratio = 0;  // least c / k, s; meaningful if elastic > 0
  };
  Limits limits() const { return limits_; }

  // After the step: the force of every collider on the bodies, and the energy that damping and slip took, J.
  struct Booking {
    std::vector<Vec3> force;
    double dissipated = 0;
  };
  const Booking& account(double dt, const Column<NodeId, Vec3>& velocity);

  // Energy in the contact springs, J, at positions half a step (`half_dt` of these velocities) after the last find().
  double energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity, double half_dt) const;

  const std::vector<Collider>& colliders() const { return colliders_; }
  std::size_t touching() const { return contacts_.size(); }

  void save(Writer& out) const;
  void load(Reader& in);
  // The surface, for a mesh that has cracked since set_surface(); to be loaded before the rest.
  void save_surface(Writer& out) const;
  void load_surface(Reader& in, std::size_t node_slots);

 private:
  struct Contact {
    std::uint32_t surface_index = 0;  // position in surface_
    std::uint32_t collider = 0;
    NodeId node;
    bool slips = false;
    double depth = 0;      // m
    double stiffness = 0;  // N/m
    double damping = 0;    // N s/m
    Vec3 normal = Vec3::Zero();
    Vec3 stretch = Vec3::Zero();  // of the tangential spring, m
    Vec3 force = Vec3::Zero();
    Vec3 spring_along = Vec3::Zero();  // the part of the force that the tangential spring exerts
    Vec3 dissipative = Vec3::Zero();   // the part that damps
    double carried = 0;                // J, in the tangential spring by the books, before this step's slip
    Vec3 velocity_before = Vec3::Zero();

    double stored() const { return 0.5 * stiffness * stretch.squaredNorm(); }  // J, in the tangential spring
  };
  void make_room();
  double stiffness(std::size_t surface_index, const Collider& collider) const {
    return collider.stiffness.value_or(stiffness_[surface_index]);
  }

  std::vector<Collider> colliders_;
  std::vector<NodeId> surface_;
  Column<NodeId, std::uint32_t> place_;   // in the surface plus one, 0 if not on it; as long as needed
  std::vector<double> stiffness_, mass_;  // by surface index
  std::vector<Contact> contacts_;         // ordered by surface index, then collider
  std::vector<Contact> previous_;
  std::vector<std::vector<Contact>> found_;  // per chunk of the surface
  std::vector<Limits> chunk_limits_;
  Limits limits_;
  Booking booking_;
  double slip_loss_ = 0;  // J, in this step: what slipping and parting springs gave up
};

}  // namespace sunder
