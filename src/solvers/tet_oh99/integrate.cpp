#include "solvers/tet_oh99/integrate.h"

#include "core/parallel.h"

namespace sunder::tet_oh99 {

double kick_time(Scheme scheme, double last_dt, double dt) {
  return scheme == Scheme::symplectic_euler && last_dt > 0 ? 0.5 * (last_dt + dt) : dt;
}

void integrate(Scheme scheme, const Push& push, const Column<NodeId, Vec3>& jerk, double kick, double dt,
               NodeState& state) {
  const auto for_each_node = [&](auto&& move) {
    parallel_for(state.position.size(), [&](std::size_t i) {
      const NodeId n(i);
      move(state.position[n], state.velocity[n], push.acceleration(n), n);
    });
  };
  switch (scheme) {
    case Scheme::forward_euler:
      for_each_node([&](Vec3& p, Vec3& v, const Vec3& a, NodeId) {
        p += dt * v;
        v += kick * a;
      });
      break;
    case Scheme::taylor2:
      for_each_node([&](Vec3& p, Vec3& v, const Vec3& a, NodeId n) {
        p += dt * v + 0.5 * dt * dt * a;
        v += kick * a + 0.5 * kick * kick * jerk[n];
      });
      break;
    case Scheme::symplectic_euler:
      for_each_node([&](Vec3& p, Vec3& v, const Vec3& a, NodeId) {
        v += kick * a;
        p += dt * v;
      });
      break;
  }
}

}  // namespace sunder::tet_oh99
