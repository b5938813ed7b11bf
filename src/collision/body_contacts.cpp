#include "collision/body_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "collision/set_aside.h"
#include "core/parallel.h"
#include "geometry/triangle.h"

namespace sunder {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kGroupsPerTask = 64;

// In edges. A contact moves by v h / c: a tenth of an edge at a tenth of the speed of sound.
constexpr double kReach = 0.15, kMargin = 0.1;
constexpr double kTravel = 0.05;  // of a step: whoever is about to go beyond the reach has been seen within it
constexpr double kJump = 0.002;   // a depth that grows by more than the motion explains has not grown

// Of the node against the element, at its place by the weights.
Vec3 relative(const NodePenetration& in, const std::array<double, 4>& weights, const Column<NodeId, Vec3>& v) {
  Vec3 result = v[in.node];
  for (std::size_t i = 0; i < 4; ++i) result -= weights[i] * v[in.element[i]];
  return result;
}

// The same as the contact feels it: across the face at its nearest point, along it where the node is.
Vec3 relative(const NodePenetration& in, const Column<NodeId, Vec3>& v) {
  return relative(in, in.at_face, v).dot(in.normal) * in.normal + tangential(relative(in, in.at_node, v), in.normal);
}

void push_apart(const NodePenetration& in, const Vec3& push, Column<NodeId, Vec3>& force) {
  const Vec3 across = push.dot(in.normal) * in.normal, along = push - across;
  force[in.node] += push;
  for (std::size_t i = 0; i < 4; ++i) force[in.element[i]] -= in.at_face[i] * across + in.at_node[i] * along;
}

bool is_crack_face(const TetMesh& mesh, std::uint32_t face) {
  const Corner c = face_of(face);
  return (mesh.crack_faces(c.tet) >> c.index & 1) != 0;
}

}  // namespace

BodyContacts::BodyContacts(const ContactRules& rules, double edge)
    : rules_(rules), edge_(edge), near_(kReach * edge, kMargin * edge) {}

bool BodyContacts::unarmed(const Contact& contact, const TetMesh& mesh) const {
  const bool node = !armed(contact.in.node);
  const bool face = !armed(contact.in.element[0]) || !armed(contact.in.element[1]) || !armed(contact.in.element[2]);
  return is_crack_face(mesh, contact.in.face) ? node || face : node && face;  // where a crack meets the outer surface
}

// The boundary faces round the one that a contact was last pressed through.
void BodyContacts::add_faces_round(const Contact& contact, const TetMesh& mesh) {
  for (std::size_t corner = 0; corner < 3; ++corner) {
    for (const Corner c : mesh.star(contact.in.element[corner])) {
      if (are_neighbours(mesh, contact.in.node, c.tet)) continue;
      for (int f = 0; f < 4; ++f) {
        if (f != c.index && !mesh.neighbour({c.tet, f}).valid()) group_faces_.push_back(face_number({c.tet, f}));
      }
    }
  }
}

// The pairs by node; and those who have been pressed deeper than the list reaches keep the faces round their last one.
void BodyContacts::make_groups(const TouchingBodies& bodies) {
  groups_.clear(), group_faces_.clear();
  const auto pairs = near_.pairs();
  std::size_t pair = 0, old = 0;
  while (pair < pairs.size() || old < previous_.size()) {
    Group group;
    group.node = pair < pairs.size() ? pairs[pair].node : previous_[old].in.node;
    if (old < previous_.size()) group.node = std::min(group.node, previous_[old].in.node);
    group.reach = kReach * edge_;
    group.first = static_cast<std::uint32_t>(group_faces_.size());
    const bool sleeps = bodies.sleeps(group.node);
    for (; pair < pairs.size() && pairs[pair].node == group.node; ++pair) {
      if (sleeps && bodies.sleeps(bodies.mesh.corners(face_of(pairs[pair].face).tet)[0])) continue;
      group_faces_.push_back(pairs[pair].face);
    }
    for (; old < previous_.size() && previous_[old].in.node == group.node; ++old) {
      if (previous_[old].in.depth < 0.5 * kReach * edge_) continue;
      group.reach = kInfinity;
      add_faces_round(previous_[old], bodies.mesh);
    }
    const auto begin = group_faces_.begin() + group.first;
    std::sort(begin, group_faces_.end());
    group_faces_.erase(std::unique(begin, group_faces_.end()), group_faces_.end());
    group.last = static_cast<std::uint32_t>(group_faces_.size());
    if (group.last > group.first) groups_.push_back(group);
  }
}

