#include "collision/rigid_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

namespace sunder {
namespace {

constexpr double kImpactSpeed = 10;    // m/s
constexpr double kImpactDepth = 0.01;  // of the smaller one's least thickness

// A contact that lasts for a few steps only gives back more or less than it took, by the chance of where in a step it
// began: up to w2 dt^2 of it. Contacts between colliders therefore get half the step that would be stable by the bound,
// which for most of them is a quarter of what really is.
constexpr double kFiner = 2;

// Contacts are to be foreseen before a step as long as the last two may be, each twice as long as the one before.
constexpr double kForesight = 4;

bool is_dynamic(const Collider& c) { return c.motion == ColliderMotion::dynamic; }

}  // namespace

RigidContacts::RigidContacts(const RigidBodies& bodies) {
  const std::vector<Collider>& colliders = bodies.colliders();
  double speed = kImpactSpeed;
  for (std::size_t c = 0; c < colliders.size(); ++c) {
    if (bodies.moves(c)) speed = std::max(speed, bodies.fastest_point(c));
    points_.push_back(bodies.any_moves() ? touch_points(colliders[c]) : std::vector<TouchPoint>());
  }
  for (std::size_t a = 0; a < colliders.size(); ++a) {
    for (std::size_t b = a + 1; b < colliders.size(); ++b) {
      if (!is_dynamic(colliders[a]) && !is_dynamic(colliders[b])) continue;
      // A round one's points find all there is to find; of two, the sphere has fewer.
      const auto order = [&](std::size_t c) {
        return std::holds_alternative<SphereCollider>(colliders[c].shape) ? 0 : is_round(colliders[c]) ? 1 : 2;
      };
      const std::size_t first = order(b) < order(a) ? b : a, second = first == a ? b : a;
      const double share = is_round(colliders[first])
                               ? sharing_points(colliders[first])
                               : std::max(sharing_points(colliders[first]), sharing_points(colliders[second]));
      add_pair(bodies, first, second, speed, share);
      if (!is_round(colliders[first])) add_pair(bodies, second, first, speed, share);
    }
  }
}

void RigidContacts::add_pair(const RigidBodies& bodies, std::size_t a, std::size_t b, double speed, double share) {
  if (points_[a].empty()) return;
  const Collider &ca = bodies.colliders()[a], &cb = bodies.colliders()[b];
  const double mass = 1 / (bodies.inverse_mass(a) + bodies.inverse_mass(b));
  const double frequency = speed / (kImpactDepth * std::min(smallest_extent(ca), smallest_extent(cb)));
  double stiffness = mass * frequency * frequency / share;
  if (ca.stiffness || cb.stiffness) {
    constexpr double unset = std::numeric_limits<double>::infinity();
    stiffness = std::min(ca.stiffness.value_or(unset), cb.stiffness.value_or(unset));
  }
  Pair pair;
  pair.a = static_cast<std::uint32_t>(a), pair.b = static_cast<std::uint32_t>(b);
  pair.stiffness = stiffness;
  pair.damping = 2 * std::sqrt(ca.damping * cb.damping) * std::sqrt(stiffness * mass / share);
  pair.friction = std::sqrt(ca.friction * cb.friction);
  pairs_.push_back(pair);
}

template <class Near>
void RigidContacts::for_each_near(const Pair& pair, const std::vector<Collider>& colliders, double margin,
                                  Near&& near) const {
  const Collider &a = colliders[pair.a], &b = colliders[pair.b];
  const double reach = reach_of(a);
  if (const double other = reach_of(b); std::isfinite(other)) {
    if ((a.position - b.position).norm() > reach + other + margin) return;
  } else if (!(penetration(b, a.position).depth > -reach - margin)) {
    return;
  }
  const std::vector<TouchPoint>& points = points_[pair.a];
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 x = a.position + a.rotation * points[i].at;
    Penetration p = penetration(b, x, points[i].radius + margin);
    const Vec3 at = x + p.depth * p.normal;
    p.depth += points[i].radius;
    if (p.depth > -margin) near(static_cast<std::uint32_t>(i), at, p);
  }
}

