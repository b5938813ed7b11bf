#include "collision/dust.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace sunder {
namespace {

constexpr std::size_t kChunk = 512;  // grains

// Whether what lies still on a surface stays: not on a wall, nor on too steep a slope.
bool is_carried(const Vec3& gravity, const Vec3& normal, double friction) {
  const double pressed = -gravity.dot(normal);
  return (gravity + pressed * normal).norm() <= friction * pressed;
}

}  // namespace

double energy(const Grain& g, const Vec3& gravity, double half_dt) {
  return g.mass * (0.5 * g.velocity.squaredNorm() - gravity.dot(g.position - half_dt * g.velocity));
}

void Dust::fly_one(Grain& g, const Vec3& gravity, double kick, double dt, const RigidBodies& rigid,
                   std::vector<Touch>& touches) const {
  g.velocity += kick * gravity;
  g.position += dt * g.velocity;
  const std::vector<Collider>& colliders = rigid.colliders();
  for (std::size_t c = 0; c < colliders.size(); ++c) {
    const Penetration p = penetration(colliders[c], g.position, g.radius);
    const double depth = p.depth + g.radius;
    if (!(depth > 0)) continue;
    const double before = energy(g, gravity, dt / 2);
    const Vec3 carried = rigid.velocity_at(c, g.position), slip = g.velocity - carried;
    const double closing = -slip.dot(p.normal);
    g.position += depth * p.normal;
    Vec3 change = Vec3::Zero();
    if (closing > 0) {
      const Vec3 along = slip + closing * p.normal;
      const double sliding = along.norm(), grip = colliders[c].friction * closing;  // Coulomb's limit, as an impulse
      const bool sticks = grip >= sliding;
      change = closing * p.normal - (sticks ? along : Vec3(grip / sliding * along));
      const bool at_rest = sticks && !rigid.moves(c) && is_carried(gravity, p.normal, colliders[c].friction);
      g.velocity = at_rest ? Vec3(Vec3::Zero()) : Vec3(g.velocity + change);
      if (at_rest) g.rests_on = static_cast<std::uint32_t>(c);
    }
    const Vec3 impulse = g.mass * change;
    touches.push_back({static_cast<std::uint32_t>(c), g.position, impulse,
                       before - energy(g, gravity, dt / 2) + impulse.dot(carried),
                       g.rests_on != Grain::kFlies ? g.mass : 0});
    if (g.rests_on != Grain::kFlies) return;
  }
}

double Dust::fly(const Vec3& gravity, double kick, double dt, RigidBodies& rigid) {
  for (std::size_t c = 0; c < force_.size(); ++c) force_[c] = -resting_mass_[c] * gravity;
  std::fill(work_.begin(), work_.end(), 0);
  touches_.resize((grains_.size() + kChunk - 1) / kChunk);
  parallel_chunks(grains_.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    std::vector<Touch>& touches = touches_[begin / kChunk];
    touches.clear();
    for (std::size_t i = begin; i < end; ++i) {
      if (grains_[i].rests_on == Grain::kFlies) fly_one(grains_[i], gravity, kick, dt, rigid, touches);
    }
  });
  double lost = 0;
  for (const std::vector<Touch>& touches : touches_) {
    for (const Touch& t : touches) {
      const Vec3 force = t.impulse / kick;
      force_[t.collider] += force;
      rigid.push(t.collider, t.at, -force);
      if (rigid.moves(t.collider) && rigid.inverse_mass(t.collider) == 0) {
        work_[t.collider] += t.impulse.dot(rigid.velocity_at(t.collider, t.at));
      }
      resting_mass_[t.collider] += t.weight;
      lost += t.lost;
    }
  }
  return lost;
}

double Dust::mass() const {
  double sum = 0;
  for (const Grain& g : grains_) sum += g.mass;
  return sum;
}

Vec3 Dust::momentum() const {
  Vec3 sum = Vec3::Zero();
  for (const Grain& g : grains_) sum += g.mass * g.velocity;
  return sum;
}

double Dust::kinetic_energy() const {
  double sum = 0;
  for (const Grain& g : grains_) sum += 0.5 * g.mass * g.velocity.squaredNorm();
  return sum;
}

double Dust::gravity_energy(const Vec3& gravity, double half_dt) const {
  double sum = 0;
  for (const Grain& g : grains_) sum -= g.mass * gravity.dot(g.position - half_dt * g.velocity);
  return sum;
}

void Dust::add_to(Hash64& hash) const {
  for (const Grain& g : grains_) {
    hash.add(std::span<const double>(g.position.data(), 3));
    hash.add(std::span<const double>(g.velocity.data(), 3));
  }
}

void Dust::save(Writer& out) const {
  out.put<std::uint64_t>(grains_.size());
  for (const Grain& g : grains_) {
    out.put(g.position), out.put(g.velocity), out.put(g.rest);
    out.put(g.mass), out.put(g.radius), out.put(g.body), out.put(g.rests_on);
  }
  out.put_all(std::span<const double>(resting_mass_));  // the order of the sum decides its last bits
}

void Dust::load(Reader& in, bool same, std::size_t bodies) {
  grains_.clear();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    Grain g;
    g.position = in.get_vec3(), g.velocity = in.get_vec3(), g.rest = in.get_vec3();
    g.mass = in.get<double>(), g.radius = in.get<double>();
    g.body = in.get<std::uint32_t>(), g.rests_on = in.get<std::uint32_t>();
    if (!(g.mass > 0) || !(g.radius > 0) || g.body >= bodies) in.fail();
    if (!same) g.rests_on = Grain::kFlies;
    if (g.rests_on != Grain::kFlies && g.rests_on >= resting_mass_.size()) in.fail();
    grains_.push_back(g);
  }
  const std::vector<double> resting = in.get_all<double>();
  if (same && resting.size() != resting_mass_.size()) in.fail();
  std::fill(resting_mass_.begin(), resting_mass_.end(), 0);
  if (same) resting_mass_ = resting;
}

}  // namespace sunder
