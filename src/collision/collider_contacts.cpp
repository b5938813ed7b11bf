#include "collision/collider_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "collision/set_aside.h"
#include "core/parallel.h"

namespace sunder {
namespace {

constexpr std::size_t kChunk = 1024;  // surface nodes
constexpr double kShare = 0.25;       // of a thickness that a collider may move in a step

}  // namespace

ColliderContacts::ColliderContacts(std::vector<Collider> colliders)
    : rigid_(std::move(colliders)), rigid_contacts_(rigid_) {
  for (std::size_t c = 0; c < this->colliders().size(); ++c) {
    const double extent = smallest_extent(this->colliders()[c]);
    near_.push_back(rigid_.moves(c) && std::isfinite(extent) ? extent : 0);
  }
}

void ColliderContacts::set_surface(const std::vector<NodeId>& nodes, const Column<NodeId, double>& stiffness,
                                   const Column<NodeId, double>& mass) {
  surface_.clear(), stiffness_.clear(), mass_.clear();
  place_.assign(mass.size(), 0);
  for (const NodeId n : nodes) set_node(n, stiffness[n], mass[n]);
  known_ = surface_.size();
  make_room();
}

void ColliderContacts::set_node(NodeId node, double stiffness, double mass) {
  if (node.index >= place_.size()) place_.resize(node.index + std::size_t{1}, 0);
  if (place_[node] == 0) {
    surface_.push_back(node);
    stiffness_.push_back(stiffness);
    mass_.push_back(mass);
    place_[node] = static_cast<std::uint32_t>(surface_.size());
    make_room();
    return;
  }
  stiffness_[place_[node] - 1] = stiffness;
  mass_[place_[node] - 1] = mass;
}

void ColliderContacts::drop_gone(const TetMesh& mesh) {
  std::vector<std::uint32_t> now(surface_.size());  // by surface index
  std::uint32_t kept = 0;
  for (std::size_t i = 0; i < surface_.size(); ++i) {
    if (!mesh.alive(surface_[i])) {
      place_[surface_[i]] = 0;
      continue;
    }
    surface_[kept] = surface_[i], stiffness_[kept] = stiffness_[i], mass_[kept] = mass_[i];
    now[i] = kept++;
    place_[surface_[now[i]]] = kept;
  }
  surface_.resize(kept), stiffness_.resize(kept), mass_.resize(kept);
  for (auto* contacts : {&contacts_, &resting_}) {
    std::erase_if(*contacts, [&](const Contact& c) { return !mesh.alive(c.node); });
    for (Contact& c : *contacts) c.surface_index = now[c.surface_index];
  }
  known_ = kept;
  sum_up_resting();
  make_room();
}

void ColliderContacts::make_room() { found_.resize((surface_.size() + kChunk - 1) / kChunk); }

void ColliderContacts::find_in(std::size_t begin, std::size_t end, const Column<NodeId, Vec3>& position,
                               const Column<NodeId, Vec3>& velocity, double last_dt, const Asleep* asleep) {
  const std::vector<Collider>& colliders = rigid_.colliders();
  Found& found = found_[begin / kChunk];
  found.contacts.clear();
  found.limits = {0, 0, std::numeric_limits<double>::infinity()};
  found.load.assign(colliders.size(), {});
  found.closing.assign(colliders.size(), 0);
  for (std::size_t i = begin; i < end; ++i) {
    const NodeId n = surface_[i];
    const bool sleeps = asleep != nullptr && (*asleep)[n];
    if (sleeps && (!rigid_.any_moves() || asleep->away(n))) continue;
    double elastic = 0, viscous = 0;
    for (std::size_t j = 0; j < colliders.size(); ++j) {
      if (sleeps && rigid_.stands_still(j)) continue;
      const double speed = (velocity[n] - rigid_.velocity_at(j, position[n])).norm();
      const double reach = 2 * last_dt * speed;  // may touch before the next find()
      const Penetration p = penetration(colliders[j], position[n], std::max(reach, near_[j]));
      if (near_[j] > 0 && p.depth > -near_[j]) found.closing[j] = std::max(found.closing[j], speed);
      if (!(p.depth > -reach)) continue;
      const double k = stiffness(i, colliders[j]);
      const double c = 2 * colliders[j].damping * std::sqrt(k * mass_[i]);
      elastic += k / mass_[i];
      viscous += c / mass_[i];
      found.limits.smallest_ratio = std::min(found.limits.smallest_ratio, c / k);
      const double mobility = rigid_.mobility(j, position[n]);
      found.load[j].elastic += mobility * k;
      found.load[j].viscous += mobility * c;
      if (p.depth <= 0) continue;
      Contact contact;
      contact.surface_index = static_cast<std::uint32_t>(i);
      contact.collider = static_cast<std::uint32_t>(j);
      contact.node = n;
      contact.at = position[n];
      contact.depth = p.depth;
      contact.normal = p.normal;
      contact.stiffness = k;
      contact.damping = c;
      found.contacts.push_back(contact);
    }
    found.limits.elastic = std::max(found.limits.elastic, elastic);
    found.limits.viscous = std::max(found.limits.viscous, viscous);
  }
}

void ColliderContacts::find(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity, double last_dt,
                            const Asleep* asleep) {
  limits_ = {0, 0, std::numeric_limits<double>::infinity()};
  closing_ = 0;
  std::swap(previous_, contacts_);
  contacts_.clear();
  if (colliders().empty()) return;
  parallel_chunks(surface_.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    find_in(begin, end, position, velocity, last_dt, asleep);
  });
  load_ = resting_load_;  // who wakes needs the step at once
  load_.resize(colliders().size());
  if (!rigid_.follows()) rigid_contacts_.find(rigid_, last_dt, load_);
  for (const Found& found : found_) {
    contacts_.insert(contacts_.end(), found.contacts.begin(), found.contacts.end());
    limits_.elastic = std::max(limits_.elastic, found.limits.elastic);
    limits_.viscous = std::max(limits_.viscous, found.limits.viscous);
    limits_.smallest_ratio = std::min(limits_.smallest_ratio, found.limits.smallest_ratio);
    for (std::size_t j = 0; j < load_.size(); ++j) {
      load_[j].elastic += found.load[j].elastic;
      load_[j].viscous += found.load[j].viscous;
      closing_ = std::max(closing_, found.closing[j]);
    }
  }
  RigidContacts::Load largest;
  for (std::size_t j = 0; j < load_.size(); ++j) {
    largest.elastic = std::max(largest.elastic, load_[j].elastic);
    largest.viscous = std::max(largest.viscous, load_[j].viscous);
    if (rigid_.moves(j)) {
      limits_.longest = std::min(limits_.longest, kShare * smallest_extent(colliders()[j]) / rigid_.fastest_point(j));
    }
  }
  limits_.elastic += largest.elastic;
  limits_.viscous += largest.viscous;
  follow_previous(velocity, last_dt);
  known_ = surface_.size();
  twins_.clear();
}

