// What lasts beyond a step: energies, contacts that rest, and what a checkpoint keeps.

#include <algorithm>

#include "collision/overlap_contacts.h"
#include "collision/set_aside.h"

namespace sunder {

double OverlapContacts::energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                               double dt) const {
  double energy = 0;
  for (const auto* contacts : {&contacts_, &resting_}) {
    for (const Contact& c : *contacts) {
      const Vec3 stretch = c.stretch + dt * tangential(c.relative(velocity), c.in.normal);
      energy += 0.5 * c.stiffness * stretch.squaredNorm();
      const double volume = c.pressing();
      const double closer = std::max(-c.relative(position).dot(c.in.normal) - c.settled, -volume / c.in.area);
      energy += std::max(0.0, c.kept + c.share * c.modulus * (volume + 0.5 * c.in.area * closer) * closer);
    }
  }
  return energy;
}

double OverlapContacts::volume() const {
  double sum = 0;
  for (const Contact& c : contacts_) sum += c.in.volume;
  for (const Contact& c : resting_) sum += c.in.volume;
  return sum;
}

void OverlapContacts::list_touches(std::vector<Touch>& touches) const {
  touches.clear();
  for (const Contact& c : contacts_) touches.push_back({c.nodes_a[0], c.nodes_b[0], c.pressing() > 0});
}

void OverlapContacts::follow_sleep(const TouchingBodies& bodies, double last_dt) {
  const auto rests = [&](const Contact& c) { return bodies.sleeps(c.nodes_a[0]) && bodies.sleeps(c.nodes_b[0]); };
  const auto settle = [&](Contact& c) {  // as take_over() would, on the way that the last step has gone
    const Vec3 moved = last_dt * c.relative(bodies.velocity);
    const double closer = -moved.dot(c.in.normal);
    c.in.volume += c.in.area * closer;
    c.settled += closer;
    const double elastic_before = c.elastic;
    c.elastic = c.share * c.modulus * c.pressing();
    c.kept = std::max(0.0, c.kept + 0.5 * (elastic_before + c.elastic) * closer);
    c.stretch = tangential(c.stretch + moved, c.in.normal);
    c.carried = c.stored();
    return c.in.volume > 0;
  };
  set_aside(contacts_, resting_, rests, settle, [](const Contact& a, const Contact& b) { return a < b; });
  const double longest = limits_.longest;
  limits_ = bound_step(bodies, contacts_);
  limits_.longest = longest;
  resting_limits_ = bound_step(bodies, resting_);
  near_.search_again();
}

void OverlapContacts::add_resting_forces(Column<NodeId, Vec3>& force) const {
  for (const Contact& c : resting_) c.push_apart(c.elastic * c.in.normal - c.stiffness * c.stretch, force);
}

void OverlapContacts::drop_gone(const TetMesh& mesh) {
  const auto gone = [&](const Contact& c) { return !mesh.alive(c.nodes_a[0]) || !mesh.alive(c.nodes_b[0]); };
  std::erase_if(contacts_, gone);
  if (std::erase_if(resting_, gone) > 0) resting_changed_ = true;
  unarmed_.keep_if([&](NodeId n) { return mesh.alive(n); });
}

void OverlapContacts::forget() {
  near_ = new_search();
  contacts_.clear(), previous_.clear(), resting_.clear();
  resting_changed_ = true;
  unarmed_.clear();
}

void OverlapContacts::save(Writer& out) const {
  out.put_all(unarmed_.nodes());
  for (const auto* contacts : {&contacts_, &resting_}) {
    out.put<std::uint64_t>(contacts->size());
    for (const Contact& c : *contacts) {  // the next find() needs no more of a contact
      out.put(c.a), out.put(c.b), out.put(c.nodes_a), out.put(c.nodes_b);
      out.put(c.in.volume), out.put(c.in.area), out.put(c.in.height), out.put(c.in.normal);
      out.put(c.in.at_a), out.put(c.in.at_b);
      out.put(c.kept), out.put(c.share), out.put(c.elastic), out.put(c.settled);
      out.put(c.modulus), out.put(c.stiffness), out.put(c.sides), out.put(c.free), out.put(c.stretch);
      out.put(c.carried), out.put(c.damping), out.put(c.in.surface);
    }
  }
}

void OverlapContacts::load(Reader& in, const TetMesh& mesh) {
  forget();
  const auto require_node = [&](NodeId n) {
    if (!mesh.alive(n)) in.fail();
  };
  for (const NodeId n : in.get_all<NodeId>()) {
    require_node(n);
    disarm(n);
  }
  for (auto* contacts : {&contacts_, &resting_}) {
    for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
      Contact c;
      c.a = in.get<Uid>(), c.b = in.get<Uid>();
      c.nodes_a = in.get<std::array<NodeId, 4>>(), c.nodes_b = in.get<std::array<NodeId, 4>>();
      for (const NodeId n : c.nodes_a) require_node(n);
      for (const NodeId n : c.nodes_b) require_node(n);
      if (!contacts->empty() && !(contacts->back() < c)) in.fail();  // find() relies on the order
      c.in.volume = in.get<double>(), c.in.area = in.get<double>(), c.in.height = in.get<double>();
      c.in.normal = c.normal = in.get_vec3();
      c.in.at_a = in.get<std::array<double, 4>>(), c.in.at_b = in.get<std::array<double, 4>>();
      c.kept = in.get<double>(), c.share = in.get<double>(), c.elastic = in.get<double>();
      c.settled = in.get<double>();
      c.modulus = in.get<double>(), c.stiffness = in.get<double>(), c.sides = in.get<double>();
      c.free = in.get<double>(), c.stretch = in.get_vec3();
      c.carried = in.get<double>(), c.damping = in.get<double>(), c.in.surface = in.get<double>();
      contacts->push_back(c);
    }
  }
}

}  // namespace sunder
