#include "collision/watched_faces.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"

namespace sunder {

using News = NearFaces::News;

void add_own_faces(const TetMesh& mesh, NodeId node, std::vector<FaceNodes>& faces) {
  for (const Corner c : mesh.star(node)) {
    for (int i = 0; i < 4; ++i) {
      if (i != c.index && !mesh.neighbour({c.tet, i}).valid()) faces.push_back(mesh.face_nodes({c.tet, i}));
    }
  }
}

void WatchedFaces::follow(const NearFaces& near, News news, const TouchingBodies& bodies) {
  if (news == News::renumbered) forget();
  measure_travel(near.search().nodes(), bodies.position);
  if (news != News::none) list(near, bodies);
}

// What is new has not travelled.
void WatchedFaces::measure_travel(std::span<const NodeId> nodes, const Column<NodeId, Vec3>& position) {
  constexpr std::size_t kNodesPerTask = 4096;
  last_place_.resize(position.size(), Vec3::Constant(std::numeric_limits<double>::quiet_NaN()));
  farthest_.assign((nodes.size() + kNodesPerTask - 1) / kNodesPerTask, 0);
  parallel_chunks(nodes.size(), kNodesPerTask, [&](std::size_t begin, std::size_t end) {
    double farthest = 0;
    for (std::size_t i = begin; i < end; ++i) {
      Vec3& last = last_place_[nodes[i]];
      const Vec3& now = position[nodes[i]];
      const double moved = (now - last).squaredNorm();
      if (moved > farthest) farthest = moved;
      last = now;
    }
    farthest_[begin / kNodesPerTask] = farthest;
  });
  for (double& f : farthest_) farthest_[0] = std::max(farthest_[0], f);
  if (!farthest_.empty()) travel_ += std::sqrt(farthest_[0]);
}

// Pairs that were there before, and of whose surroundings nothing was edited, go on waiting.
void WatchedFaces::list(const NearFaces& near, const TouchingBodies& bodies) {
  const TetMesh& mesh = bodies.mesh;
  std::swap(nodes_, old_nodes_), std::swap(faces_, old_faces_);
  std::swap(own_faces_, old_own_faces_);
  nodes_.clear(), faces_.clear(), own_faces_.clear();
  edited_node_.resize(mesh.node_slots(), 0), edited_tet_.resize(mesh.tet_slots(), 0);
  const auto mark = [&](std::uint8_t value) {
    for (const TetId t : near.search().edited()) {
      edited_tet_[t] = value;
      if (!mesh.alive(t)) continue;
      for (const NodeId n : mesh.corners(t)) edited_node_[n] = value;
    }
  };
  mark(1);
  const auto pairs = near.pairs();
  auto old = old_nodes_.begin();
  for (std::size_t pair = 0; pair < pairs.size();) {
    WatchedNode watched;
    watched.node = pairs[pair].node;
    watched.first = static_cast<std::uint32_t>(faces_.size());
    while (old != old_nodes_.end() && old->node < watched.node) ++old;
    const bool waits = old != old_nodes_.end() && old->node == watched.node && edited_node_[watched.node] == 0;
    auto old_face = old_faces_.begin() + (waits ? old->first : 0);
    const auto old_end = old_faces_.begin() + (waits ? old->last : 0);
    const bool sleeps = bodies.sleeps(watched.node);
    for (; pair < pairs.size() && pairs[pair].node == watched.node; ++pair) {
      const std::uint32_t face = pairs[pair].face;
      const TetId tet = face_of(face).tet;
      if (sleeps && bodies.sleeps(mesh.corners(tet)[0])) continue;
      while (old_face != old_end && old_face->face < face) ++old_face;
      const bool same = old_face != old_end && old_face->face == face && edited_tet_[tet] == 0;
      faces_.push_back({face, same ? old_face->quiet_until : 0});
    }
    watched.last = static_cast<std::uint32_t>(faces_.size());
    if (watched.last == watched.first) continue;
    watched.own_first = static_cast<std::uint32_t>(own_faces_.size());
    if (waits) {
      const auto own = old_own_faces_.begin();
      own_faces_.insert(own_faces_.end(), own + old->own_first, own + old->own_last);
    } else {
      add_own_faces(mesh, watched.node, own_faces_);
    }
    watched.own_last = static_cast<std::uint32_t>(own_faces_.size());
    nodes_.push_back(watched);
  }
  mark(0);
}

WatchedNode* WatchedFaces::find(NodeId node) {
  const auto at =
      std::lower_bound(nodes_.begin(), nodes_.end(), node, [](const WatchedNode& w, NodeId n) { return w.node < n; });
  return at != nodes_.end() && at->node == node ? &*at : nullptr;
}

}  // namespace sunder