std::size_t ColliderContacts::find_contact(const std::vector<Contact>& contacts, std::uint32_t surface_index,
                                           std::uint32_t collider) {
  const auto found = std::lower_bound(contacts.begin(), contacts.end(), std::pair(surface_index, collider),
                                      [](const Contact& c, const auto& key) { return c.key() < key; });
  const bool there = found != contacts.end() && found->key() == std::pair(surface_index, collider);
  return there ? static_cast<std::size_t>(found - contacts.begin()) : kNone;
}

std::size_t ColliderContacts::heritage(const Contact& contact) const {
  if (contact.surface_index < known_) return find_contact(previous_, contact.surface_index, contact.collider);
  NodeId of = contact.node;
  for (auto twin = twins_.rbegin(); twin != twins_.rend(); ++twin) {
    if (twin->node == of) of = twin->of;
  }
  const std::uint32_t place = place_[of];
  return of == contact.node || place == 0 ? kNone : find_contact(previous_, place - 1, contact.collider);
}

void ColliderContacts::follow_previous(const Column<NodeId, Vec3>& velocity, double last_dt) {
  slip_loss_ = 0;
  heritage_.resize(contacts_.size());
  heirs_stiffness_.assign(previous_.size(), 0);
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    heritage_[i] = heritage(contacts_[i]);
    if (heritage_[i] != kNone) heirs_stiffness_[heritage_[i]] += contacts_[i].stiffness;
  }
  // A spring whose contact has ended gives up what it held.
  for (std::size_t i = 0; i < previous_.size(); ++i) {
    if (heirs_stiffness_[i] == 0) slip_loss_ += previous_[i].carried;
  }
  for (std::size_t i = 0; i < contacts_.size(); ++i) {
    Contact& contact = contacts_[i];
    if (heritage_[i] == kNone) {
      if (contact.surface_index >= known_) contact.slacken(contact.depth);
      continue;
    }
    Contact old = previous_[heritage_[i]];
    const double softer = old.stiffness / heirs_stiffness_[heritage_[i]];  // 1 unless a crack has been here
    old.stretch *= std::sqrt(softer);
    old.carried *= contact.stiffness / heirs_stiffness_[heritage_[i]];
    const double turn = rigid_.moves(contact.collider) ? rigid_.spin(contact.collider).dot(contact.normal) : 0;
    contact.follow(old, last_dt * relative_velocity(contact, velocity), last_dt * turn);
    contact.slacken(std::min(old.play, contact.depth));
    if (softer < 1) contact.slacken((1 - std::sqrt(softer)) * contact.depth);
    if (softer > 1) slip_loss_ += 0.5 * contact.stiffness * (softer - 1) * contact.depth * contact.depth;
  }
}

