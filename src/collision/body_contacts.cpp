#include "collision/body_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

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
Vec3 relative(const NodePenetration& c, const std::array<double, 4>& weights, const Column<NodeId, Vec3>& v) {
  Vec3 result = v[c.node];
  for (std::size_t i = 0; i < 4; ++i) result -= weights[i] * v[c.element[i]];
  return result;
}

void push_apart(const NodePenetration& c, const std::array<double, 4>& weights, const Vec3& push,
                Column<NodeId, Vec3>& force) {
  force[c.node] += push;
  for (std::size_t i = 0; i < 4; ++i) force[c.element[i]] -= weights[i] * push;
}

bool is_crack_face(const TetMesh& mesh, std::uint32_t face) {
  const Corner c = face_of(face);
  return (mesh.crack_faces(c.tet) >> c.index & 1) != 0;
}

}  // namespace

BodyContacts::BodyContacts(const ContactRules& rules, double edge)
    : rules_(rules), edge_(edge), near_(kReach * edge, kMargin * edge) {}

bool BodyContacts::unarmed(const Contact& contact, const TetMesh& mesh) const {
  const bool node = !armed(contact.node);
  const bool face = !armed(contact.element[0]) || !armed(contact.element[1]) || !armed(contact.element[2]);
  return is_crack_face(mesh, contact.face) ? node || face : node && face;  // where a crack meets the outer surface
}

