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

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/near_faces.h"
#include "collision/node_contact.h"
#include "collision/node_penetration.h"
#include "collision/spring_contacts.h"
#include "collision/watched_faces.h"

namespace sunder {

class BodyContacts final : public SpringContacts<NodeContact> {
 public:
  BodyContacts(const ContactRules& rules, double edge);

  std::optional<Journal::Mark> mark() const override { return near_.search().mark(); }

 private:
  // A node that was pressed deeper than the list of near faces reaches: it keeps those round its last one.
  struct DeepNode {
    NodeId node;
    bool at_a_crack = false;
  };

  std::span<const NodeId> find_contacts(const TouchingBodies& bodies, double last_dt) override;
  void search_again() override { near_.search_again(); }
  void forget_search() override;
  void look_at_near(const TouchingBodies& bodies);
  void look_at_deep(const TouchingBodies& bodies);
  void add_faces_round(const NodeContact& contact, const TetMesh& mesh);
  bool lies_at(const TouchingBodies& bodies, NodeId node, std::uint32_t face) const;
  bool is_deep(const NodeContact& contact) const;
  void take_over(const TouchingBodies& bodies, double last_dt);
  void begin(NodeContact& contact, const TouchingBodies& bodies, double approach) const;
  bool unarmed(const NodeContact& contact, const TetMesh& mesh) const;
  void arm(const TouchingBodies& bodies);

  NearFaces near_;
  WatchedFaces watched_;
  std::vector<DeepNode> deep_;  // of this step, ascending

  // scratch
  std::vector<WatchedFace> deep_faces_;
  std::vector<FaceNodes> own_faces_;
  std::vector<std::vector<NodePenetration>> found_;
  std::vector<std::uint8_t> taken_;  // of previous_
};

}  // namespace sunder
