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

void save_reactions(Writer& out, const std::vector<Reaction>& reactions) {
  out.put<std::uint64_t>(reactions.size());
  for (const Reaction& r : reactions) {
    out.put_text(r.name), out.put_text(r.kind);
    out.put(r.force), out.put(r.impulse), out.put(r.peak), out.put(r.work);
  }
}

void load_reactions(Reader& in, std::vector<Reaction>& reactions) {
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    Reaction r;
    r.name = in.get_text(), r.kind = in.get_text();
    r.force = in.get_vec3(), r.impulse = in.get_vec3();
    r.peak = in.get<double>(), r.work = in.get<double>();
    for (Reaction& own : reactions) {
      if (own.name == r.name && own.kind == r.kind) own = r;
    }
  }
}

}  // namespace sunder
