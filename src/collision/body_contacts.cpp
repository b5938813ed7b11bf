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

bool is_crack_face(const TetMesh& mesh, std::uint32_t face) {
  const Corner c = face_of(face);
  return (mesh.crack_faces(c.tet) >> c.index & 1) != 0;
}

}  // namespace

BodyContacts::BodyContacts(const ContactRules& rules, double edge)
    : SpringContacts(rules, edge), near_(kReach * edge, kMargin * edge) {}

void BodyContacts::forget_search() {
  near_ = NearFaces(kReach * edge_, kMargin * edge_);
  groups_.clear();
}

bool BodyContacts::unarmed(const NodeContact& contact, const TetMesh& mesh) const {
  const bool node = !armed(contact.in.node);
  const bool face = !armed(contact.in.element[0]) || !armed(contact.in.element[1]) || !armed(contact.in.element[2]);
  return is_crack_face(mesh, contact.in.face) ? node || face : node && face;  // where a crack meets the outer surface
}

// The boundary faces round the one that a contact was last pressed through.
void BodyContacts::add_faces_round(const NodeContact& contact, const TetMesh& mesh) {
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
    const TriangleCorners t = {bodies.position[n[0]], bodies.position[n[1]], bodies.position[n[2]]};
    const double reach = rules_.gap * edge_;
    return !beyond_reach(area_vector(t), x - t[0], reach) && (closest_point(t, x).point - x).norm() <= reach;
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
void BodyContacts::begin(NodeContact& c, const TouchingBodies& bodies, double approach) const {
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

std::span<const NodeId> BodyContacts::find_contacts(const TouchingBodies& bodies, double last_dt) {
  near_.update(bodies.mesh, bodies.position, bodies.asleep);
  make_groups(bodies);
  const std::size_t tasks = (groups_.size() + kGroupsPerTask - 1) / kGroupsPerTask;
  found_.resize(std::max(found_.size(), tasks));
  parallel_chunks(groups_.size(), kGroupsPerTask, [&](std::size_t begin, std::size_t end) {
    std::vector<NodePenetration>& found = found_[begin / kGroupsPerTask];
    found.clear();
    for (std::size_t g = begin; g < end; ++g) look_at(bodies, groups_[g], found);
  });
  for (std::size_t task = 0; task < tasks; ++task) {
    for (const NodePenetration& p : found_[task]) contacts_.emplace_back(p);
  }
  if (!unarmed_.empty()) arm(bodies);
  take_over(bodies, last_dt);
  return near_.search().nodes();
}

// A lasting contact keeps its stiffness, its free depth and the spring along the surface, stretched by the motion
// since.
void BodyContacts::take_over(const TouchingBodies& bodies, double last_dt) {
  auto old = previous_.begin();
  taken_.assign(previous_.size(), 0);
  for (NodeContact& c : contacts_) {
    while (old != previous_.end() && old->in.node < c.in.node) ++old;
    NodeContact* same = nullptr;
    for (auto o = old; o != previous_.end() && o->in.node == c.in.node; ++o) {
      if (taken_[static_cast<std::size_t>(o - previous_.begin())] != 0) continue;
      if (same == nullptr || o->normal.dot(c.normal) > same->normal.dot(c.normal)) same = &*o;
    }
    const double approach = -last_dt * c.relative(bodies.velocity).dot(c.normal);  // depth gained, m
    begin(c, bodies, approach);
    if (same != nullptr) {
      taken_[static_cast<std::size_t>(same - previous_.data())] = 1;
      c.free = same->free;
      const double grown = same->in.depth + approach;
      if (c.in.depth > grown + kJump * edge_) c.free += c.in.depth - grown;
      if (c.in.depth < grown - kJump * edge_) lost_ += same->pressed(grown) - same->pressed(c.in.depth);
      c.follow(*same, last_dt * c.relative(bodies.velocity), 0);
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
    const NodeContact& ended = previous_[i];  // if not because it has come out, what was in its spring is gone
    const double approach = -last_dt * ended.relative(bodies.velocity).dot(ended.normal);
    lost_ += ended.pressed(ended.in.depth + approach) + ended.carried;
  }
}

}  // namespace sunder
