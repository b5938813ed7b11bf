#include "solvers/tet_oh99/integrate.h"

#include "core/parallel.h"

namespace sunder::tet_oh99 {

double kick_time(Scheme scheme, double last_dt, double dt) {
  return scheme == Scheme::symplectic_euler && last_dt > 0 ? 0.5 * (last_dt + dt) : dt;
}

void integrate(Scheme scheme, const Column<NodeId, Vec3>& acceleration, const Column<NodeId, Vec3>& jerk, double kick,
               double dt, NodeState& state) {
  parallel_for(state.position.size(), [&](std::size_t i) {
    const NodeId n(i);
    Vec3& p = state.position[n];
    Vec3& v = state.velocity[n];
    const Vec3& a = acceleration[n];
    switch (scheme) {
      case Scheme::forward_euler:
        p += dt * v;
        v += kick * a;
        break;
      case Scheme::taylor2:
        p += dt * v + 0.5 * dt * dt * a;
        v += kick * a + 0.5 * kick * kick * jerk[n];
        break;
      case Scheme::symplectic_euler:
        v += kick * a;
        p += dt * v;
        break;
    }
  });
}

}  // namespace sunder::tet_oh99
