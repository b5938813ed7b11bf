#pragma once
// Contact of bodies and fragments with each other, OH99 3.3: a penalty between a node and the face it has gone through,
// with friction and damping. The reaction is on the penetrated element's nodes.
//
//   normal     f_n = max(0, k (d - free) - c v.n)             d the depth, n the way out, v node against element
//   along      f_t = -k s - c v_t, shortened to mu f_n         s the stretch since the last slip
//
// What keeps contact from making energy, and fracture from making dust:
//   - the normal force acts on the node and on the face's nearest point, in line: forces and moments balance, and k d
//   is
//     the gradient of k d^2 / 2; the force along the surface acts on the element at the node's own place in it
//   - k lies below the stiffness of either side, and is kept while the contact lasts
//   - a depth that is there at once, not grown (an overlap at the start, a node that came in sideways, another face
//     that has become the way out), is `free`: it is let go of as the node moves out, but never pushes
//   - fresh crack faces are not armed: they may overlap by `play` without force until they have come `gap` apart

#include <algorithm>
#include <array>
#include <cstdint>
#include <vector>

#include "collision/collider_contacts.h"
#include "collision/near_faces.h"
#include "collision/node_penetration.h"
#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "mesh/tet_mesh.h"

namespace sunder {

struct ContactRules {
  bool on = true;
  double friction = 0.4;  // Coulomb's coefficient
  double damping = 0.2;   // as a ratio to critical
  double stiffness = 1;   // of the contact, over that of the two sides one behind the other
  double gap = 0.01;      // in edges: crack faces that have come so far apart are armed
  double play = 0.05;     // in edges: overlap of unarmed crack faces that is without force
};

// Everything that can touch. Bodies of any solver can: as a tet mesh, with the motion, mass and stiffness of its nodes.
struct TouchingBodies {
  const TetMesh& mesh;
  const Column<NodeId, Vec3>& position;     // m
  const Column<NodeId, Vec3>& velocity;     // m/s
  const Column<NodeId, double>& mass;       // kg
  const Column<NodeId, double>& stiffness;  // N/m, how hard a node alone resists being moved
};

class BodyContacts {
 public:
  // `edge` is the length that gaps and reaches are measured in, m: that of the finest body.
  BodyContacts(const ContactRules& rules, double edge);

  bool on() const { return rules_.on; }

  // Who touches whom at these positions, reached from the last by `last_dt` of these velocities.
  void find(const TouchingBodies& bodies, double last_dt);
  void add_forces(const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force);
  // d/dt of the forces, turning of normals and slip left out.
  void add_force_rates(const Column<NodeId, Vec3>& velocity, const Column<NodeId, Vec3>& acceleration,
                       Column<NodeId, Vec3>& force_rate) const;

  // Nodes of new crack faces.
  void disarm(NodeId node);
  bool armed(NodeId node) const { return node.index >= unarmed_.size() || unarmed_[node] == 0; }

  // What contact adds to the bound on the step; and no node goes further in a step than a share of an edge, so that
  // nothing passes through unseen.
  ColliderContacts::Limits limits() const { return limits_; }

  // After the step: the energy that damping, slip, and contacts that ended early took, J.
  double account(double dt, const Column<NodeId, Vec3>& velocity);
  // Energy in the contact springs, J, at other positions and velocities near those of find(), `dt` later.
  double energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity, double dt) const;

  std::size_t touching() const { return contacts_.size(); }
  double deepest() const;  // m
  const NearFaces& near() const { return near_; }

  // Another mesh, or the same in another state: what touches then has no past.
  void forget();

  void save(Writer& out) const;
  void load(Reader& in, const TetMesh& mesh);  // forgets first

 private:
  struct Contact : NodePenetration {
    double free = 0;           // m, of the depth: without force
    double stiffness = 0;      // N/m
    double damping = 0;        // N s/m
    double own_stiffness = 0;  // N/m, of the node
    bool slips = false;
    Vec3 stretch = Vec3::Zero();       // of the spring along the surface, m
    Vec3 force = Vec3::Zero();         // on the node
    Vec3 spring_along = Vec3::Zero();  // the part of the force that the spring along the surface exerts
    double normal_damping = 0;         // N, the part of the normal force that damps
    Vec3 damping_along = Vec3::Zero();
    double carried = 0;  // J, in the spring along the surface by the books
    Vec3 normal_velocity_before = Vec3::Zero(), along_velocity_before = Vec3::Zero();

    // J, at a depth, in the spring that pushes out.
    double pressed(double at) const {
      const double e = std::max(0.0, at - free);
      return 0.5 * stiffness * e * e;
    }
    double stored() const { return 0.5 * stiffness * stretch.squaredNorm(); }  // J, in the spring along the surface
  };
  struct Group {  // the pairs of one node
    NodeId node;
    std::uint32_t first = 0, last = 0;
    double reach = 0;         // m, how deep it is looked for
    bool at_a_crack = false;  // an unarmed node that is inside something, or not yet clear of a crack face
  };

  void make_groups(const TouchingBodies& bodies);
  void look_at(const TouchingBodies& bodies, Group& group, std::vector<NodePenetration>& found) const;
  void take_over(const TouchingBodies& bodies, double last_dt);
  void begin(Contact& contact, const TouchingBodies& bodies, double approach) const;
  bool unarmed(const Contact& contact, const TetMesh& mesh) const;
  void arm();
  void bound_step(const TouchingBodies& bodies);
  double longest_step(const Column<NodeId, Vec3>& velocity);

  ContactRules rules_;
  double edge_;  // m
  NearFaces near_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_faces_;
  std::vector<Contact> contacts_, previous_;  // by node
  std::vector<std::vector<NodePenetration>> found_;
  Column<NodeId, std::uint8_t> unarmed_;
  std::vector<NodeId> unarmed_nodes_;
  ColliderContacts::Limits limits_;
  double lost_ = 0;  // J, in this step

  // scratch
  Column<NodeId, double> elastic_sum_, viscous_sum_;
  std::vector<std::uint8_t> taken_;  // of previous_
  std::vector<double> fastest_;
};

}  // namespace sunder
