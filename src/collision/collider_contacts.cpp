#include "collision/collider_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <tuple>
#include <utility>

#include "core/parallel.h"

namespace sunder {
namespace {

constexpr std::size_t kChunk = 1024;  // surface nodes

Vec3 tangential(const Vec3& v, const Vec3& normal) { return v - v.dot(normal) * normal; }

}  // namespace

void ColliderContacts::set_surface(const std::vector<NodeId>& nodes, const Column<NodeId, double>& stiffness,
                                   const Column<NodeId, double>& mass) {
  surface_.clear(), stiffness_.clear(), mass_.clear();
  place_.assign(mass.size(), 0);
  for (const NodeId n : nodes) set_node(n, stiffness[n], mass[n]);
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

void ColliderContacts::make_room() {
  const std::size_t chunks = (surface_.size() + kChunk - 1) / kChunk;
  found_.resize(chunks);
  chunk_limits_.resize(chunks);
}

void ColliderContacts::find(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                            double last_dt) {
  limits_ = {0, 0, std::numeric_limits<double>::infinity()};
  std::swap(previous_, contacts_);
  contacts_.clear();
  if (colliders_.empty()) return;
  parallel_chunks(surface_.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    std::vector<Contact>& found = found_[begin / kChunk];
    Limits limits = {0, 0, std::numeric_limits<double>::infinity()};
    found.clear();
    for (std::size_t i = begin; i < end; ++i) {
      const NodeId n = surface_[i];
      const double reach = 2 * last_dt * velocity[n].norm();  // may touch before the next find()
      for (std::size_t j = 0; j < colliders_.size(); ++j) {
        const Penetration p = penetration(colliders_[j], position[n]);
        if (!(p.depth > -reach)) continue;
        const double k = stiffness(i, colliders_[j]);
        const double c = 2 * colliders_[j].damping * std::sqrt(k * mass_[i]);
        limits.elastic = std::max(limits.elastic, k / mass_[i]);
        limits.viscous = std::max(limits.viscous, c / mass_[i]);
        limits.smallest_ratio = std::min(limits.smallest_ratio, c / k);
        if (p.depth <= 0) continue;
        Contact contact;
        contact.surface_index = static_cast<std::uint32_t>(i);
        contact.collider = static_cast<std::uint32_t>(j);
        contact.node = n;
        contact.depth = p.depth;
        contact.normal = p.normal;
        contact.stiffness = k;
        contact.damping = c;
        found.push_back(contact);
      }
    }
    chunk_limits_[begin / kChunk] = limits;
  });
  for (std::size_t c = 0; c < found_.size(); ++c) {
    contacts_.insert(contacts_.end(), found_[c].begin(), found_[c].end());
    limits_.elastic = std::max(limits_.elastic, chunk_limits_[c].elastic);
    limits_.viscous = std::max(limits_.viscous, chunk_limits_[c].viscous);
    limits_.smallest_ratio = std::min(limits_.smallest_ratio, chunk_limits_[c].smallest_ratio);
  }
  // A lasting contact keeps its tangential spring, stretched by the motion since and turned into the new surface. A
  // spring whose contact has ended gives up what it held.
  slip_loss_ = 0;
  const auto key = [](const Contact& c) { return std::tuple(c.surface_index, c.collider); };
  auto old = previous_.begin();
  const auto part_until = [&](auto&& reached) {
    for (; old != previous_.end() && !reached(*old); ++old) slip_loss_ += old->carried;
  };
  for (Contact& contact : contacts_) {
    part_until([&](const Contact& c) { return key(c) >= key(contact); });
    if (old == previous_.end() || key(*old) != key(contact)) continue;
    contact.stretch = tangential(old->stretch + last_dt * velocity[contact.node], contact.normal);
    contact.carried = old->carried;
    ++old;
  }
  part_until([](const Contact&) { return false; });
}

void ColliderContacts::add_forces(const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force) {
  for (Contact& contact : contacts_) {
    const Vec3& v = velocity[contact.node];
    const double elastic = contact.stiffness * contact.depth;
    const double normal_force = std::max(0.0, elastic - contact.damping * v.dot(contact.normal));
    const double limit = colliders_[contact.collider].friction * normal_force;

    // Beyond the limit the spring lets go until it pulls with just that much; what it held beyond is heat.
    const double pull = contact.stiffness * contact.stretch.norm();
    contact.slips = pull > limit;
    if (contact.slips) {
      contact.stretch *= limit / pull;
      slip_loss_ += contact.carried - contact.stored();
    }
    contact.carried = contact.stored();
    contact.spring_along = -contact.stiffness * contact.stretch;
    Vec3 along = contact.spring_along - contact.damping * tangential(v, contact.normal);
    if (along.norm() > limit) along *= limit / along.norm();

    contact.dissipative = (normal_force - elastic) * contact.normal + (along - contact.spring_along);
    contact.force = normal_force * contact.normal + along;
    contact.velocity_before = v;
    force[contact.node] += contact.force;
  }
}

void ColliderContacts::add_force_rates(const Column<NodeId, Vec3>& velocity, const Column<NodeId, Vec3>& acceleration,
                                       Column<NodeId, Vec3>& force_rate) const {
  for (const Contact& contact : contacts_) {
    if (contact.force.dot(contact.normal) <= 0) continue;
    Vec3 rate = -contact.stiffness * velocity[contact.node] - contact.damping * acceleration[contact.node];
    if (contact.slips) rate = rate.dot(contact.normal) * contact.normal;
    force_rate[contact.node] += rate;
  }
}

const ColliderContacts::Booking& ColliderContacts::account(double dt, const Column<NodeId, Vec3>& velocity) {
  booking_.force.assign(colliders_.size(), Vec3::Zero());
  booking_.dissipated = slip_loss_;
  for (Contact& contact : contacts_) {
    const Vec3 moved = dt * 0.5 * (contact.velocity_before + velocity[contact.node]);
    booking_.force[contact.collider] += contact.force;
    booking_.dissipated -= contact.dissipative.dot(moved);
    contact.carried -= contact.spring_along.dot(moved);
  }
  return booking_;
}

double ColliderContacts::energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                                double half_dt) const {
  double energy = parallel_sum(surface_.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    double sum = 0;
    for (std::size_t i = begin; i < end; ++i) {
      for (const Collider& collider : colliders_) {
        const double depth = penetration(collider, position[surface_[i]]).depth;
        if (depth > 0) sum += 0.5 * stiffness(i, collider) * depth * depth;
      }
    }
    return sum;
  });
  for (const Contact& contact : contacts_) {
    const Vec3 stretch = contact.stretch + half_dt * tangential(velocity[contact.node], contact.normal);
    energy += 0.5 * contact.stiffness * stretch.squaredNorm();
  }
  return energy;
}