void BodyContacts::look_at(const TouchingBodies& bodies, Group& group, std::vector<NodePenetration>& found) const {
  const std::span<const std::uint32_t> faces(group_faces_.data() + group.first, group.last - group.first);
  const std::size_t before = found.size();
  find_penetrations(bodies.mesh, bodies.position, group.node, faces, group.reach, found);
  group.at_a_crack = false;
  if (armed(group.node)) return;
  const auto touches = [&](std::uint32_t face) {
    if (!is_crack_face(bodies.mesh, face)) return false;
    const auto n = bodies.mesh.face_nodes(face_of(face));
    const Vec3& x = bodies.position[group.node];
    const TrianglePoint at = closest_point({bodies.position[n[0]], bodies.position[n[1]], bodies.position[n[2]]}, x);
    return (at.point - x).norm() <= rules_.gap * edge_;
  };
  group.at_a_crack = found.size() > before || std::any_of(faces.begin(), faces.end(), touches);
}

void BodyContacts::arm(const TouchingBodies& bodies) {
  auto group = groups_.begin();
  unarmed_.arm([&](NodeId n) {
    while (group != groups_.end() && group->node < n) ++group;
    return bodies.sleeps(n) || (group != groups_.end() && group->node == n && group->at_a_crack);
  });
}

// k of two springs in a row, c from the mass that they move.
void BodyContacts::begin(Contact& c, const TouchingBodies& bodies, double approach) const {
  double element_stiffness = 0, inverse_mass = 1 / bodies.mass[c.in.node];
  for (std::size_t i = 0; i < 3; ++i) {
    element_stiffness += c.in.at_face[i] * bodies.stiffness[c.in.element[i]];
    inverse_mass += c.in.at_face[i] * c.in.at_face[i] / bodies.mass[c.in.element[i]];
  }
  const double own = bodies.stiffness[c.in.node];
  c.stiffness = rules_.stiffness * own * element_stiffness / (own + element_stiffness);
  c.damping = 2 * rules_.damping * std::sqrt(c.stiffness / inverse_mass);
  if (c.in.depth > approach + kJump * edge_) c.free = c.in.depth;
}

void BodyContacts::find(const TouchingBodies& bodies, double last_dt) {
  limits_ = {0, 0, kInfinity, kInfinity};
  lost_ = 0;
  if (!rules_.on) return;
  if (std::exchange(resting_changed_, false)) resting_limits_ = bound_step(bodies, resting_);
  if (bodies.asleep != nullptr && bodies.asleep->count == bodies.mesh.node_count()) return;  // all contacts rest
  near_.update(bodies.mesh, bodies.position, bodies.asleep);
  std::swap(previous_, contacts_);
  contacts_.clear();
  make_groups(bodies);
  const std::size_t tasks = (groups_.size() + kGroupsPerTask - 1) / kGroupsPerTask;
  found_.resize(std::max(found_.size(), tasks));
  parallel_chunks(groups_.size(), kGroupsPerTask, [&](std::size_t begin, std::size_t end) {
    std::vector<NodePenetration>& found = found_[begin / kGroupsPerTask];
    found.clear();
    for (std::size_t g = begin; g < end; ++g) look_at(bodies, groups_[g], found);
  });
  for (std::size_t task = 0; task < tasks; ++task) {
    for (const NodePenetration& p : found_[task]) {
      Contact contact;
      contact.in = p;
      contact.normal = p.normal;
      contacts_.push_back(contact);
    }
  }
  if (!unarmed_.empty()) arm(bodies);
  take_over(bodies, last_dt);
  limits_ = bound_step(bodies, contacts_);
  limits_.longest = time_to_travel(kTravel * edge_, near_.search().nodes(), bodies.velocity, fastest_);
}

