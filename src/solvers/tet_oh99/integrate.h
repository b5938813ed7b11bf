#pragma once
// One step of time, for nodes whose forces are known.

#include <cstddef>
#include <span>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "solvers/tet_oh99/forces.h"

namespace sunder::tet_oh99 {

enum class Scheme {
  forward_euler,     // p += dt v,              v += dt a               the paper's; needs viscosity to be stable
  taylor2,           // p += dt v + dt^2/2 a,   v += dt a + dt^2/2 j    the paper's second order; j is the jerk
  symplectic_euler,  // v += dt a,              p += dt v               our default: stable up to 2/omega undamped
};

// For how long the accelerations act on the velocities in a step of `dt` after one of `last_dt` (0: none yet).
// Symplectic Euler is leapfrog with velocities that live between the positions: where the step changes, so does the
// distance from one velocity to the next. With dt instead, every change of the step would put energy in or take it out.
double kick_time(Scheme scheme, double last_dt, double dt);

// What moves a node besides itself: acceleration force / mass + gravity.
struct Push {
  const Column<NodeId, Vec3>& force;           // N
  const Column<NodeId, double>& inverse_mass;  // 1/kg
  Vec3 gravity = Vec3::Zero();                 // m/s^2

  Vec3 acceleration(NodeId n) const { return force[n] * inverse_mass[n] + gravity; }
};

// Nodes begin to end - 1.
struct NodeRange {
  std::size_t begin = 0, end = 0;
};

// Velocities are kicked for `kick` seconds, positions drift for `dt`; the two differ only where symplectic Euler
// changes its step. `jerk` is read by taylor2 only and may be empty otherwise. Nodes that are in none of the ranges
// stay as they are.
void integrate(Scheme scheme, const Push& push, const Column<NodeId, Vec3>& jerk, double kick, double dt,
               std::span<const NodeRange> moving, NodeState& state);

}  // namespace sunder::tet_oh99
