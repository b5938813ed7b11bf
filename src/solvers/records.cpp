#include "solvers/records.h"

#include <algorithm>
#include <utility>

namespace sunder {

std::vector<RigidPose> poses_of(const RigidBodies& rigid) {
  std::vector<RigidPose> poses;
  for (std::size_t c = 0; c < rigid.colliders().size(); ++c) {
    const Collider& collider = rigid.colliders()[c];
    RigidPose pose{.name = collider.name,
                   .kind = kind_name(collider.shape),
                   .position = collider.position,
                   .rotation = collider.rotation,
                   .velocity = rigid.velocity_at(c, collider.position),
                   .spin = rigid.spin(c)};
    if (const auto* ground = std::get_if<GroundCollider>(&collider.shape)) pose.position = Vec3(0, ground->height, 0);
    poses.push_back(std::move(pose));
  }
  return poses;
}

void book(Reaction& reaction, const Vec3& force, double work, double dt) {
  reaction.force = force;
  reaction.impulse += dt * force;
  reaction.peak = std::max(reaction.peak, force.norm());
  reaction.work += work;
}

}  // namespace sunder