// The boundary faces round the one that a contact was last pressed through.
void BodyContacts::add_faces_round(const Contact& contact, const TetMesh& mesh) {
  for (std::size_t corner = 0; corner < 3; ++corner) {
    for (const Corner c : mesh.star(contact.element[corner])) {
      if (are_neighbours(mesh, contact.node, c.tet)) continue;
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
    group.node = pair < pairs.size() ? pairs[pair].node : previous_[old].node;
    if (old < previous_.size()) group.node = std::min(group.node, previous_[old].node);
    group.reach = kReach * edge_;
    group.first = static_cast<std::uint32_t>(group_faces_.size());
    for (; pair < pairs.size() && pairs[pair].node == group.node; ++pair) group_faces_.push_back(pairs[pair].face);
    for (; old < previous_.size() && previous_[old].node == group.node; ++old) {
      if (previous_[old].depth < 0.5 * kReach * edge_) continue;
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

void BodyContacts::arm() {
  auto group = groups_.begin();
  unarmed_.arm([&](NodeId n) {
    while (group != groups_.end() && group->node < n) ++group;
    return group != groups_.end() && group->node == n && group->at_a_crack;
  });
}

// k of two springs in a row, c from the mass that they move.
void BodyContacts::begin(Contact& c, const TouchingBodies& bodies, double approach) const {
  double element_stiffness = 0, inverse_mass = 1 / bodies.mass[c.node];
  for (std::size_t i = 0; i < 3; ++i) {
    element_stiffness += c.at_face[i] * bodies.stiffness[c.element[i]];
    inverse_mass += c.at_face[i] * c.at_face[i] / bodies.mass[c.element[i]];
  }
  const double own = bodies.stiffness[c.node];
  c.stiffness = rules_.stiffness * own * element_stiffness / (own + element_stiffness);
  c.damping = 2 * rules_.damping * std::sqrt(c.stiffness / inverse_mass);
  if (c.depth > approach + kJump * edge_) c.free = c.depth;
}

void BodyContacts::find(const TouchingBodies& bodies, double last_dt) {
  limits_ = {0, 0, kInfinity, kInfinity};
  lost_ = 0;
  if (!rules_.on) return;
  near_.update(bodies.mesh, bodies.position);
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
      static_cast<NodePenetration&>(contact) = p;
      contacts_.push_back(contact);
    }
  }
  if (!unarmed_.empty()) arm();
  take_over(bodies, last_dt);
  bound_step(bodies);
  limits_.longest = longest_step(bodies.velocity);
}

// A lasting contact keeps its stiffness, its free depth and the spring along the surface, stretched by the motion
// since.
void BodyContacts::take_over(const TouchingBodies& bodies, double last_dt) {
  auto old = previous_.begin();
  taken_.assign(previous_.size(), 0);
  for (Contact& c : contacts_) {
    while (old != previous_.end() && old->node < c.node) ++old;
    Contact* same = nullptr;
    for (auto o = old; o != previous_.end() && o->node == c.node; ++o) {
      if (taken_[static_cast<std::size_t>(o - previous_.begin())] != 0) continue;
      if (same == nullptr || o->normal.dot(c.normal) > same->normal.dot(c.normal)) same = &*o;
    }
    const double approach = -last_dt * relative(c, c.at_face, bodies.velocity).dot(c.normal);  // depth gained, m
    begin(c, bodies, approach);
    if (same != nullptr) {
      taken_[static_cast<std::size_t>(same - previous_.data())] = 1;
      c.free = same->free;
      const double grown = same->depth + approach;
      if (c.depth > grown + kJump * edge_) c.free += c.depth - grown;
      if (c.depth < grown - kJump * edge_) lost_ += same->pressed(grown) - same->pressed(c.depth);
      c.stretch = tangential(same->stretch + last_dt * relative(c, c.at_node, bodies.velocity), c.normal);
      c.carried = same->carried;
      // The stiffness lasts, whatever the node slides over. If the node itself has got weaker by a crack, so does the
      // spring, and gives up its share.
      const double left = std::min(1.0, bodies.stiffness[c.node] / same->own_stiffness);
      c.stiffness = left * same->stiffness, c.damping = left * same->damping;
      if (left < 1) {
        lost_ += (1 - left) * (same->pressed(c.depth) + c.carried);
        c.carried *= left;
      }
    }
    c.own_stiffness = bodies.stiffness[c.node];
    if (unarmed(c, bodies.mesh)) {
      c.free = std::max(c.free, rules_.play * edge_);
    } else {
      c.free = std::min(c.free, c.depth);
    }
  }
  for (std::size_t i = 0; i < previous_.size(); ++i) {
    if (taken_[i] != 0) continue;
    const Contact& ended = previous_[i];  // if not because it has come out, what was in its spring is gone
    const double approach = -last_dt * relative(ended, ended.at_face, bodies.velocity).dot(ended.normal);
    lost_ += ended.pressed(ended.depth + approach) + ended.carried;
  }
}

void BodyContacts::bound_step(const TouchingBodies& bodies) {
  limits_ = spring_bound_.find(bodies.mass, [&](auto&& visit) {
    for (const Contact& c : contacts_) {
      if (!(c.depth > c.free)) continue;
      const auto row = [&](auto&& weigh) {
        weigh(c.node, 1.0);
        for (std::size_t i = 0; i < 4; ++i) weigh(c.element[i], std::max(c.at_face[i], std::abs(c.at_node[i])));
      };
      visit(row, c.stiffness, c.damping);
    }
  });
}

double BodyContacts::longest_step(const Column<NodeId, Vec3>& velocity) {
  return time_to_travel(kTravel * edge_, near_.nodes(), velocity, fastest_);
}

void BodyContacts::add_forces(const Column<NodeId, Vec3>& velocity, Column<NodeId, Vec3>& force) {
  for (Contact& c : contacts_) {
    const Vec3 vn = relative(c, c.at_face, velocity), va = relative(c, c.at_node, velocity);
    const double depth = std::max(0.0, c.depth - c.free);
    const double elastic = c.stiffness * depth;
    const double normal_force = depth > 0 ? std::max(0.0, elastic - c.damping * vn.dot(c.normal)) : 0;
    const double limit = rules_.friction * normal_force;

    // Beyond the limit the spring lets go until it pulls with just that much; what it held beyond is heat.
    const double pull = c.stiffness * c.stretch.norm();
    c.slips = pull > limit;
    if (c.slips) {
      c.stretch *= limit / pull;
      lost_ += c.carried - c.stored();
    }
    c.carried = c.stored();
    c.spring_along = -c.stiffness * c.stretch;
    Vec3 along = c.spring_along - c.damping * tangential(va, c.normal);
    if (along.norm() > limit) along *= limit / along.norm();

    c.normal_damping = normal_force - elastic;
    c.damping_along = along - c.spring_along;
    c.force = normal_force * c.normal + along;
    c.normal_velocity_before = vn, c.along_velocity_before = va;
    push_apart(c, c.at_face, normal_force * c.normal, force);
    push_apart(c, c.at_node, along, force);
  }
}

void BodyContacts::add_force_rates(const Column<NodeId, Vec3>& velocity, const Column<NodeId, Vec3>& acceleration,
                                   Column<NodeId, Vec3>& force_rate) const {
  for (const Contact& c : contacts_) {
    if (c.force.dot(c.normal) <= 0) continue;
    const auto rate = [&](const std::array<double, 4>& weights) {
      return Vec3(-c.stiffness * relative(c, weights, velocity) - c.damping * relative(c, weights, acceleration));
    };
    push_apart(c, c.at_face, rate(c.at_face).dot(c.normal) * c.normal, force_rate);
    if (!c.slips) push_apart(c, c.at_node, tangential(rate(c.at_node), c.normal), force_rate);
  }
}

double BodyContacts::account(double dt, const Column<NodeId, Vec3>& velocity) {
  double dissipated = lost_;
  for (Contact& c : contacts_) {
    const Vec3 apart = 0.5 * dt * (c.normal_velocity_before + relative(c, c.at_face, velocity));
    const Vec3 along = 0.5 * dt * (c.along_velocity_before + relative(c, c.at_node, velocity));
    dissipated -= c.normal_damping * c.normal.dot(apart) + c.damping_along.dot(along);
    c.carried -= c.spring_along.dot(along);
  }
  return dissipated;
}

double BodyContacts::energy(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                            double dt) const {
  double energy = 0;
  for (const Contact& c : contacts_) {
    const double depth = std::max(0.0, -relative(c, c.at_face, position).dot(c.normal) - c.free);
    const Vec3 stretch = c.stretch + dt * tangential(relative(c, c.at_node, velocity), c.normal);
    energy += 0.5 * c.stiffness * (depth * depth + stretch.squaredNorm());
  }
  return energy;
}

double BodyContacts::deepest() const {
  double deepest = 0;
  for (const Contact& c : contacts_) deepest = std::max(deepest, c.depth - c.free);
  return deepest;
}

void BodyContacts::save(Writer& out) const {
  out.put(limits_.elastic), out.put(limits_.viscous), out.put(limits_.smallest_ratio);
  out.put_all(unarmed_.nodes());
  out.put<std::uint64_t>(contacts_.size());
  for (const Contact& c : contacts_) {  // the next find() needs no more of a contact
    out.put(c.node), out.put(c.element), out.put(c.depth), out.put(c.free), out.put(c.stiffness), out.put(c.damping);
    out.put(c.own_stiffness);
    out.put(c.normal), out.put(c.stretch), out.put(c.carried);
  }
}

void BodyContacts::forget() {
  near_ = NearFaces(kReach * edge_, kMargin * edge_);
  groups_.clear(), contacts_.clear(), previous_.clear();
  unarmed_.clear();
}

void BodyContacts::load(Reader& in, const TetMesh& mesh) {
  forget();
  limits_.elastic = in.get<double>(), limits_.viscous = in.get<double>(), limits_.smallest_ratio = in.get<double>();
  const auto require_node = [&](NodeId n) {
    if (!mesh.alive(n)) in.fail();
  };
  for (const NodeId n : in.get_all<NodeId>()) {
    require_node(n);
    disarm(n);
  }
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    Contact c;
    c.node = in.get<NodeId>(), c.element = in.get<std::array<NodeId, 4>>();
    require_node(c.node);
    for (const NodeId n : c.element) require_node(n);
    if (!contacts_.empty() && c.node < contacts_.back().node) in.fail();  // find() relies on the order
    c.depth = in.get<double>(), c.free = in.get<double>();
    c.stiffness = in.get<double>(), c.damping = in.get<double>(), c.own_stiffness = in.get<double>();
    c.normal = in.get_vec3(), c.stretch = in.get_vec3(), c.carried = in.get<double>();
    contacts_.push_back(c);
  }
}

}  // namespace sunder