ColliderContacts::Limits ColliderContacts::limits(double mesh_thickness) const {
  Limits limits = limits_.with(resting_limits_);
  if (closing_ > 0) limits.longest = std::min(limits.longest, kShare * mesh_thickness / closing_);
  return limits;
}

void ColliderContacts::add_forces(const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force) {
  rigid_.clear_forces();
  for (Contact& contact : contacts_) {
    contact.collider_before = rigid_.velocity_at(contact.collider, contact.at);
    slip_loss_ +=
        contact.push(velocity[contact.node] - contact.collider_before, colliders()[contact.collider].friction);
    force[contact.node] += contact.force;
    rigid_.push(contact.collider, contact.at, -contact.force);
  }
  rigid_contacts_.add_forces(rigid_);
}

void ColliderContacts::add_force_rates(const Column<NodeId, Vec3>& velocity, const Column<NodeId, Vec3>& acceleration,
                                       Column<NodeId, Vec3>& force_rate) const {
  for (const Contact& contact : contacts_) {
    if (contact.force.dot(contact.normal) <= 0) continue;
    Vec3 rate =
        -contact.stiffness * relative_velocity(contact, velocity) - contact.damping * acceleration[contact.node];
    if (contact.slips) rate = rate.dot(contact.normal) * contact.normal;
    force_rate[contact.node] += rate;
  }
}

const ColliderContacts::Booking& ColliderContacts::account(double dt, const Column<NodeId, Vec3>& velocity) {
  booking_.force = resting_force_;
  booking_.force.resize(colliders().size(), Vec3::Zero());
  booking_.work.assign(colliders().size(), 0);
  booking_.dissipated = slip_loss_;
  for (Contact& contact : contacts_) {
    booking_.force[contact.collider] += contact.force;
    booking_.dissipated += contact.account(dt, relative_velocity(contact, velocity));
    if (rigid_.moves(contact.collider) && rigid_.inverse_mass(contact.collider) == 0) {
      const Vec3 moved = dt / 2 * (contact.collider_before + rigid_.velocity_at(contact.collider, contact.at));
      booking_.work[contact.collider] += contact.force.dot(moved);
    }
  }
  booking_.dissipated += rigid_contacts_.account(dt, rigid_, booking_.force, booking_.work);
  for (const RigidBodies::RopePull& rope : rigid_.ropes()) booking_.dissipated += rope.dissipated;
  return booking_;
}

double ColliderContacts::play(std::uint32_t surface_index, std::uint32_t collider) const {
  for (const auto* contacts : {&contacts_, &resting_}) {
    const std::size_t found = find_contact(*contacts, surface_index, collider);
    if (found != kNone) return (*contacts)[found].play;
  }
  return 0;
}

double ColliderContacts::energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                                double since_find, double back) const {
  const std::vector<Collider> placed = rigid_.any_moves() ? rigid_.colliders_before(back) : colliders();
  double energy = parallel_sum(surface_.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      for (std::size_t j = 0; j < placed.size(); ++j) {
        const double depth = penetration(placed[j], position[surface_[i]], 0).depth;
        if (!(depth > 0)) continue;
        const double pressed = depth - play(static_cast<std::uint32_t>(i), static_cast<std::uint32_t>(j));
        if (pressed > 0) sum += 0.5 * stiffness(i, placed[j]) * pressed * pressed;
      }
    }
    return sum;
  });
  for (const Contact& contact : resting_) energy += contact.stored();
  for (const Contact& contact : contacts_) {
    const Vec3 stretch =
        contact.stretch + since_find * tangential(relative_velocity(contact, velocity), contact.normal);
    energy += 0.5 * contact.stiffness * stretch.squaredNorm();
  }
  return energy + (rigid_.follows() ? 0 : rigid_contacts_.energy(rigid_, placed, since_find));
}

void ColliderContacts::list_touches(std::vector<NodeTouch>& touches) const {
  touches.clear();
  for (const Contact& c : contacts_) touches.push_back({c.node, c.collider});
}

