#include "fracture/failure_queue.h"

#include <algorithm>
#include <cmath>

namespace sunder {

namespace {

// Of a node of tets: all of its star are of one.
std::uint32_t body_of(const TetMesh& mesh, NodeId node) { return mesh.tags((*mesh.star(node).begin()).tet).body; }

}  // namespace

// The order of the heap: its top has the largest ratio and, of equal ones, the smallest uid.
bool FailureQueue::less(const Candidate& a, const Candidate& b) {
  return a.ratio != b.ratio ? a.ratio < b.ratio : a.uid > b.uid;
}

bool FailureQueue::fails(double ratio) { return ratio >= 1 && std::isfinite(ratio); }

void FailureQueue::begin_step(std::uint64_t step, double time) {
  step_ = step;
  time_ = time;
  heap_.clear();
  std::erase_if(refused_until_, [&](const auto& entry) { return entry.second <= step; });
  std::erase_if(reached_at_, [&](const auto& entry) { return entry.second <= time; });
}

void FailureQueue::offer(NodeId node, Uid uid, double ratio) {
  if (fails(ratio) && may_fail(uid)) push({node, uid, ratio});
}

bool FailureQueue::may_fail(Uid uid) const { return !refused_until_.contains(uid) && !reached_at_.contains(uid); }

void FailureQueue::push(const Candidate& candidate) {
  heap_.push_back(candidate);
  std::push_heap(heap_.begin(), heap_.end(), less);
}

std::optional<FailureQueue::Candidate> FailureQueue::pop() {
  if (heap_.empty()) return std::nullopt;
  std::pop_heap(heap_.begin(), heap_.end(), less);
  const Candidate top = heap_.back();
  heap_.pop_back();
  return top;
}

bool FailureQueue::beaten(const Candidate& candidate) const { return !heap_.empty() && less(candidate, heap_.front()); }

void FailureQueue::refused(Uid uid) { refused_until_[uid] = step_ + rules_.refused_pause; }

void FailureQueue::cracked(const TetMesh& mesh, const SplitResult& result, NodeId node, const Vec3& normal,
                           double excess, double edge) {
  const auto free = [&](NodeId n) { refused_until_.erase(mesh.uid(n)); };
  for (const auto& child : result.added) {
    for (const NodeId n : mesh.corners(child.tet)) free(n);
  }
  for (const auto& pair : result.crack_faces) {
    for (const NodeId n : mesh.face_nodes(pair.plus)) free(n);
    for (const NodeId n : mesh.face_nodes(pair.minus)) free(n);
  }

  if (rules_.crack_speed > 0) {
    const Vec3& start = mesh.material_position(node);
    const auto wait = [&](NodeId n) {
      const double distance = (mesh.material_position(n) - start).norm();
      if (!(distance > 0)) return;  // a twin of the split node may go on at once, across another plane
      double& until = reached_at_[mesh.uid(n)];
      until = std::max(until, time_ + distance / rules_.crack_speed);
    };
    for (const NodeId n : result.tips) wait(n);
    for (const NodeId n : result.snapped) wait(n);
    for (const auto& cut : result.cut_nodes) wait(cut.node);
    for (const auto& twin : result.duplicates) wait(twin.node);
  }

  // Whoever was split is a tip no more.
  for (const auto& twin : result.duplicates) tips_.erase(mesh.uid(twin.of));
  CrackTip tip = {
      .normal = normal.normalized(), .excess = std::max(0.0, excess), .edge = edge, .body = body_of(mesh, node)};
  for (const NodeId n : result.tips) {
    tip.position = mesh.material_position(n);
    tips_.add(mesh.uid(n), tip);
  }
}

void FailureQueue::drop_gone(const TetMesh& mesh) {
  std::vector<Uid> alive;
  for (const NodeId n : id_range<NodeId>(mesh.node_slots())) {
    if (mesh.alive(n)) alive.push_back(mesh.uid(n));
  }
  std::sort(alive.begin(), alive.end());
  tips_.keep(alive);
}

double FailureQueue::toughness_share(const TetMesh& mesh, NodeId node) const {
  const CrackTip* known = tip(mesh.uid(node));
  return known != nullptr ? known->share : tips_.share_at(body_of(mesh, node), mesh.material_position(node));
}

void FailureQueue::save(Writer& out) const {
  out.put<std::uint64_t>(refused_until_.size());
  for (const auto& [uid, until] : refused_until_) out.put(uid), out.put(until);
  out.put<std::uint64_t>(reached_at_.size());
  for (const auto& [uid, until] : reached_at_) out.put(uid), out.put(until);
  tips_.save(out);
}

void FailureQueue::load(Reader& in) {
  heap_.clear(), refused_until_.clear(), reached_at_.clear();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const Uid uid = in.get<Uid>();
    refused_until_[uid] = in.get<std::uint64_t>();
  }
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const Uid uid = in.get<Uid>();
    reached_at_[uid] = in.get<double>();
  }
  tips_.load(in);
}

}  // namespace sunder
