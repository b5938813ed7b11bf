#include "solvers/tet_oh99/integrate.h"

#include "core/parallel.h"
#include "solvers/tet_oh99/fast_forces_kernel.h"

namespace sunder::tet_oh99 {

namespace {

constexpr std::size_t kChunk = 4096;  // nodes moved by one task

}  // namespace

double kick_time(Scheme scheme, double last_dt, double dt) {
  return scheme == Scheme::symplectic_euler && last_dt > 0 ? 0.5 * (last_dt + dt) : dt;
}

void integrate(Scheme scheme, const Push& push, const Column<NodeId, Vec3>& jerk, double kick, double dt,
               std::span<const NodeRange> moving, NodeState& state) {
  const auto for_each_node = [&](auto&& move) {
    for (const NodeRange& range : moving) {
      parallel_for(range.end - range.begin, [&](std::size_t i) {
        const NodeId n(range.begin + i);
        move(state.position[n], state.velocity[n], push.acceleration(n), n);
      });
    }
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
    case Scheme::symplectic_euler: {
      const KickDriftTask task = {.force = flat(push.force.span()).data(),
                                  .inverse_mass = push.inverse_mass.data(),
                                  .gravity = {push.gravity.x(), push.gravity.y(), push.gravity.z()},
                                  .kick = kick,
                                  .dt = dt,
                                  .velocity = state.velocity.data()->data(),
                                  .position = state.position.data()->data()};
      for (const NodeRange& range : moving) {
        parallel_chunks(range.end - range.begin, kChunk, [&](std::size_t begin, std::size_t end) {
          kick_and_drift(task, range.begin + begin, range.begin + end);
        });
      }
      break;
    }
  }
}

}  // namespace sunder::tet_oh99