void ColliderContacts::follow_sleep(const Asleep& asleep, const Column<NodeId, Vec3>& position,
                                    const Column<NodeId, Vec3>& velocity, double last_dt) {
  const auto rests = [&](const Contact& c) {
    return asleep[c.node] && (!rigid_.moves(c.collider) || asleep.collider(c.collider));
  };
  const auto settle = [&](Contact& c) {
    const Collider& collider = colliders()[c.collider];
    const Penetration p = penetration(collider, position[c.node], 0);
    if (!(p.depth > 0)) return false;
    c.at = position[c.node], c.depth = p.depth, c.normal = p.normal;
    c.slacken(std::min(std::exchange(c.play, 0), c.depth));
    const double turn = rigid_.moves(c.collider) ? rigid_.spin(c.collider).dot(c.normal) : 0;
    c.follow(ContactSpring(c), last_dt * relative_velocity(c, velocity), last_dt * turn);
    c.push(Vec3::Zero(), collider.friction);
    return true;
  };
  set_aside(contacts_, resting_, rests, settle, [](const Contact& a, const Contact& b) { return a.key() < b.key(); });
  // Until the next find(): those who wake may touch others too.
  limits_.elastic += resting_limits_.elastic, limits_.viscous += resting_limits_.viscous;
  limits_.smallest_ratio = std::min(limits_.smallest_ratio, resting_limits_.smallest_ratio);
  rigid_.follow_sleep(asleep);
  sum_up_resting();
}

void ColliderContacts::sum_up_resting() {
  resting_limits_ = {0, 0, std::numeric_limits<double>::infinity()};
  resting_force_.assign(colliders().size(), Vec3::Zero());
  resting_load_.assign(colliders().size(), {});
  double elastic = 0, viscous = 0;  // of one node
  for (std::size_t i = 0; i < resting_.size(); ++i) {
    const Contact& c = resting_[i];
    if (i > 0 && c.surface_index != resting_[i - 1].surface_index) elastic = viscous = 0;
    elastic += c.stiffness / mass_[c.surface_index];
    viscous += c.damping / mass_[c.surface_index];
    resting_limits_ = resting_limits_.with({elastic, viscous, c.damping / c.stiffness});
    resting_force_[c.collider] += c.force;
    const double mobility = rigid_.mobility(c.collider, c.at);
    resting_load_[c.collider].elastic += mobility * c.stiffness;
    resting_load_[c.collider].viscous += mobility * c.damping;
  }
}

void ColliderContacts::add_resting_forces(Column<NodeId, Vec3>& force) const {
  for (const Contact& c : resting_) force[c.node] += c.force;
}

void ColliderContacts::save(Writer& out) const {
  out.put<std::uint64_t>(contacts_.size());
  for (const Contact& c : contacts_) {  // the next find() needs no more of a contact
    out.put(c.surface_index), out.put(c.collider), out.put(c.stiffness), out.put(c.carried);
    out.put(c.at), out.put(c.normal), out.put(c.stretch), out.put(c.play);
  }
  out.put<std::uint64_t>(resting_.size());
  for (const Contact& c : resting_) {
    out.put(c.surface_index), out.put(c.collider), out.put(c.stiffness), out.put(c.carried);
    out.put(c.at), out.put(c.normal), out.put(c.stretch), out.put(c.play);
    out.put(c.depth), out.put(c.damping), out.put(c.force);
  }
  rigid_contacts_.save(out);
}

void ColliderContacts::save_surface(Writer& out) const {
  out.put_all(std::span<const NodeId>(surface_));
  out.put_all(std::span<const double>(stiffness_)), out.put_all(std::span<const double>(mass_));
}

void ColliderContacts::load_surface(Reader& in, std::size_t node_slots) {
  const std::vector<NodeId> nodes = in.get_all<NodeId>();
  const std::vector<double> stiffness = in.get_all<double>(), mass = in.get_all<double>();
  if (stiffness.size() != nodes.size() || mass.size() != nodes.size()) in.fail();
  surface_.clear(), stiffness_.clear(), mass_.clear(), contacts_.clear(), resting_.clear();
  sum_up_resting();
  place_.assign(node_slots, 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].index >= node_slots || place_[nodes[i]] != 0 || !(mass[i] > 0)) in.fail();
    set_node(nodes[i], stiffness[i], mass[i]);
  }
  known_ = surface_.size();
  twins_.clear();
  make_room();
}

void ColliderContacts::load(Reader& in) {
  const auto get_contact = [&](const std::vector<Contact>& before) {
    Contact c;
    c.surface_index = in.get<std::uint32_t>(), c.collider = in.get<std::uint32_t>();
    if (c.surface_index >= surface_.size() || c.collider >= colliders().size()) in.fail();
    if (!before.empty() && before.back().key() >= c.key()) in.fail();  // find() relies on the order
    c.node = surface_[c.surface_index];
    c.stiffness = in.get<double>(), c.carried = in.get<double>();
    c.at = in.get_vec3(), c.normal = in.get_vec3(), c.stretch = in.get_vec3(), c.play = in.get<double>();
    return c;
  };
  contacts_.clear(), resting_.clear();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) contacts_.push_back(get_contact(contacts_));
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    Contact c = get_contact(resting_);
    c.depth = in.get<double>(), c.damping = in.get<double>(), c.force = in.get_vec3();
    resting_.push_back(c);
  }
  sum_up_resting();
  rigid_contacts_.load(in);
}

}  // namespace sunder
