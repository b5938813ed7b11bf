#pragma once
// Contacts between bodies that are springs, whatever the criterion that finds them: their forces and books, those that
// rest while both sides sleep, what a checkpoint keeps of them. A criterion finds the contacts of a step and hands on
// what the old ones hold.
//
// Contact is a ContactSpring that knows its two sides:
//   one(), other()                     a node of each
//   relative(velocity)                 of the one against the other, where they touch
//   push_apart(push, force)            adds the push to the one's nodes and takes it from the other's
//   presses()                          whether it does
//   push(v, friction)                  as ContactSpring's
//   weigh(visit), bound_stiffness()    the row and the stiffness for SpringBound
//   settle(moved)                      comes to rest after the two have moved so far (m); false if they part by that
//   resting_force()                    N, on the one
//   energy(position, velocity, dt)     J, near those of find(), `dt` later
//   save(out), load(in)                what the next find() needs
//   for_each_node(visit)
//   earlier(a, b)                      the order in which a criterion keeps them; may_follow(a, b) if b may come next

#include <algorithm>
#include <limits>
#include <utility>
#include <vector>

#include "collision/between_bodies.h"
#include "collision/contact_spring.h"
#include "collision/set_aside.h"
#include "collision/spring_bound.h"
#include "collision/unarmed_nodes.h"

namespace sunder {

template <class Contact>
class SpringContacts : public BetweenBodies {
 public:
  void find(const TouchingBodies& bodies, double last_dt) final {
    limits_ = kNoLimits;
    lost_ = 0;
    if (!rules_.on) return;
    if (std::exchange(resting_changed_, false)) resting_limits_ = bound_step(bodies, resting_);
    if (bodies.asleep != nullptr && bodies.asleep->count == bodies.mesh.node_count()) return;  // all contacts rest
    std::swap(previous_, contacts_);
    contacts_.clear();
    const std::span<const NodeId> nodes = find_contacts(bodies, last_dt);
    limits_ = bound_step(bodies, contacts_);
    limits_.longest = time_to_travel(kTravel * edge_, nodes, bodies.velocity, fastest_);
  }

  void add_forces(const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force) final {
    for (Contact& c : contacts_) {
      lost_ += c.push(c.relative(velocity), rules_.friction);
      c.push_apart(c.force, force);
    }
  }
  void add_force_rates(const Column<NodeId, Vec3>& velocity, const Column<NodeId, Vec3>& acceleration,
                       Column<NodeId, Vec3>& force_rate) const final {
    for (const Contact& c : contacts_) {
      if (c.force.dot(c.normal) <= 0) continue;
      const Vec3 rate = -c.stiffness * c.relative(velocity) - c.damping * c.relative(acceleration);
      c.push_apart(c.slips ? Vec3(rate.dot(c.normal) * c.normal) : rate, force_rate);
    }
  }
  double account(double dt, const Column<NodeId, Vec3>& velocity) final {
    double dissipated = lost_;
    for (Contact& c : contacts_) dissipated += c.account(dt, c.relative(velocity));
    return dissipated;
  }
  double energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity, double dt) const final {
    double energy = 0;
    for (const auto* contacts : {&contacts_, &resting_}) {
      for (const Contact& c : *contacts) energy += c.energy(position, velocity, dt);
    }
    return energy;
  }
  ColliderContacts::Limits limits() const final { return limits_.with(resting_limits_); }
  std::size_t touching() const final { return contacts_.size() + resting_.size(); }

  void disarm(NodeId node) final { unarmed_.add(node); }
  bool armed(NodeId node) const { return !unarmed_.holds(node); }

  void follow_sleep(const TouchingBodies& bodies, double last_dt) final {
    set_aside(
        contacts_, resting_, [&](const Contact& c) { return bodies.sleeps(c.one()) && bodies.sleeps(c.other()); },
        [&](Contact& c) { return c.settle(last_dt * c.relative(bodies.velocity)); },
        [](const Contact& a, const Contact& b) { return earlier(a, b); });
    const double longest = limits_.longest;
    limits_ = bound_step(bodies, contacts_);
    limits_.longest = longest;
    resting_limits_ = bound_step(bodies, resting_);
    search_again();
  }
  void add_resting_forces(Column<NodeId, Vec3>& force) const final {
    for (const Contact& c : resting_) c.push_apart(c.resting_force(), force);
  }
  void list_touches(std::vector<Touch>& touches) const final {
    touches.clear();
    for (const Contact& c : contacts_) touches.push_back({c.one(), c.other(), c.presses()});
  }

  void drop_gone(const TetMesh& mesh) final {
    const auto gone = [&](const Contact& c) { return !mesh.alive(c.one()) || !mesh.alive(c.other()); };
    std::erase_if(contacts_, gone);
    if (std::erase_if(resting_, gone) > 0) resting_changed_ = true;
    unarmed_.keep_if([&](NodeId n) { return mesh.alive(n); });
  }
  void forget() final {
    forget_search();
    contacts_.clear(), previous_.clear(), resting_.clear();
    resting_changed_ = true;
    unarmed_.clear();
  }

  void save(Writer& out) const final {
    out.put_all(unarmed_.nodes());
    for (const auto* contacts : {&contacts_, &resting_}) {
      out.put<std::uint64_t>(contacts->size());
      for (const Contact& c : *contacts) c.save(out);
    }
  }
  void load(Reader& in, const TetMesh& mesh) final {
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
        c.load(in);
        c.for_each_node(require_node);
        if (!contacts->empty() && !may_follow(contacts->back(), c)) in.fail();  // criteria rely on the order
        contacts->push_back(c);
      }
    }
  }

 protected:
  static constexpr double kJump = 0.002;  // edges: a depth that grows by more than the motion explains has not grown

  SpringContacts(const ContactRules& rules, double edge) : rules_(rules), edge_(edge) {}

  // Finds contacts_, in order, and gives them what previous_ hold; what those lose is lost_. Returns the nodes of all
  // that could touch.
  virtual std::span<const NodeId> find_contacts(const TouchingBodies& bodies, double last_dt) = 0;
  virtual void search_again() = 0;   // others sleep than before
  virtual void forget_search() = 0;  // another mesh

  const ContactRules rules_;
  const double edge_;                         // m
  std::vector<Contact> contacts_, previous_;  // of this step and the last
  std::vector<Contact> resting_;              // both sides asleep; in order
  UnarmedNodes unarmed_;
  double lost_ = 0;  // J, in this step

 private:
  static constexpr double kTravel =
      0.05;  // edges a step: less than any sound tet's height, and than the searches reach
  static constexpr ColliderContacts::Limits kNoLimits = {0, 0, std::numeric_limits<double>::infinity()};

  ColliderContacts::Limits bound_step(const TouchingBodies& bodies, const std::vector<Contact>& contacts) {
    return spring_bound_.find(bodies.mass, [&](auto&& visit) {
      for (const Contact& c : contacts) {
        if (c.presses()) visit([&](auto&& weight) { c.weigh(weight); }, c.bound_stiffness(), c.damping);
      }
    });
  }

  ColliderContacts::Limits limits_ = kNoLimits, resting_limits_ = kNoLimits;
  bool resting_changed_ = false;  // since resting_limits_ was found
  SpringBound spring_bound_;
  std::vector<double> fastest_;  // scratch
};

}  // namespace sunder
