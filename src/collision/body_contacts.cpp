#include "collision/body_contacts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "geometry/triangle.h"

namespace sunder {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kNodesPerTask = 256;

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
  watched_.forget();
}

bool BodyContacts::unarmed(const NodeContact& contact, const TetMesh& mesh) const {
  const bool node = !armed(contact.in.node);
  const bool face = !armed(contact.in.element[0]) || !armed(contact.in.element[1]) || !armed(contact.in.element[2]);
  return is_crack_face(mesh, contact.in.face) ? node || face : node && face;  // where a crack meets the outer surface
}

bool BodyContacts::is_deep(const NodeContact& contact) const { return contact.in.depth >= 0.5 * kReach * edge_; }

// The boundary faces round the one that a contact was last pressed through.
void BodyContacts::add_faces_round(const NodeContact& contact, const TetMesh& mesh) {
  for (std::size_t corner = 0; corner < 3; ++corner) {
    for (const Corner c : mesh.star(contact.in.element[corner])) {
      if (are_neighbours(mesh, contact.in.node, c.tet)) continue;
      for (int f = 0; f < 4; ++f) {
        if (f != c.index && !mesh.neighbour({c.tet, f}).valid()) deep_faces_.push_back({face_number({c.tet, f}), 0});
      }
    }
  }
}

// Whether the node is not yet clear of a crack face.
bool BodyContacts::lies_at(const TouchingBodies& bodies, NodeId node, std::uint32_t face) const {
  if (!is_crack_face(bodies.mesh, face)) return false;
  const auto n = bodies.mesh.face_nodes(face_of(face));
  const Vec3& x = bodies.position[node];
  const TriangleCorners t = {bodies.position[n[0]], bodies.position[n[1]], bodies.position[n[2]]};
  const double reach = rules_.gap * edge_;
  return !beyond_reach(area_vector(t), x - t[0], reach) && (closest_point(t, x).point - x).norm() <= reach;
}

// Every node against the faces near it that are not quiet.
void BodyContacts::look_at_near(const TouchingBodies& bodies) {
  const std::span<WatchedNode> nodes = watched_.nodes();
  const double travel = watched_.travel();
  const std::size_t tasks = (nodes.size() + kNodesPerTask - 1) / kNodesPerTask;
  found_.resize(std::max(found_.size(), tasks));
  const auto look_at = [&](WatchedNode& w, std::vector<NodePenetration>& found) {
    const std::span<WatchedFace> faces = watched_.faces(w);
    const std::size_t before = found.size();
    if (!rules_.cull || !(travel < w.quiet_until)) {
      if (!rules_.cull) {
        for (WatchedFace& f : faces) f.quiet_until = 0;
      }
      find_penetrations(bodies.mesh, bodies.position, w.node, watched_.own_faces(w), faces, travel, kReach * edge_,
                        found);
      w.quiet_until = kInfinity;
      for (const WatchedFace& f : faces) w.quiet_until = std::min(w.quiet_until, f.quiet_until);
    }
    w.at_a_crack = !armed(w.node) && found.size() > before;
    if (armed(w.node)) return;
    for (std::size_t i = 0; i < faces.size() && !w.at_a_crack; ++i) {
      w.at_a_crack = lies_at(bodies, w.node, faces[w.touching].face);
      if (!w.at_a_crack) w.touching = w.touching + 1 < faces.size() ? w.touching + 1 : 0;
    }
  };
  parallel_chunks(nodes.size(), kNodesPerTask, [&](std::size_t begin, std::size_t end) {
    std::vector<NodePenetration>& found = found_[begin / kNodesPerTask];
    found.clear();
    for (std::size_t i = begin; i < end; ++i) look_at(nodes[i], found);
  });
  for (std::size_t task = 0; task < tasks; ++task) {
    for (const NodePenetration& p : found_[task]) contacts_.emplace_back(p);
  }
}

// Those who have been pressed deep are looked at without a limit, and what was found of them before is void. Rare.
void BodyContacts::look_at_deep(const TouchingBodies& bodies) {
  deep_.clear();
  std::vector<NodePenetration> found;
  for (auto old = previous_.begin(); old != previous_.end();) {
    const NodeId node = old->in.node;
    deep_faces_.clear();
    for (; old != previous_.end() && old->in.node == node; ++old) {
      if (is_deep(*old)) add_faces_round(*old, bodies.mesh);
    }
    if (deep_faces_.empty()) continue;
    if (const WatchedNode* w = watched_.find(node)) {
      for (const WatchedFace& f : watched_.faces(*w)) deep_faces_.push_back({f.face, 0});
    }
    std::sort(deep_faces_.begin(), deep_faces_.end(),
              [](const WatchedFace& a, const WatchedFace& b) { return a.face < b.face; });
    const auto same = [](const WatchedFace& a, const WatchedFace& b) { return a.face == b.face; };
    deep_faces_.erase(std::unique(deep_faces_.begin(), deep_faces_.end(), same), deep_faces_.end());
    const std::size_t before = found.size();
    own_faces_.clear();
    add_own_faces(bodies.mesh, node, own_faces_);
    find_penetrations(bodies.mesh, bodies.position, node, own_faces_, deep_faces_, 0, kInfinity, found);
    const bool at_a_crack = !armed(node) && (found.size() > before ||
                                             std::any_of(deep_faces_.begin(), deep_faces_.end(),
                                                         [&](const auto& f) { return lies_at(bodies, node, f.face); }));
    deep_.push_back({node, at_a_crack});
  }
  if (deep_.empty()) return;
  const auto is_deep_node = [&](const NodeContact& c) {
    return std::binary_search(deep_.begin(), deep_.end(), DeepNode{c.in.node},
                              [](const DeepNode& a, const DeepNode& b) { return a.node < b.node; });
  };
  std::erase_if(contacts_, is_deep_node);
  for (const NodePenetration& p : found) contacts_.emplace_back(p);
  std::stable_sort(contacts_.begin(), contacts_.end(),
                   [](const NodeContact& a, const NodeContact& b) { return a.in.node < b.in.node; });
}

void BodyContacts::arm(const TouchingBodies& bodies) {
  auto near = watched_.nodes().begin();
  auto deep = deep_.begin();
  unarmed_.arm([&](NodeId n) {
    while (near != watched_.nodes().end() && near->node < n) ++near;
    while (deep != deep_.end() && deep->node < n) ++deep;
    if (bodies.sleeps(n)) return true;
    if (deep != deep_.end() && deep->node == n) return deep->at_a_crack;
    return near != watched_.nodes().end() && near->node == n && near->at_a_crack;
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
  const NearFaces::News news = near_.update(bodies.mesh, bodies.position, bodies.asleep);
  watched_.follow(near_, news, bodies);
  look_at_near(bodies);
  look_at_deep(bodies);
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
