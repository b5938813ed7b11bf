#include "collision/near_faces.h"

#include <algorithm>

#include "core/parallel.h"
#include "geometry/triangle.h"
#include "mesh/boundary.h"

namespace sunder {
namespace {

constexpr std::size_t kPairsPerTask = 256;
constexpr std::size_t kNodesPerTask = 4096;

TriangleCorners triangle(const TetMesh& mesh, const Column<NodeId, Vec3>& x, std::uint32_t face) {
  const auto n = mesh.face_nodes(face_of(face));
  return {x[n[0]], x[n[1]], x[n[2]]};
}

}  // namespace

bool are_neighbours(const TetMesh& mesh, NodeId node, TetId tet) {
  const auto& t = mesh.corners(tet);
  for (const Corner c : mesh.star(node)) {
    for (const NodeId n : mesh.corners(c.tet)) {
      if (n == t[0] || n == t[1] || n == t[2] || n == t[3]) return true;
    }
  }
  return false;
}

Bounds NearFaces::box_of(std::uint32_t face) const {
  Bounds box;
  for (const Vec3& x : triangle(*mesh_, *position_, face)) box.add(x);
  return box.grown(0.5 * list_distance());
}

bool NearFaces::near(NodeId node, std::uint32_t face, double distance) const {
  const Vec3& x = (*position_)[node];
  const TriangleCorners t = triangle(*mesh_, *position_, face);
  const Vec3 area = area_vector(t);  // the plane is the cheaper question
  const double above = area.dot(x - t[0]);
  if (above * above > distance * distance * area.squaredNorm()) return false;
  if (!((closest_point(t, x).point - x).squaredNorm() <= distance * distance)) return false;
  return !are_neighbours(*mesh_, node, face_of(face).tet);
}

void NearFaces::add_node(NodeId node) {
  if (on_list_[node] != 0) return;
  on_list_[node] = 1;
  nodes_.push_back(node);
  listed_at_[node] = (*position_)[node];
}

void NearFaces::update(const TetMesh& mesh, const Column<NodeId, Vec3>& position) {
  mesh_ = &mesh, position_ = &position;
  fresh_faces_.clear(), fresh_nodes_.clear();
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
  } else if (!fresh_faces_.empty() || !fresh_nodes_.empty()) {
    list_fresh();
  }
  mark_ = mesh.journal().now();
}

void NearFaces::start() {
  nodes_.clear();
  on_list_.assign(mesh_->node_slots(), 0);
  std::vector<std::uint32_t> faces;
  std::vector<Bounds> boxes;
  for (const BoundaryFace& f : boundary_faces(*mesh_)) {
    faces.push_back(face_number(f.face));
    boxes.push_back(box_of(faces.back()));
    for (const NodeId n : f.nodes) add_node(n);
  }
  tree_.build(faces, boxes);
  front_.restart();
  list_all();
}

// False if the numbers of before mean nothing any more.
bool NearFaces::follow_edits() {
  const auto edits = mesh_->journal().since(*mark_);
  if (edits.empty()) return true;
  std::vector<TetId> touched;
  for (const Edit& edit : edits) {
    if (edit.kind == Edit::Kind::renumbered) return false;
    if (edit.kind == Edit::Kind::node_added || edit.kind == Edit::Kind::node_removed) continue;
    touched.push_back(edit.tet());
  }
  std::sort(touched.begin(), touched.end());
  touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
  for (const TetId t : touched) {
    const bool alive = mesh_->alive(t);
    for (int i = 0; i < 4; ++i) {
      const std::uint32_t face = face_number({t, i});
      if (tree_.holds(face)) tree_.remove(face);
      if (!alive || mesh_->neighbour({t, i}).valid()) continue;
      front_.add_leaf(tree_.insert(face, box_of(face)));
      fresh_faces_.push_back(face);
      for (const NodeId n : mesh_->face_nodes({t, i})) add_node(n);
    }
    if (!alive) continue;
    for (const NodeId n : mesh_->corners(t)) {
      if (on_list_[n] != 0) fresh_nodes_.push_back(n);
    }
  }
  std::sort(fresh_nodes_.begin(), fresh_nodes_.end());
  fresh_nodes_.erase(std::unique(fresh_nodes_.begin(), fresh_nodes_.end()), fresh_nodes_.end());
  return true;
}

