#include "solvers/tet_oh99/integrate.h"

#include "core/parallel.h"

namespace sunder::tet_oh99 {

void integrate(Scheme scheme, const Column<NodeId, Vec3>& acceleration, const Column<NodeId, Vec3>& jerk, double dt,
               NodeState& state) {
  parallel_for(state.position.size(), [&](std::size_t i) {
    const NodeId n(i);
    Vec3& p = state.position[n];
    Vec3& v = state.velocity[n];
    const Vec3& a = acceleration[n];
    switch (scheme) {
      case Scheme::forward_euler:
        p += dt * v;
        v += dt * a;
        break;
      case Scheme::taylor2:
        p += dt * v + 0.5 * dt * dt * a;
        v += dt * a + 0.5 * dt * dt * jerk[n];
        break;
      case Scheme::symplectic_euler:
        v += dt * a;
        p += dt * v;
        break;
    }
  });
}

}  // namespace sunder::tet_oh99
