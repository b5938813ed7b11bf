#pragma once
// What acts where two things touch: a spring along the normal, a spring along the surface that slips at Coulomb's limit
// (so that things at rest stay at rest), and damping.
//
//   normal     f_n = max(0, k d - c v.n) where d > 0, or 0                d the depth, n out of the other
//   along      f_t = -k s - c v_t, shortened to mu f_n if longer          s the stretch since the last slip
//
// v is how the one moves relative to the other; the other gets the opposite force at the same point.

#include <algorithm>

#include "core/rotation.h"
#include "core/vec.h"

namespace sunder {

inline Vec3 tangential(const Vec3& v, const Vec3& normal) { return v - v.dot(normal) * normal; }

struct ContactSpring {
  double depth = 0;      // m
  double stiffness = 0;  // N/m
  double damping = 0;    // N s/m
  Vec3 normal = Vec3::Zero();
  Vec3 stretch = Vec3::Zero();  // of the tangential spring, m
  bool slips = false;
  Vec3 force = Vec3::Zero();
  Vec3 spring_along = Vec3::Zero();  // the part of the force that the tangential spring exerts
  Vec3 dissipative = Vec3::Zero();   // the part that damps
  double carried = 0;                // J, in the tangential spring by the books, before this step's slip
  Vec3 velocity_before = Vec3::Zero();

  double stored() const { return 0.5 * stiffness * stretch.squaredNorm(); }  // J, in the tangential spring

  // A lasting contact keeps its tangential spring: stretched by what the two have `moved` since, turned with the
  // surfaces (`turn` about the normal) and into the new one.
  void follow(const ContactSpring& old, const Vec3& moved, double turn) {
    Vec3 kept = old.stretch;
    if (turn != 0) kept = rotation_by(turn * normal) * kept;
    stretch = tangential(kept + moved, normal);
    carried = old.carried;
  }

  // Finds the force at the relative velocity v. Returns the energy that slipping takes, J: beyond the limit the spring
  // lets go until it pulls with just that much; what it held beyond is heat.
  double push(const Vec3& v, double friction) {
    const double elastic = stiffness * depth;
    const double normal_force = elastic > 0 ? std::max(0.0, elastic - damping * v.dot(normal)) : 0;
    const double limit = friction * normal_force;
    double loss = 0;
    const double pull = stiffness * stretch.norm();
    slips = pull > limit;
    if (slips) {
      stretch *= limit / pull;
      loss = carried - stored();
    }
    carried = stored();
    spring_along = -stiffness * stretch;
    Vec3 along = spring_along - damping * tangential(v, normal);
    if (along.norm() > limit) along *= limit / along.norm();
    dissipative = (normal_force - elastic) * normal + (along - spring_along);
    force = normal_force * normal + along;
    velocity_before = v;
    return loss;
  }

  // Books the step that brought the relative velocity to v. Returns what damping took, J.
  double account(double dt, const Vec3& v) {
    const Vec3 moved = dt * 0.5 * (velocity_before + v);
    carried -= spring_along.dot(moved);
    return -dissipative.dot(moved);
  }
};

}  // namespace sunder
