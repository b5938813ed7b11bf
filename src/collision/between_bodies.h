#pragma once
// Contact of bodies and fragments with each other, OH99 3.3, whatever the criterion that tells who touches whom.

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "collision/asleep.h"
#include "collision/collider_contacts.h"
#include "collision/contact_rules.h"
#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "mesh/journal.h"
#include "mesh/tet_mesh.h"

namespace sunder {

// Everything that can touch. Bodies of any solver can: as a tet mesh, with the motion, mass and stiffness of its nodes.
struct TouchingBodies {
  const TetMesh& mesh;
  const Column<NodeId, Vec3>& position;     // m
  const Column<NodeId, Vec3>& velocity;     // m/s
  const Column<NodeId, double>& mass;       // kg
  const Column<NodeId, double>& stiffness;  // N/m, how hard a node alone resists being moved
  const Asleep* asleep = nullptr;           // none: all are awake

  bool sleeps(NodeId n) const { return asleep != nullptr && (*asleep)[n]; }
};

// A node of either side.
struct Touch {
  NodeId one, other;
  bool pushes = false;
};

class BetweenBodies {
 public:
  virtual ~BetweenBodies() = default;

  // Who touches whom at these positions, reached from the last by `last_dt` of these velocities.
  virtual void find(const TouchingBodies& bodies, double last_dt) = 0;
  virtual void add_forces(const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force) = 0;
  // d/dt of the forces, turning of normals and slip left out.
  virtual void add_force_rates(const Column<NodeId, Vec3>& velocity, const Column<NodeId, Vec3>& acceleration,
                               Column<NodeId, Vec3>& force_rate) const = 0;

  // Nodes of new crack faces.
  virtual void disarm(NodeId node) = 0;

  // What contact adds to the bound on the step; and no node goes further in a step than a share of an edge, so that
  // nothing passes through unseen.
  virtual ColliderContacts::Limits limits() const = 0;

  // After the step: the energy that damping, slip, and contacts that ended early took, J.
  virtual double account(double dt, const Column<NodeId, Vec3>& velocity) = 0;
  // Energy in the contact springs, J, at other positions and velocities near those of find(), `dt` later.
  virtual double energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                        double dt) const = 0;

  virtual std::size_t touching() const = 0;

  // Others sleep than before. Contacts of which both sides sleep rest: they stay as they are until one wakes. Call it
  // before those who fall asleep are stopped, `last_dt` of whose velocities followed the last find(); or, with 0, right
  // after find(), for those who wake.
  virtual void follow_sleep(const TouchingBodies& bodies, double last_dt) = 0;
  virtual void add_resting_forces(Column<NodeId, Vec3>& force) const = 0;
  // The contacts that do not rest.
  virtual void list_touches(std::vector<Touch>& touches) const = 0;

  // Nodes have been removed from the mesh, and whatever they touched is let go.
  virtual void drop_gone(const TetMesh& mesh) = 0;

  // Up to here the mesh's journal has been read; nothing after it may be forgotten. None before the first find().
  virtual std::optional<Journal::Mark> mark() const = 0;

  // Another mesh, or the same in another state: what touches then has no past.
  virtual void forget() = 0;

  virtual void save(Writer& out) const = 0;
  virtual void load(Reader& in, const TetMesh& mesh) = 0;  // forgets first
};

// `edge` is the length that gaps and reaches are measured in, m: that of the finest body.
std::unique_ptr<BetweenBodies> make_between_bodies(const ContactRules& rules, double edge);

// s, until the fastest of the nodes has gone so far (m). `scratch` is kept between calls so that nothing is allocated.
double time_to_travel(double distance, std::span<const NodeId> nodes, const Column<NodeId, Vec3>& velocity,
                      std::vector<double>& scratch);

}  // namespace sunder
