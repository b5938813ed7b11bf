#pragma once
// Contact of bodies and fragments with each other, OH99 3.3: a ContactSpring between a node and the face it has gone
// through. The reaction is on the penetrated element's nodes.
//
// What keeps contact from making energy, and fracture from making dust:
//   - the normal force acts on the node and on the face's nearest point, in line: forces and moments balance, and k d
//     is the gradient of k d^2 / 2; the force along the surface acts on the element at the node's own place in it
//   - k lies below the stiffness of either side, and is kept while the contact lasts
//   - a depth that is there at once, not grown (an overlap at the start, a node that came in sideways, another face
//     that has become the way out), is `free`: it is let go of as the node moves out, but never pushes
//   - fresh crack faces are not armed: they may overlap by `play` without force until they have come `gap` apart

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <optional>
#include <vector>

#include "collision/between_bodies.h"
#include "collision/contact_spring.h"
#include "collision/near_faces.h"
#include "collision/node_penetration.h"
#include "collision/spring_bound.h"
#include "collision/unarmed_nodes.h"
#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "mesh/tet_mesh.h"

namespace sunder {

class BodyContacts final : public BetweenBodies {
 public:
  BodyContacts(const ContactRules& rules, double edge);

  void find(const TouchingBodies& bodies, double last_dt) override;
  void add_forces(const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force) override;
  void add_force_rates(const Column<NodeId, Vec3>& velocity, const Column<NodeId, Vec3>& acceleration,
                       Column<NodeId, Vec3>& force_rate) const override;
  void disarm(NodeId node) override { unarmed_.add(node); }
  bool armed(NodeId node) const { return !unarmed_.holds(node); }
  ColliderContacts::Limits limits() const override { return limits_.with(resting_limits_); }
  double account(double dt, const Column<NodeId, Vec3>& velocity) override;
  double energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity, double dt) const override;
  std::size_t touching() const override { return contacts_.size() + resting_.size(); }
  void follow_sleep(const TouchingBodies& bodies, double last_dt) override;
  void add_resting_forces(Column<NodeId, Vec3>& force) const override;
  void list_touches(std::vector<Touch>& touches) const override;
  void drop_gone(const TetMesh& mesh) override;
  std::optional<Journal::Mark> mark() const override { return near_.search().mark(); }
  void forget() override;
  void save(Writer& out) const override;
  void load(Reader& in, const TetMesh& mesh) override;

 private:
  struct Contact : ContactSpring {  // its depth is what is not free
    NodePenetration in;
    double free = 0;           // m, of the depth: without force
    double own_stiffness = 0;  // N/m, of the node

    double pressed(double at) const {  // J, at a depth, in the spring that pushes out
      const double e = std::max(0.0, at - free);
      return 0.5 * stiffness * e * e;
    }
  };
  struct Group {  // the pairs of one node
    NodeId node;
    std::uint32_t first = 0, last = 0;
    double reach = 0;         // m, how deep it is looked for
    bool at_a_crack = false;  // an unarmed node that is inside something, or not yet clear of a crack face
  };

  void make_groups(const TouchingBodies& bodies);
  void add_faces_round(const Contact& contact, const TetMesh& mesh);
  void look_at(const TouchingBodies& bodies, Group& group, std::vector<NodePenetration>& found) const;
  void take_over(const TouchingBodies& bodies, double last_dt);
  void begin(Contact& contact, const TouchingBodies& bodies, double approach) const;
  bool unarmed(const Contact& contact, const TetMesh& mesh) const;
  void arm(const TouchingBodies& bodies);
  ColliderContacts::Limits bound_step(const TouchingBodies& bodies, const std::vector<Contact>& contacts);

  ContactRules rules_;
  double edge_;  // m
  NearFaces near_;
  std::vector<Group> groups_;
  std::vector<std::uint32_t> group_faces_;
  std::vector<Contact> contacts_, previous_;  // by node
  std::vector<Contact> resting_;              // both sides asleep; by node
  std::vector<std::vector<NodePenetration>> found_;
  UnarmedNodes unarmed_;
  ColliderContacts::Limits limits_, resting_limits_ = {0, 0, std::numeric_limits<double>::infinity()};
  bool resting_changed_ = false;  // since resting_limits_ was found
  double lost_ = 0;               // J, in this step

  // scratch
  SpringBound spring_bound_;
  std::vector<std::uint8_t> taken_;  // of previous_
  std::vector<double> fastest_;
};

}  // namespace sunder
