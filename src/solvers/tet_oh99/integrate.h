#pragma once
// One step of time, for nodes whose accelerations are known.

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

// `jerk` is read by taylor2 only and may be empty otherwise.
void integrate(Scheme scheme, const Column<NodeId, Vec3>& acceleration, const Column<NodeId, Vec3>& jerk, double dt,
               NodeState& state);

}  // namespace sunder::tet_oh99