bool NearFaces::anything_moved() const {
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

// Of two leaves, the nodes of either and the face of the other.
template <class Visit>
void NearFaces::for_each_near(std::uint32_t a, std::uint32_t b, Visit&& visit) const {
  const Leaf &p = leaves_[a], &q = leaves_[b];
  const auto look = [&](const Leaf& from, std::uint32_t to) {
    const Bounds box = tree_.nodes()[to].box.grown(0.5 * list_distance());
    for (std::size_t i = 0; i < 3; ++i) {
      if (!box.holds(from.corners[i])) continue;
      for (const NodeId n : p.nodes) {
        if (n == q.nodes[0] || n == q.nodes[1] || n == q.nodes[2]) return;  // neighbours
      }
      const std::uint32_t face = tree_.nodes()[to].item;
      if (near(from.nodes[i], face, list_distance())) visit(Pair{from.nodes[i], face});
    }
  };
  look(p, b);
  look(q, a);
}

void NearFaces::list_all() {
  ++searches_;
  for (const NodeId n : nodes_) listed_at_[n] = (*position_)[n];
  tree_.refit([&](std::uint32_t face) { return box_of(face); });
  leaves_.resize(tree_.nodes().size());
  parallel_for(leaves_.size(), [&](std::size_t i) {
    const BoxTree::Node& node = tree_.nodes()[i];
    if (!node.is_leaf() || node.item == BoxTree::kNone) return;
    leaves_[i].nodes = mesh_->face_nodes(face_of(node.item));
    for (std::size_t c = 0; c < 3; ++c) leaves_[i].corners[c] = (*position_)[leaves_[i].nodes[c]];
  });
  const auto close = front_.find(tree_, [&](std::uint32_t a, std::uint32_t b) {
    bool any = false;
    for_each_near(a, b, [&](const Pair&) { any = true; });
    return any;
  });
  found_.resize(std::max(found_.size(), (close.size() + kPairsPerTask - 1) / kPairsPerTask));
  parallel_chunks(close.size(), kPairsPerTask, [&](std::size_t begin, std::size_t end) {
    std::vector<Pair>& found = found_[begin / kPairsPerTask];
    found.clear();
    for (std::size_t i = begin; i < end; ++i) {
      for_each_near(tree_.leaf(close[i].a), tree_.leaf(close[i].b), [&](const Pair& pair) { found.push_back(pair); });
    }
  });
  pairs_.clear();
  for (std::size_t task = 0; task * kPairsPerTask < close.size(); ++task) {
    pairs_.insert(pairs_.end(), found_[task].begin(), found_[task].end());
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

// Boxes in the tree may be behind by a margin. A node that has used up its margin one way may go by two the other way
// before the next search: pairs are listed from further away than in a search.
void NearFaces::list_fresh() {
  const double distance = reach_ + 4 * margin_;
  const double behind = 0.5 * list_distance() + 3 * margin_;
  std::erase_if(pairs_, [&](const Pair& pair) {
    return !tree_.holds(pair.face) || are_neighbours(*mesh_, pair.node, face_of(pair.face).tet);
  });
  for (const NodeId n : fresh_nodes_) {
    Bounds box;
    box.add((*position_)[n]);
    tree_.for_each_meeting(box.grown(behind), [&](std::uint32_t face) {
      if (near(n, face, distance)) pairs_.push_back({n, face});
    });
  }
  for (const std::uint32_t fresh : fresh_faces_) {
    tree_.for_each_meeting(box_of(fresh).grown(3 * margin_), [&](std::uint32_t face) {
      for (const NodeId n : mesh_->face_nodes(face_of(face))) {
        if (near(n, fresh, distance)) pairs_.push_back({n, fresh});
      }
    });
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
}

}  // namespace sunder
