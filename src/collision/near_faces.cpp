#include "collision/near_faces.h"

#include <algorithm>
#include <utility>

#include "core/parallel.h"
#include "geometry/triangle.h"

namespace sunder {
namespace {

constexpr std::size_t kPairsPerTask = 256;

}  // namespace

bool are_neighbours(const TetMesh& mesh, NodeId node, TetId tet) {
  for (const Corner c : mesh.star(node)) {
    if (share_a_node(mesh.corners(c.tet), mesh.corners(tet))) return true;
  }
  return false;
}

bool NearFaces::near(NodeId node, std::uint32_t face, double distance) const {
  const Vec3& x = (*position_)[node];
  const auto n = mesh_->face_nodes(face_of(face));
  const TriangleCorners t = {(*position_)[n[0]], (*position_)[n[1]], (*position_)[n[2]]};
  const Vec3 area = area_vector(t);  // the plane is the cheaper question
  const double above = area.dot(x - t[0]);
  if (above * above > distance * distance * area.squaredNorm()) return false;
  if (!((closest_point(t, x).point - x).squaredNorm() <= distance * distance)) return false;
  return !are_neighbours(*mesh_, node, face_of(face).tet);
}

NearFaces::News NearFaces::update(const TetMesh& mesh, const Column<NodeId, Vec3>& position, const Asleep* asleep) {
  mesh_ = &mesh, position_ = &position, asleep_ = asleep;
  const News news = search_.follow(mesh, position);
  if (news == News::none) return news;
  if (news == News::fresh) {
    list_fresh();
  } else {
    list_all();
  }
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  return news;
}

// Of two leaves, the nodes that either speaks for and that are in the box of the other's face, until one visit says
// true.
template <class Visit>
void NearFaces::for_each_in_box(std::uint32_t a, std::uint32_t b, Visit&& visit) const {
  const Leaf &p = leaves_[a], &q = leaves_[b];
  if (p.asleep && q.asleep) return;
  const auto nodes = search_.tree().nodes();
  const double distance = search_.list_distance();
  const auto look = [&](const Leaf& from, std::uint32_t to) {
    const Bounds box = nodes[to].box.grown(0.5 * distance);
    for (std::size_t i = 0; i < 3; ++i) {
      if (!from.speaks_for[i] || !box.holds(from.corners[i])) continue;
      for (const NodeId n : p.nodes) {
        if (n == q.nodes[0] || n == q.nodes[1] || n == q.nodes[2]) return true;  // neighbours
      }
      if (visit(Pair{from.nodes[i], nodes[to].item})) return true;
    }
    return false;
  };
  if (!look(p, b)) look(q, a);
}

void NearFaces::list_all() {
  const BoxTree& tree = search_.tree();
  leaves_.resize(tree.nodes().size());
  parallel_for(leaves_.size(), [&](std::size_t i) {
    const BoxTree::Node& node = tree.nodes()[i];
    if (!node.is_leaf() || node.item == BoxTree::kNone) return;
    leaves_[i].nodes = mesh_->face_nodes(face_of(node.item));
    for (std::size_t c = 0; c < 3; ++c) leaves_[i].corners[c] = (*position_)[leaves_[i].nodes[c]];
    leaves_[i].asleep = asleep_ != nullptr && (*asleep_)[leaves_[i].nodes[0]];
  });
  spoken_for_.assign(mesh_->node_slots(), 0);
  for (std::size_t i = 0; i < leaves_.size(); ++i) {
    const BoxTree::Node& node = tree.nodes()[i];
    if (!node.is_leaf() || node.item == BoxTree::kNone) continue;
    for (std::size_t c = 0; c < 3; ++c)
      leaves_[i].speaks_for[c] = std::exchange(spoken_for_[leaves_[i].nodes[c]], 1) == 0;
  }
  const auto close = search_.pairs([&](std::uint32_t a, std::uint32_t b) {
    bool any = false;  // whether it is near is asked once, below
    for_each_in_box(a, b, [&](const Pair&) { return any = true; });
    return any;
  });
  found_.resize(std::max(found_.size(), (close.size() + kPairsPerTask - 1) / kPairsPerTask));
  parallel_chunks(close.size(), kPairsPerTask, [&](std::size_t begin, std::size_t end) {
    std::vector<Pair>& found = found_[begin / kPairsPerTask];
    found.clear();
    for (std::size_t i = begin; i < end; ++i) {
      for_each_in_box(tree.leaf(close[i].a), tree.leaf(close[i].b), [&](const Pair& pair) {
        if (near(pair.node, pair.face, search_.list_distance())) found.push_back(pair);
        return false;
      });
    }
  });
  pairs_.clear();
  for (std::size_t task = 0; task * kPairsPerTask < close.size(); ++task) {
    pairs_.insert(pairs_.end(), found_[task].begin(), found_[task].end());
  }
}

void NearFaces::list_fresh() {
  const double distance = search_.fresh_distance();
  std::erase_if(pairs_, [&](const Pair& pair) {
    return !mesh_->alive(pair.node) || !search_.tree().holds(pair.face) ||
           are_neighbours(*mesh_, pair.node, face_of(pair.face).tet);
  });
  std::vector<NodeId> nodes;
  for (const TetId t : search_.edited()) {
    if (!mesh_->alive(t)) continue;
    for (const NodeId n : mesh_->corners(t)) {
      if (search_.has(n)) nodes.push_back(n);
    }
  }
  std::sort(nodes.begin(), nodes.end());
  nodes.erase(std::unique(nodes.begin(), nodes.end()), nodes.end());
  // Neighbours in the surface find the same pairs over and over: each is looked at once.
  fresh_pairs_.clear();
  for (const NodeId n : nodes) {
    Bounds box;
    box.add((*position_)[n]);
    search_.for_each_fresh_near(box, [&](std::uint32_t face) { fresh_pairs_.push_back({n, face}); });
  }
  for (const std::uint32_t fresh : search_.fresh_items()) {
    const Bounds box = search_.bounds_of(fresh);
    const Bounds reach = box.grown(distance);
    search_.for_each_fresh_near(box, [&](std::uint32_t face) {
      for (const NodeId n : mesh_->face_nodes(face_of(face))) {
        if (reach.holds((*position_)[n])) fresh_pairs_.push_back({n, fresh});
      }
    });
  }
  std::sort(fresh_pairs_.begin(), fresh_pairs_.end());
  fresh_pairs_.erase(std::unique(fresh_pairs_.begin(), fresh_pairs_.end()), fresh_pairs_.end());
  for (const Pair& pair : fresh_pairs_) {
    if (near(pair.node, pair.face, distance)) pairs_.push_back(pair);
  }
}

}  // namespace sunder
