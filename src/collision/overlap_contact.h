#pragma once
// Two tets in each other: the spring that pushes them apart by the volume they share (spring_contacts.h).

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>

#include "collision/contact_spring.h"
#include "collision/tet_penetration.h"
#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"

namespace sunder {

struct OverlapContact : ContactSpring {  // with k = k_v A, and the depth (V - free A) / A
  Uid a = 0, b = 0;                      // tets, a < b: they last when storage is compacted
  std::array<NodeId, 4> nodes_a, nodes_b;
  std::uint8_t boundary_a = 0, boundary_b = 0;
  bool unarmed = false;
  TetPenetration in;
  double modulus = 0;  // k_v, N/m^3
  double sides = 0;    // N/m, of the nodes of both sides, one behind the other
  double free = 0;     // m, of the mean depth: without force
  double kept = 0;     // J, of the work done against the normal force, what it has not given back
  double share = 1;    // of the normal force, when the tets move apart
  double elastic = 0;  // N, the normal force but for damping
  double settled = 0;  // m, that they came closer between find(), which gave the weights, and falling asleep

  double pressing() const { return std::max(0.0, in.volume - free * in.area); }  // m^3
  double by_formula() const {                                                    // J
    return modulus * pressing() * pressing() * in.height / (in.volume + in.area * in.height);
  }
  double approach(const Column<NodeId, Vec3>& velocity, double last_dt) const {  // m, by the motion of the last step
    return -last_dt * relative(velocity).dot(in.normal);
  }

  NodeId one() const { return nodes_a[0]; }
  NodeId other() const { return nodes_b[0]; }
  bool presses() const { return pressing() > 0; }
  Vec3 relative(const Column<NodeId, Vec3>& v) const;  // of a against b, at the centroid
  void push_apart(const Vec3& push, Column<NodeId, Vec3>& force_on) const;
  double push(const Vec3& v, double friction);  // a share of the force only, where they move apart
  template <class Visit>
  void weigh(Visit&& visit) const {
    for (std::size_t i = 0; i < 4; ++i) visit(nodes_a[i], std::abs(in.at_a[i]));
    for (std::size_t i = 0; i < 4; ++i) visit(nodes_b[i], std::abs(in.at_b[i]));
  }
  double bound_stiffness() const { return std::max(stiffness, 0.5 * modulus * in.surface); }
  bool settle(const Vec3& moved);
  Vec3 resting_force() const { return elastic * in.normal - stiffness * stretch; }
  double energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity, double dt) const;

  void save(Writer& out) const;
  void load(Reader& saved);
  template <class Visit>
  void for_each_node(Visit&& visit) const {
    for (const NodeId n : nodes_a) visit(n);
    for (const NodeId n : nodes_b) visit(n);
  }
  friend bool earlier(const OverlapContact& p, const OverlapContact& q) { return p.a != q.a ? p.a < q.a : p.b < q.b; }
  friend bool may_follow(const OverlapContact& p, const OverlapContact& q) { return earlier(p, q); }
};

}  // namespace sunder