void RigidContacts::find(const RigidBodies& bodies, double last_dt, std::vector<Load>& load) {
  std::swap(previous_, contacts_);
  contacts_.clear();
  slip_loss_ = 0;
  auto old = previous_.begin();
  const auto key = [](const Contact& c) { return std::tuple(c.pair, c.point); };
  const auto part_until = [&](auto&& reached) {
    for (; old != previous_.end() && !reached(*old); ++old) slip_loss_ += old->carried;
  };
  for (std::size_t i = 0; i < pairs_.size(); ++i) {
    const Pair& pair = pairs_[i];
    const double speed = bodies.fastest_point(pair.a) + bodies.fastest_point(pair.b);
    for_each_near(pair, bodies.colliders(), kForesight * last_dt * speed,
                  [&](std::uint32_t point, const Vec3& at, const Penetration& p) {
                    // Of two that both give way, (u_a + u_b)^2 <= 2 u_a^2 + 2 u_b^2: each bears twice.
                    const double times = bodies.inverse_mass(pair.a) > 0 && bodies.inverse_mass(pair.b) > 0 ? 2 : 1;
                    for (const std::uint32_t c : {pair.a, pair.b}) {
                      const double mobility = times * bodies.mobility(c, at);
                      load[c].elastic += kFiner * kFiner * mobility * pair.stiffness;
                      load[c].viscous += kFiner * mobility * pair.damping;
                    }
                    if (p.depth <= 0) return;
                    Contact contact;
                    contact.pair = static_cast<std::uint32_t>(i);
                    contact.point = point;
                    contact.at = at;
                    contact.depth = p.depth;
                    contact.normal = p.normal;
                    contact.stiffness = pair.stiffness;
                    contact.damping = pair.damping;
                    part_until([&](const Contact& c) { return key(c) >= key(contact); });
                    if (old != previous_.end() && key(*old) == key(contact)) {
                      const Vec3 moved = last_dt * (bodies.velocity_at(pair.a, at) - bodies.velocity_at(pair.b, at));
                      const Vec3 spin = (bodies.spin(pair.a) + bodies.spin(pair.b)) / 2;
                      contact.follow(*old, moved, last_dt * spin.dot(contact.normal));
                      ++old;
                    }
                    contacts_.push_back(contact);
                  });
  }
  part_until([](const Contact&) { return false; });
}

void RigidContacts::add_forces(RigidBodies& bodies) {
  for (Contact& contact : contacts_) {
    const Pair& pair = pairs_[contact.pair];
    contact.of_a_before = bodies.velocity_at(pair.a, contact.at);
    contact.of_b_before = bodies.velocity_at(pair.b, contact.at);
    slip_loss_ += contact.push(contact.of_a_before - contact.of_b_before, pair.friction);
    bodies.push(pair.a, contact.at, contact.force);
    bodies.push(pair.b, contact.at, -contact.force);
  }
}

double RigidContacts::account(double dt, const RigidBodies& bodies, std::vector<Vec3>& force,
                              std::vector<double>& work) {
  double dissipated = slip_loss_;
  for (Contact& contact : contacts_) {
    const Pair& pair = pairs_[contact.pair];
    const Vec3 of_a = bodies.velocity_at(pair.a, contact.at), of_b = bodies.velocity_at(pair.b, contact.at);
    dissipated += contact.account(dt, of_a - of_b);
    force[pair.b] += contact.force;
    force[pair.a] -= contact.force;
    if (bodies.inverse_mass(pair.b) == 0) work[pair.b] += dt * contact.force.dot(contact.of_b_before + of_b) / 2;
    if (bodies.inverse_mass(pair.a) == 0) work[pair.a] -= dt * contact.force.dot(contact.of_a_before + of_a) / 2;
  }
  return dissipated;
}

double RigidContacts::energy(const RigidBodies& bodies, const std::vector<Collider>& colliders,
                             double since_find) const {
  double sum = 0;
  for (const Pair& pair : pairs_) {
    for_each_near(pair, colliders, 0, [&](std::uint32_t, const Vec3&, const Penetration& p) {
      sum += 0.5 * pair.stiffness * p.depth * p.depth;
    });
  }
  for (const Contact& contact : contacts_) {
    const Pair& pair = pairs_[contact.pair];
    const Vec3 v = bodies.velocity_at(pair.a, contact.at) - bodies.velocity_at(pair.b, contact.at);
    const Vec3 stretch = contact.stretch + since_find * tangential(v, contact.normal);
    sum += 0.5 * contact.stiffness * stretch.squaredNorm();
  }
  return sum;
}

void RigidContacts::list_touches(std::vector<Touch>& touches) const {
  touches.clear();
  for (const Contact& c : contacts_) touches.push_back({pairs_[c.pair].a, pairs_[c.pair].b});
}

void RigidContacts::save(Writer& out) const {
  out.put<std::uint64_t>(contacts_.size());
  for (const Contact& c : contacts_) {
    out.put(c.pair), out.put(c.point), out.put(c.carried);
    out.put(c.at), out.put(c.normal), out.put(c.stretch);
  }
}

void RigidContacts::load(Reader& in) {
  contacts_.clear();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    Contact c;
    c.pair = in.get<std::uint32_t>(), c.point = in.get<std::uint32_t>(), c.carried = in.get<double>();
    if (c.pair >= pairs_.size() || c.point >= points_[pairs_[c.pair].a].size()) in.fail();
    if (!contacts_.empty() && std::pair(contacts_.back().pair, contacts_.back().point) >= std::pair(c.pair, c.point)) {
      in.fail();  // find() relies on the order
    }
    c.stiffness = pairs_[c.pair].stiffness;
    c.at = in.get_vec3(), c.normal = in.get_vec3(), c.stretch = in.get_vec3();
    contacts_.push_back(c);
  }
}

}  // namespace sunder