void ColliderContacts::save(Writer& out) const {
  out.put(limits_.elastic), out.put(limits_.viscous), out.put(limits_.smallest_ratio);
  out.put<std::uint64_t>(contacts_.size());
  for (const Contact& c : contacts_) {  // the next find() needs no more of a contact
    out.put(c.surface_index), out.put(c.collider), out.put(c.stiffness), out.put(c.carried);
    out.put(c.normal), out.put(c.stretch);
  }
}

void ColliderContacts::save_surface(Writer& out) const {
  out.put_all(std::span<const NodeId>(surface_));
  out.put_all(std::span<const double>(stiffness_)), out.put_all(std::span<const double>(mass_));
}

void ColliderContacts::load_surface(Reader& in, std::size_t node_slots) {
  const std::vector<NodeId> nodes = in.get_all<NodeId>();
  const std::vector<double> stiffness = in.get_all<double>(), mass = in.get_all<double>();
  if (stiffness.size() != nodes.size() || mass.size() != nodes.size()) in.fail();
  surface_.clear(), stiffness_.clear(), mass_.clear(), contacts_.clear();
  place_.assign(node_slots, 0);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (nodes[i].index >= node_slots || place_[nodes[i]] != 0 || !(mass[i] > 0)) in.fail();
    set_node(nodes[i], stiffness[i], mass[i]);
  }
  make_room();
}

void ColliderContacts::load(Reader& in) {
  limits_.elastic = in.get<double>(), limits_.viscous = in.get<double>(), limits_.smallest_ratio = in.get<double>();
  contacts_.clear();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    Contact c;
    c.surface_index = in.get<std::uint32_t>(), c.collider = in.get<std::uint32_t>();
    if (c.surface_index >= surface_.size() || c.collider >= colliders_.size()) in.fail();
    if (!contacts_.empty() && std::pair(contacts_.back().surface_index, contacts_.back().collider) >=
                                  std::pair(c.surface_index, c.collider)) {
      in.fail();  // find() relies on the order
    }
    c.node = surface_[c.surface_index];
    c.stiffness = in.get<double>(), c.carried = in.get<double>();
    c.normal = in.get_vec3(), c.stretch = in.get_vec3();
    contacts_.push_back(c);
  }
}

}  // namespace sunder
