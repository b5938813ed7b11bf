#pragma once
// How a rigid body turns while no torque acts on it: its angular momentum L stands still in the world, the spin does
// not.
//
//   q <- exp(dt w) q         w = I(q')^-1 L with q' = exp(dt/2 w) q, halfway: the implicit midpoint rule

#include <Eigen/Geometry>

#include "core/rotation.h"
#include "core/vec.h"

namespace sunder {

// rad/s: of a body whose inertia has this inverse in its own axes, which `turn` takes to the world's.
inline Vec3 spin_of(const Mat3& inverse_inertia, const Vec3& angular_momentum, const Eigen::Quaterniond& turn) {
  return turn * (inverse_inertia * (turn.conjugate() * angular_momentum));
}

// The spin halfway through the next `dt`. It is found by iteration; each one makes the error smaller by about dt |w|.
inline Vec3 mean_spin(const Mat3& inverse_inertia, const Vec3& angular_momentum, const Eigen::Quaterniond& turn,
                      double dt) {
  constexpr int kMost = 16;
  Vec3 spin = spin_of(inverse_inertia, angular_momentum, turn);
  for (int i = 0; i < kMost; ++i) {
    const Vec3 last = spin;
    spin = spin_of(inverse_inertia, angular_momentum, rotation_by(0.5 * dt * spin) * turn);
    if (!((spin - last).squaredNorm() > 1e-30 * spin.squaredNorm())) break;
  }
  return spin;
}

}  // namespace sunder
