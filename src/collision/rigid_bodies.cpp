#include "collision/rigid_bodies.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "collision/free_turn.h"
#include "collision/keyframes.h"
#include "collision/mass_properties.h"
#include "core/rotation.h"
#include "geometry/symmetric_eigen.h"

namespace sunder {
namespace {

void put(Writer& out, const Eigen::Quaterniond& q) { out.put(q.w()), out.put(q.vec().eval()); }

Eigen::Quaterniond get_turn(Reader& in) {
  Eigen::Quaterniond q;
  q.w() = in.get<double>(), q.vec() = in.get_vec3();
  if (!(std::abs(q.norm() - 1) < 1e-6)) in.fail();
  return q;
}

Vec3 get_finite(Reader& in) {
  const Vec3 v = in.get_vec3();
  if (!v.allFinite()) in.fail();
  return v;
}

}  // namespace

RigidBodies::RigidBodies(std::vector<Collider> colliders) : colliders_(std::move(colliders)) {
  for (std::size_t c = 0; c < colliders_.size(); ++c) {
    const Collider& collider = colliders_[c];
    Body& body = bodies_.emplace_back();
    body.centre = collider.position;
    body.moves = collider.motion != ColliderMotion::fixed;
    any_moves_ = any_moves_ || body.moves;
    if (!body.moves) continue;
    body.turn = Eigen::Quaterniond(collider.rotation).normalized();
    if (collider.motion == ColliderMotion::kinematic) {
      follow_keyframes(c, 0, 0);
      continue;
    }
    const MassProperties solid = mass_properties(collider);
    body.inverse_mass = 1 / solid.mass;
    body.inertia = solid.inertia;
    body.inverse_inertia = solid.inertia.inverse();
    body.largest_inverse_inertia = 1 / symmetric_eigen(solid.inertia).values[2];
    body.offset = solid.centre;
    body.centre += body.turn * body.offset;
    body.velocity = collider.velocity;
    body.spin = collider.spin;
    body.angular_momentum = body.turn * (body.inertia * (body.turn.conjugate() * body.spin));
    if (!collider.rope) continue;
    const Rope& rope = *collider.rope;
    body.rope_length = rope.length.value_or((collider.position + body.turn * rope.attach - rope.point).norm());
    ropes_.push_back({c});
  }
}

void RigidBodies::place(std::size_t c) {
  const Body& body = bodies_[c];
  colliders_[c].position = body.centre - body.turn * body.offset;
  colliders_[c].rotation = body.turn.toRotationMatrix();
}

std::vector<Collider> RigidBodies::colliders_before(double back) const {
  std::vector<Collider> result = colliders_;
  for (std::size_t c = 0; c < result.size(); ++c) {
    const Body& body = bodies_[c];
    if (!body.moves) continue;
    const Eigen::Quaterniond turn = rotation_by(-back * body.spin) * body.turn;
    result[c].position = body.centre - back * body.velocity - turn * body.offset;
    result[c].rotation = turn.toRotationMatrix();
  }
  return result;
}

double RigidBodies::fastest_point(std::size_t c) const {
  const Body& body = bodies_[c];
  double velocity = body.velocity.norm(), spin = body.spin.norm();
  if (colliders_[c].motion == ColliderMotion::kinematic) {
    const KeyframedPose pose = pose_at(colliders_[c].keyframes, time_);
    velocity = std::max(velocity, pose.velocity.norm()), spin = std::max(spin, pose.spin.norm());
  }
  const double reach = reach_of(colliders_[c]);
  return velocity + (std::isfinite(reach) ? spin * (reach + body.offset.norm()) : 0);
}

void RigidBodies::clear_forces() {
  for (Body& body : bodies_) body.force.setZero(), body.torque.setZero();
}

void RigidBodies::Body::drift(double dt) {
  centre += dt * velocity;
  spin = mean_spin(inverse_inertia, angular_momentum, turn, dt);
  turn = (rotation_by(dt * spin) * turn).normalized();
}

void RigidBodies::follow_keyframes(std::size_t c, double time, double dt) {
  Body& body = bodies_[c];
  const KeyframedPose pose = pose_at(colliders_[c].keyframes, time);
  // Between two positions it has moved at the speed that takes it there, also where a keyframe lies between them.
  body.velocity = dt > 0 ? Vec3((pose.position - body.centre) / dt) : pose.velocity;
  body.spin = dt > 0 ? Vec3(turn_between(body.turn, pose.rotation) / dt) : pose.spin;
  body.centre = pose.position;
  body.turn = pose.rotation;
  place(c);
}

void RigidBodies::take_forces(const RigidBodies& follower, double share) {
  for (std::size_t c = 0; c < bodies_.size(); ++c) {
    bodies_[c].force += share * follower.bodies_[c].force;
    bodies_[c].torque += share * follower.bodies_[c].torque;
  }
}

void RigidBodies::move(double time, const Vec3& gravity, double kick, double dt) {
  time_ = time;
  if (!any_moves_) return;
  auto rope = ropes_.begin();
  for (std::size_t c = 0; c < bodies_.size(); ++c) {
    if (colliders_[c].motion == ColliderMotion::kinematic) follow_keyframes(c, time, dt);
    if (colliders_[c].motion != ColliderMotion::dynamic) continue;
    Body& body = bodies_[c];
    if (follows()) {
      body = owner_->bodies_[c];
      place(c);
      continue;
    }
    if (body.asleep) {
      if (colliders_[c].rope) (rope++)->dissipated = 0;  // it goes on pulling as it did
      continue;
    }
    const Body before = body;
    body.velocity += kick * (body.inverse_mass * body.force + gravity);
    body.angular_momentum += kick * body.torque;
    if (colliders_[c].rope) {
      hold_by_rope(*rope++, before, kick, dt);
    } else {
      body.drift(dt);
    }
    place(c);
  }
}

void RigidBodies::follow_sleep(const Asleep& asleep) {
  for (std::size_t c = 0; c < bodies_.size(); ++c) {
    Body& body = bodies_[c];
    if (asleep.collider(c) && !body.asleep) {
      body.velocity.setZero(), body.spin.setZero(), body.angular_momentum.setZero();
    }
    body.asleep = asleep.collider(c);
  }
}

void RigidBodies::hold_by_rope(RopePull& pull, const Body& before, double kick, double dt) {
  constexpr int kMost = 50;
  Body& body = bodies_[pull.collider];
  const Rope& rope = *colliders_[pull.collider].rope;
  const Vec3 tied = rope.attach - body.offset;
  const Vec3 arm = before.turn * tied, start = before.centre + arm - rope.point;
  const double tolerance = 1e-15 * (body.rope_length + rope.point.norm() + before.centre.norm());
  const Body kicked = body;
  Vec3 along = start.stableNormalized(), turning = Vec3::Zero();  // of an impulse of one
  double impulse = 0;                                             // N s, towards the rope's fixed end
  body.drift(dt);
  for (int i = 0; i < kMost; ++i) {
    const Vec3 end = body.centre + body.turn * tied - rope.point;
    const double excess = end.norm() - body.rope_length;
    if (i == 0) {
      if (!(excess > 0)) break;
      if (along.isZero()) along = end.normalized();  // it came from the fixed end itself
      turning = arm.cross(along);
    } else if (!(std::abs(excess) > tolerance)) {
      break;
    }
    // How fast the end comes in as the impulse grows, were the turn of the arm small.
    const Vec3 spin = before.turn * (body.inverse_inertia * (before.turn.conjugate() * turning));
    const Vec3 rate = dt * (body.inverse_mass * along + spin.cross(arm));
    const double slope = std::max(rate.dot(end.normalized()), 0.1 * rate.dot(along));
    impulse = std::max(0.0, impulse + excess / slope);
    body = kicked;
    body.velocity -= impulse * body.inverse_mass * along;
    body.angular_momentum -= impulse * turning;
    body.drift(dt);
  }
  const Vec3 at_first = before.velocity + before.spin.cross(arm), at_last = body.velocity + body.spin.cross(arm);
  pull.force = -impulse / kick * along;
  pull.dissipated = impulse * along.dot(at_first + at_last) / 2;
}

double RigidBodies::mass() const {
  double sum = 0;
  if (follows()) return sum;
  for (const Body& body : bodies_) sum += body.inverse_mass > 0 ? 1 / body.inverse_mass : 0;
  return sum;
}

double RigidBodies::kinetic_energy() const {
  double sum = 0;
  if (follows()) return sum;
  for (const Body& body : bodies_) {
    if (body.inverse_mass == 0) continue;
    sum += 0.5 * body.velocity.squaredNorm() / body.inverse_mass + 0.5 * body.angular_momentum.dot(body.spin);
  }
  return sum;
}

Vec3 RigidBodies::momentum() const {
  Vec3 sum = Vec3::Zero();
  if (follows()) return sum;
  for (const Body& body : bodies_) {
    if (body.inverse_mass > 0) sum += body.velocity / body.inverse_mass;
  }
  return sum;
}

double RigidBodies::gravity_energy(const Vec3& gravity, double half_dt) const {
  double sum = 0;
  if (follows()) return sum;
  for (const Body& body : bodies_) {
    if (body.inverse_mass > 0) sum -= gravity.dot(body.centre - half_dt * body.velocity) / body.inverse_mass;
  }
  return sum;
}

bool RigidBodies::finite() const {
  return std::all_of(bodies_.begin(), bodies_.end(), [](const Body& body) {
    return body.centre.allFinite() && body.velocity.allFinite() && body.spin.allFinite() &&
           body.turn.coeffs().allFinite();
  });
}

void RigidBodies::add_to(Hash64& hash) const {
  const auto add = [&](const Vec3& v) { hash.add(std::span<const double>(v.data(), 3)); };
  for (const Body& body : bodies_) {
    if (!body.moves) continue;
    add(body.centre), add(body.velocity), add(body.spin), add(body.angular_momentum);
    hash.add(std::span<const double>(body.turn.coeffs().data(), 4));
  }
}

void RigidBodies::save(Writer& out) const {
  out.put<std::uint64_t>(
      static_cast<std::uint64_t>(std::count_if(bodies_.begin(), bodies_.end(), [](const Body& b) { return b.moves; })));
  for (std::size_t c = 0; c < bodies_.size(); ++c) {
    const Body& body = bodies_[c];
    if (!body.moves) continue;
    out.put_text(colliders_[c].name), out.put<std::uint8_t>(static_cast<std::uint8_t>(colliders_[c].motion));
    out.put(body.centre), put(out, body.turn);
    out.put(body.velocity), out.put(body.spin), out.put(body.angular_momentum);
  }
}

void RigidBodies::load(Reader& in, bool same, double time) {
  time_ = time;
  std::size_t taken = 0;
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const std::string name = in.get_text();
    const auto motion = in.get<std::uint8_t>();
    Body saved;
    saved.centre = get_finite(in), saved.turn = get_turn(in);
    saved.velocity = get_finite(in), saved.spin = get_finite(in), saved.angular_momentum = get_finite(in);
    const auto own = std::find_if(colliders_.begin(), colliders_.end(), [&](const Collider& c) {
      return c.name == name && static_cast<std::uint8_t>(c.motion) == motion;
    });
    if (own == colliders_.end()) continue;
    const auto c = static_cast<std::size_t>(own - colliders_.begin());
    Body& body = bodies_[c];
    if (!body.moves || (!same && own->motion == ColliderMotion::kinematic)) continue;
    body.centre = saved.centre, body.turn = saved.turn, body.velocity = saved.velocity, body.spin = saved.spin;
    body.angular_momentum =
        same ? saved.angular_momentum : Vec3(body.turn * (body.inertia * (body.turn.conjugate() * body.spin)));
    place(c);
    ++taken;
  }
  const auto moving = std::count_if(bodies_.begin(), bodies_.end(), [](const Body& b) { return b.moves; });
  if (same && taken != static_cast<std::size_t>(moving)) in.fail();
  for (std::size_t c = 0; c < bodies_.size(); ++c) {
    if (!same && colliders_[c].motion == ColliderMotion::kinematic) follow_keyframes(c, time, 0);
  }
}

}  // namespace sunder