// A lasting contact keeps its stiffness, its free depth and the spring along the surface, stretched by the motion
// since.
void BodyContacts::take_over(const TouchingBodies& bodies, double last_dt) {
  auto old = previous_.begin();
  taken_.assign(previous_.size(), 0);
  for (Contact& c : contacts_) {
    while (old != previous_.end() && old->in.node < c.in.node) ++old;
    Contact* same = nullptr;
    for (auto o = old; o != previous_.end() && o->in.node == c.in.node; ++o) {
      if (taken_[static_cast<std::size_t>(o - previous_.begin())] != 0) continue;
      if (same == nullptr || o->normal.dot(c.normal) > same->normal.dot(c.normal)) same = &*o;
    }
    const double approach = -last_dt * relative(c.in, bodies.velocity).dot(c.normal);  // depth gained, m
    begin(c, bodies, approach);
    if (same != nullptr) {
      taken_[static_cast<std::size_t>(same - previous_.data())] = 1;
      c.free = same->free;
      const double grown = same->in.depth + approach;
      if (c.in.depth > grown + kJump * edge_) c.free += c.in.depth - grown;
      if (c.in.depth < grown - kJump * edge_) lost_ += same->pressed(grown) - same->pressed(c.in.depth);
      c.follow(*same, last_dt * relative(c.in, bodies.velocity), 0);
      // The stiffness lasts, whatever the node slides over. If the node itself has got weaker by a crack, so does the
      // spring, and gives up its share.
      const double left = std::min(1.0, bodies.stiffness[c.in.node] / same->own_stiffness);
      c.stiffness = left * same->stiffness, c.damping = left * same->damping;
      if (left < 1) {
        lost_ += (1 - left) * (same->pressed(c.in.depth) + c.carried);
        c.carried *= left;
      }
    }
    c.own_stiffness = bodies.stiffness[c.in.node];
    if (unarmed(c, bodies.mesh)) {
      c.free = std::max(c.free, rules_.play * edge_);
    } else {
      c.free = std::min(c.free, c.in.depth);
    }
    c.depth = std::max(0.0, c.in.depth - c.free);
  }
  for (std::size_t i = 0; i < previous_.size(); ++i) {
    if (taken_[i] != 0) continue;
    const Contact& ended = previous_[i];  // if not because it has come out, what was in its spring is gone
    const double approach = -last_dt * relative(ended.in, bodies.velocity).dot(ended.normal);
    lost_ += ended.pressed(ended.in.depth + approach) + ended.carried;
  }
}

ColliderContacts::Limits BodyContacts::bound_step(const TouchingBodies& bodies, const std::vector<Contact>& contacts) {
  return spring_bound_.find(bodies.mass, [&](auto&& visit) {
    for (const Contact& c : contacts) {
      if (!(c.depth > 0)) continue;
      const auto row = [&](auto&& weigh) {
        weigh(c.in.node, 1.0);
        for (std::size_t i = 0; i < 4; ++i)
          weigh(c.in.element[i], std::max(c.in.at_face[i], std::abs(c.in.at_node[i])));
      };
      visit(row, c.stiffness, c.damping);
    }
  });
}

void BodyContacts::add_forces(const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force) {
  for (Contact& c : contacts_) {
    lost_ += c.push(relative(c.in, velocity), rules_.friction);
    push_apart(c.in, c.force, force);
  }
}

void BodyContacts::add_force_rates(const Column<NodeId, Vec3>& velocity, const Column<NodeId, Vec3>& acceleration,
                                   Column<NodeId, Vec3>& force_rate) const {
  for (const Contact& c : contacts_) {
    if (c.force.dot(c.normal) <= 0) continue;
    const Vec3 rate = -c.stiffness * relative(c.in, velocity) - c.damping * relative(c.in, acceleration);
    push_apart(c.in, c.slips ? Vec3(rate.dot(c.normal) * c.normal) : rate, force_rate);
  }
}

double BodyContacts::account(double dt, const Column<NodeId, Vec3>& velocity) {
  double dissipated = lost_;
  for (Contact& c : contacts_) dissipated += c.account(dt, relative(c.in, velocity));
  return dissipated;
}

