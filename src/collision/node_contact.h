#pragma once
// A node in an element: the spring that pushes it back through the face it came by (spring_contacts.h).

#include <algorithm>
#include <cmath>

#include "collision/contact_spring.h"
#include "collision/node_penetration.h"
#include "core/byte_stream.h"

namespace sunder {

struct NodeContact : ContactSpring {  // its depth is what is not free
  NodePenetration in;
  double free = 0;           // m, of the depth: without force
  double own_stiffness = 0;  // N/m, of the node

  NodeContact() = default;
  explicit NodeContact(const NodePenetration& found) : in(found) { normal = found.normal; }

  double pressed(double at) const {  // J, at a depth, in the spring that pushes out
    const double e = std::max(0.0, at - free);
    return 0.5 * stiffness * e * e;
  }

  NodeId one() const { return in.node; }
  NodeId other() const { return in.element[0]; }
  bool presses() const { return depth > 0; }
  // Across the face at its nearest point, along it where the node is.
  Vec3 relative(const Column<NodeId, Vec3>& v) const;
  void push_apart(const Vec3& push, Column<NodeId, Vec3>& force_on) const;
  template <class Visit>
  void weigh(Visit&& visit) const {
    visit(in.node, 1.0);
    for (std::size_t i = 0; i < 4; ++i) visit(in.element[i], std::max(in.at_face[i], std::abs(in.at_node[i])));
  }
  double bound_stiffness() const { return stiffness; }
  bool settle(const Vec3& moved);
  Vec3 resting_force() const { return stiffness * (depth * normal - stretch); }
  double energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity, double dt) const;

  void save(Writer& out) const;
  void load(Reader& saved);
  template <class Visit>
  void for_each_node(Visit&& visit) const {
    visit(in.node);
    for (const NodeId n : in.element) visit(n);
  }
  friend bool earlier(const NodeContact& a, const NodeContact& b) { return a.in.node < b.in.node; }
  friend bool may_follow(const NodeContact& a, const NodeContact& b) { return !earlier(b, a); }
};

}  // namespace sunder
