#pragma once
// Penalty contact between colliders of which at least one is dynamic: points of the one against the signed distance of
// the other, and the other way round (touch_points.h), each with a spring as nodes have (contact_spring.h).
//
// The springs of a pair are together as stiff as stops an impact at a speed v of 10 m/s, or of the fastest collider at
// the start, within 1 % of the smaller one's least thickness s:
//
//   k = m w^2,  w = v / (0.01 s),  1 / m = 1 / m_a + 1 / m_b
//
// unless one has a stiffness of its own, which every touching point then gets. Friction and damping are the geometric
// means of the two's.

#include <cstdint>
#include <vector>

#include "collision/contact_spring.h"
#include "collision/rigid_bodies.h"
#include "collision/touch_points.h"
#include "core/byte_stream.h"

namespace sunder {

class RigidContacts {
 public:
  explicit RigidContacts(const RigidBodies& bodies);

  // Who touches whom now, `last_dt` after the last time. Adds what every collider's contacts, and those that may come
  // in the next step, do to the bound on the step: its mobility times their stiffness (1/s^2) and damping (1/s).
  struct Load {
    double elastic = 0, viscous = 0;
  };
  void find(const RigidBodies& bodies, double last_dt, std::vector<Load>& load);

  void add_forces(RigidBodies& bodies);

  // After the step: adds the force of every collider on the others, and the work of the kinematic ones on them. Returns
  // what damping and slip took, J.
  double account(double dt, const RigidBodies& bodies, std::vector<Vec3>& force, std::vector<double>& work);

  // Energy of the springs, J, as ColliderContacts::energy.
  double energy(const RigidBodies& bodies, const std::vector<Collider>& colliders, double since_find) const;

  std::size_t touching() const { return contacts_.size(); }
  // Colliders that touch; a pair comes as often as it has points that do.
  struct Touch {
    std::uint32_t one = 0, other = 0;
  };
  void list_touches(std::vector<Touch>& touches) const;

  void save(Writer& out) const;
  void load(Reader& in);

 private:
  // The points of `a` against `b`.
  struct Pair {
    std::uint32_t a = 0, b = 0;
    double stiffness = 0, damping = 0, friction = 0;  // of a point
  };
  struct Contact : ContactSpring {
    std::uint32_t pair = 0, point = 0;
    Vec3 at = Vec3::Zero();                                       // m, in the world
    Vec3 of_b_before = Vec3::Zero(), of_a_before = Vec3::Zero();  // m/s, velocities there
  };
  void add_pair(const RigidBodies& bodies, std::size_t a, std::size_t b, double speed, double share);
  // near(point, where its nearest surface point of b lies, penetration) for those less than `margin` apart
  template <class Near>
  void for_each_near(const Pair& pair, const std::vector<Collider>& colliders, double margin, Near&& near) const;

  std::vector<Pair> pairs_;
  std::vector<std::vector<TouchPoint>> points_;  // by collider
  std::vector<Contact> contacts_, previous_;     // ordered by pair, then point
  double slip_loss_ = 0;                         // J, in this step
};

}  // namespace sunder
