#pragma once
// Surfaces and a world of rigid bodies for the tests of this folder.

#include <memory>
#include <vector>

#include "collision/closed_surface.h"
#include "collision/collider_contacts.h"
#include "core/dice_testing.h"
#include "core/rotation.h"

namespace sunder::collision_testing {

inline std::shared_ptr<const ClosedSurface> box_surface(const Vec3& size, const Vec3& centre) {
  std::vector<Vec3> points;
  for (int i = 0; i < 8; ++i) {
    points.push_back(centre + Vec3(i & 1 ? 0.5 : -0.5, i & 2 ? 0.5 : -0.5, i & 4 ? 0.5 : -0.5).cwiseProduct(size));
  }
  constexpr std::array<std::array<std::uint32_t, 4>, 6> sides = {
      {{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4}, {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}}};
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (const auto& s : sides) triangles.push_back({s[0], s[1], s[2]}), triangles.push_back({s[0], s[2], s[3]});
  return std::make_shared<const ClosedSurface>(std::move(points), std::move(triangles));
}

// The square [0, 1]^2 of x and y without its upper right quarter, from z = -0.5 to 0.5.
inline std::shared_ptr<const ClosedSurface> l_surface() {
  const std::vector<Vec2> outline = {{0, 0}, {1, 0}, {1, 0.5}, {0.5, 0.5}, {0.5, 1}, {0, 1}};
  std::vector<Vec3> points;
  for (const double z : {-0.5, 0.5}) {
    for (const Vec2& p : outline) points.emplace_back(p.x(), p.y(), z);
  }
  const std::vector<std::array<std::uint32_t, 3>> cap = {{0, 1, 2}, {0, 2, 3}, {0, 3, 4}, {0, 4, 5}};
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (const auto& t : cap) {
    triangles.push_back({t[0], t[2], t[1]});
    triangles.push_back({t[0] + 6, t[1] + 6, t[2] + 6});
  }
  for (std::uint32_t i = 0; i < 6; ++i) {
    const std::uint32_t j = (i + 1) % 6;
    triangles.push_back({i, j, j + 6});
    triangles.push_back({i, j + 6, i + 6});
  }
  return std::make_shared<const ClosedSurface>(std::move(points), std::move(triangles));
}

inline Collider ground(double friction = 0, double damping = 0) {
  Collider c;
  c.name = "ground";
  c.shape = GroundCollider{};
  c.friction = friction, c.damping = damping;
  return c;
}

inline Collider free_body(const ColliderShape& shape, double mass, const Vec3& position, double friction = 0,
                          double damping = 0) {
  Collider c;
  c.name = "body";
  c.shape = shape;
  c.motion = ColliderMotion::dynamic;
  c.mass = mass;
  c.position = position;
  c.friction = friction, c.damping = damping;
  return c;
}

// Colliders alone, stepped as the solver steps them.
struct RigidWorld {
  explicit RigidWorld(std::vector<Collider> colliders, const Vec3& g = Vec3(0, -9.81, 0))
      : contacts(std::move(colliders)), gravity(g), work(contacts.colliders().size(), 0) {}

  void step(double dt) {
    contacts.find(none, none, last_dt);
    contacts.add_forces(none, force);
    const double kick = last_dt > 0 ? 0.5 * (last_dt + dt) : dt;
    time += dt;
    contacts.move_colliders(time, gravity, kick, dt);
    const ColliderContacts::Booking& booked = contacts.account(kick, none);
    dissipated += booked.dissipated;
    for (std::size_t c = 0; c < work.size(); ++c) work[c] += booked.work[c];
    last_force = booked.force;
    last_dt = dt;
  }
  void run(double until, double dt) {
    while (time < until - 0.5 * dt) step(dt);
  }
  double motion_energy() const {  // kinetic and gravity
    return rigid().kinetic_energy() + rigid().gravity_energy(gravity, 0.5 * last_dt);
  }
  double spring_energy() const { return contacts.energy(none, none, 0.5 * last_dt, 0.5 * last_dt); }
  double books() const {
    double sum = motion_energy() + spring_energy() + dissipated;
    for (const double w : work) sum -= w;
    return sum;
  }
  const RigidBodies& rigid() const { return contacts.rigid(); }
  const Collider& collider(std::size_t i) const { return contacts.colliders()[i]; }

  ColliderContacts contacts;
  Vec3 gravity;
  std::vector<double> work;
  Column<NodeId, Vec3> none, force;
  std::vector<Vec3> last_force;
  double time = 0, last_dt = 0, dissipated = 0;
};

}  // namespace sunder::collision_testing