double BodyContacts::energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                            double dt) const {
  double energy = 0;
  for (const auto* contacts : {&contacts_, &resting_}) {
    for (const Contact& c : *contacts) {
      const double depth = std::max(0.0, -relative(c.in, c.in.at_face, position).dot(c.normal) - c.free);
      const Vec3 stretch = c.stretch + dt * tangential(relative(c.in, velocity), c.normal);
      energy += 0.5 * c.stiffness * (depth * depth + stretch.squaredNorm());
    }
  }
  return energy;
}

void BodyContacts::list_touches(std::vector<Touch>& touches) const {
  touches.clear();
  for (const Contact& c : contacts_) touches.push_back({c.in.node, c.in.element[0], c.depth > 0});
}

void BodyContacts::follow_sleep(const TouchingBodies& bodies, double last_dt) {
  const auto rests = [&](const Contact& c) { return bodies.sleeps(c.in.node) && bodies.sleeps(c.in.element[0]); };
  const auto settle = [&](Contact& c) {
    const Vec3 moved = last_dt * relative(c.in, bodies.velocity);
    c.in.depth -= moved.dot(c.normal);
    c.depth = std::max(0.0, c.in.depth - c.free);
    c.stretch = tangential(c.stretch + moved, c.normal);
    c.carried = c.stored();
    return c.in.depth > 0;
  };
  set_aside(contacts_, resting_, rests, settle,
            [](const Contact& a, const Contact& b) { return a.in.node < b.in.node; });
  const double longest = limits_.longest;
  limits_ = bound_step(bodies, contacts_);
  limits_.longest = longest;
  resting_limits_ = bound_step(bodies, resting_);
  near_.search_again();
}

void BodyContacts::add_resting_forces(Column<NodeId, Vec3>& force) const {
  for (const Contact& c : resting_) push_apart(c.in, c.stiffness * (c.depth * c.normal - c.stretch), force);
}

void BodyContacts::drop_gone(const TetMesh& mesh) {
  const auto gone = [&](const Contact& c) { return !mesh.alive(c.in.node) || !mesh.alive(c.in.element[0]); };
  std::erase_if(contacts_, gone);
  if (std::erase_if(resting_, gone) > 0) resting_changed_ = true;
  unarmed_.keep_if([&](NodeId n) { return mesh.alive(n); });
}

void BodyContacts::save(Writer& out) const {
  out.put_all(unarmed_.nodes());
  for (const auto* contacts : {&contacts_, &resting_}) {
    out.put<std::uint64_t>(contacts->size());
    for (const Contact& c : *contacts) {  // the next find() needs no more of a contact
      out.put(c.in.node), out.put(c.in.element), out.put(c.in.depth), out.put(c.in.normal);
      out.put(c.in.at_face), out.put(c.in.at_node);
      out.put(c.free), out.put(c.stiffness), out.put(c.damping), out.put(c.own_stiffness);
      out.put(c.stretch), out.put(c.carried);
    }
  }
}

void BodyContacts::forget() {
  near_ = NearFaces(kReach * edge_, kMargin * edge_);
  groups_.clear(), contacts_.clear(), previous_.clear(), resting_.clear();
  resting_changed_ = true;
  unarmed_.clear();
}

void BodyContacts::load(Reader& in, const TetMesh& mesh) {
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
      c.in.node = in.get<NodeId>(), c.in.element = in.get<std::array<NodeId, 4>>();
      require_node(c.in.node);
      for (const NodeId n : c.in.element) require_node(n);
      if (!contacts->empty() && c.in.node < contacts->back().in.node) in.fail();  // find() relies on the order
      c.in.depth = in.get<double>(), c.in.normal = c.normal = in.get_vec3();
      c.in.at_face = in.get<std::array<double, 4>>(), c.in.at_node = in.get<std::array<double, 4>>();
      c.free = in.get<double>(), c.stiffness = in.get<double>(), c.damping = in.get<double>();
      c.own_stiffness = in.get<double>();
      c.stretch = in.get_vec3(), c.carried = in.get<double>();
      c.depth = std::max(0.0, c.in.depth - c.free);
      contacts->push_back(c);
    }
  }
}

}  // namespace sunder
