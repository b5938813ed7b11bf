#include "collision/near_tets.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace sunder {
namespace {

constexpr std::size_t kNodesPerTask = 4096;

// Whether a plane along a face of `a` has all of `b` further than `distance` outside.
bool some_face_parts(const TetCorners& a, const TetCorners& b, double distance) {
  for (std::size_t i = 0; i < 4; ++i) {
    const auto& f = kTetFaces[i];
    const Vec3& foot = a[static_cast<std::size_t>(f[0])];
    Vec3 normal = (a[static_cast<std::size_t>(f[1])] - foot).cross(a[static_cast<std::size_t>(f[2])] - foot);
    if (normal.dot(a[i] - foot) > 0) normal = -normal;  // turned inside out
    double nearest = normal.dot(b[0] - foot);
    for (std::size_t k = 1; k < 4; ++k) nearest = std::min(nearest, normal.dot(b[k] - foot));
    if (nearest > 0 && nearest * nearest > distance * distance * normal.squaredNorm()) return true;
  }
  return false;
}

}  // namespace

bool share_a_node(const std::array<NodeId, 4>& a, const std::array<NodeId, 4>& b) {
  for (const NodeId m : a) {
    if (m == b[0] || m == b[1] || m == b[2] || m == b[3]) return true;
  }
  return false;
}

std::uint8_t boundary_faces_of(const TetMesh& mesh, TetId tet) {
  unsigned bits = 0;
  for (int i = 0; i < 4; ++i) {
    if (!mesh.neighbour({tet, i}).valid()) bits |= 1u << i;
  }
  return static_cast<std::uint8_t>(bits);
}

Bounds NearTets::box_of(TetId tet) const {
  Bounds box;
  for (const Vec3& x : mesh_->corner_positions(tet, *position_)) box.add(x);
  return box.grown(0.5 * list_distance());
}

// Boxes that meet are not yet near: most pairs of a list would be tets of one surface with another between them.
bool NearTets::near(TetId a, TetId b, double distance) const {
  if (share_a_node(mesh_->corners(a), mesh_->corners(b))) return false;
  const TetCorners x = mesh_->corner_positions(a, *position_), y = mesh_->corner_positions(b, *position_);
  return !some_face_parts(x, y, distance) && !some_face_parts(y, x, distance);
}

void NearTets::add_node(NodeId node) {
  if (on_list_[node] == 0) {
    on_list_[node] = 1;
    nodes_.push_back(node);
  }
  listed_at_[node] = (*position_)[node];
}

void NearTets::update(const TetMesh& mesh, const Column<NodeId, Vec3>& position) {
  mesh_ = &mesh, position_ = &position;
  fresh_.clear();
  on_list_.resize(mesh.node_slots(), 0);
  listed_at_.resize(mesh.node_slots(), Vec3::Zero());
  if (!mark_ || !follow_edits()) {
    start();
  } else if (anything_moved()) {
    if (tree_.worn()) {
      start();
    } else {
      list_all();
    }
  } else if (!fresh_.empty()) {
    list_fresh();
  }
  mark_ = mesh.journal().now();
}

void NearTets::start() {
  nodes_.clear();
  on_list_.assign(mesh_->node_slots(), 0);
  std::vector<std::uint32_t> tets;
  std::vector<Bounds> boxes;
  for (const TetId t : id_range<TetId>(mesh_->tet_slots())) {
    if (!mesh_->alive(t) || boundary_faces_of(*mesh_, t) == 0) continue;
    tets.push_back(t.index);
    boxes.push_back(box_of(t));
    for (const NodeId n : mesh_->corners(t)) add_node(n);
  }
  tree_.build(tets, boxes);
  front_.restart();
  list_all();
}

// False if the numbers of before mean nothing any more. What was edited goes and comes back anew, even if it only gave
// a corner to another node: who its neighbours are has changed.
bool NearTets::follow_edits() {
  for (const Edit& edit : mesh_->journal().since(*mark_)) {
    if (edit.kind == Edit::Kind::renumbered) return false;
    if (edit.kind != Edit::Kind::node_added && edit.kind != Edit::Kind::node_removed) fresh_.push_back(edit.tet());
  }
  if (fresh_.empty()) return true;
  std::sort(fresh_.begin(), fresh_.end());
  fresh_.erase(std::unique(fresh_.begin(), fresh_.end()), fresh_.end());
  for (const TetId t : fresh_) {
    if (tree_.holds(t.index)) tree_.remove(t.index);
    if (!mesh_->alive(t) || boundary_faces_of(*mesh_, t) == 0) continue;
    front_.add_leaf(tree_.insert(t.index, box_of(t)));
    for (const NodeId n : mesh_->corners(t)) {
      if (on_list_[n] == 0) add_node(n);  // the others keep the place for which the rest of the list holds
    }
  }
  return true;
}

bool NearTets::anything_moved() const {
  const double limit = margin_ * margin_;
  return parallel_sum(nodes_.size(), kNodesPerTask, [&](std::size_t begin, std::size_t end) {
           double moved = 0;
           for (std::size_t i = begin; i < end; ++i) {
             const NodeId n = nodes_[i];
             if (!(((*position_)[n] - listed_at_[n]).squaredNorm() <= limit)) moved = 1;
           }
           return moved;
         }) > 0;
}

void NearTets::list_all() {
  ++searches_;
  for (const NodeId n : nodes_) listed_at_[n] = (*position_)[n];
  tree_.refit([&](std::uint32_t tet) { return box_of(TetId(tet)); });
  const auto close = front_.find(tree_, [&](std::uint32_t a, std::uint32_t b) {
    return near(TetId(tree_.nodes()[a].item), TetId(tree_.nodes()[b].item), list_distance());
  });
  pairs_.clear();
  for (const PairFront::Pair& pair : close) pairs_.push_back({TetId(pair.a), TetId(pair.b)});
}

// Nodes may be a margin away from where they were listed, and go on until they are so on the other side: until the next
// search each may move two. Boxes in the tree may be behind by one.
void NearTets::list_fresh() {
  const auto is_fresh = [&](TetId t) { return std::binary_search(fresh_.begin(), fresh_.end(), t); };
  std::erase_if(pairs_, [&](const Pair& pair) { return is_fresh(pair.a) || is_fresh(pair.b); });
  for (const TetId t : fresh_) {
    if (!tree_.holds(t.index)) continue;
    tree_.for_each_meeting(box_of(t).grown(3 * margin_), [&](std::uint32_t item) {
      const TetId other(item);
      if (other == t || !near(t, other, reach_ + 4 * margin_)) return;
      pairs_.push_back({std::min(t, other), std::max(t, other)});
    });
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

}  // namespace sunder
