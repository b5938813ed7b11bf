#include "solvers/tet_oh99/fracture_step.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>

#include "core/parallel.h"
#include "fracture/separation_bound.h"

namespace sunder::tet_oh99 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kNodesPerTask = 16;  // some ten microseconds
constexpr double kUnknownFlow = 0.005;     // plastic strain that a tet may gain before its corners are looked at again

// vol grad b_i of a corner, m^2.
Vec3 scaled_gradient(const ElementConstants& elements, Corner c) {
  return elements.volume[c.tet] * shape_gradient(elements, c);
}

}  // namespace

FractureStep::FractureStep(const FractureParameters& parameters, std::vector<Toughness> toughness, TetMesh& mesh,
                           const std::vector<TetMaterial>& materials, const ElementConstants& elements)
    : parameters_(parameters),
      toughness_(std::move(toughness)),
      mesh_(mesh),
      elements_(elements),
      queue_(parameters.rules),
      splitter_(parameters.split),
      tensions_(mesh, materials, elements),
      reference_length_(reference_lengths(mesh)) {
  toughness_.resize(materials.size());
  on_ = parameters_.on &&
        std::any_of(toughness_.begin(), toughness_.end(), [](const Toughness& t) { return t.value > 0; });
}

double FractureStep::toughness(NodeId node) const {
  double weakest = kInfinity;  // of the materials that meet here
  std::uint32_t last = 0xffffffffu;
  for (const Corner c : mesh_.star(node)) {
    const std::uint32_t material = mesh_.tags(c.tet).material;
    if (material == last) continue;
    last = material;
    const Toughness& t = toughness_[material];
    if (!(t.value > 0)) return kInfinity;
    weakest = std::min(weakest, toughness_at(t, mesh_.uid(node), mesh_.material_position(node)));
  }
  return weakest * queue_.toughness_share(mesh_.uid(node));
}

Separation FractureStep::known_separation(NodeId node) const {
  thread_local std::vector<Vec3> pulls, pushes;
  pulls.clear(), pushes.clear();
  for (const Corner c : mesh_.star(node)) {
    const Vec3 g = scaled_gradient(elements_, c);
    const TetTension& t = tensions_[c.tet];
    pulls.push_back(-(t.pull * g)), pushes.push_back(-(t.push * g));
  }
  Mat3 tensor = separation_tensor(pulls, pushes, parameters_.compression);  // OH99 (32)
  if (const CrackTip* tip = queue_.tip(mesh_.uid(node))) tensor += tip->tensor();
  return largest_separation(tensor);
}

Separation FractureStep::separation(NodeId node, const NodeState& state) {
  tensions_.forget();
  tensions_.find(std::span(&node, 1), state);
  tensions_.part(std::span(&node, 1));
  return known_separation(node);
}

double FractureStep::known_ratio(NodeId node) const { return known_separation(node).eigenvalue / toughness(node); }

double FractureStep::ratio(NodeId node) {
  if (!may_fail(node)) return 0;
  tensions_.part(std::span(&node, 1));
  return known_ratio(node);
}

bool FractureStep::may_fail(NodeId node) const {
  if (!queue_.may_fail(mesh_.uid(node)) || safe_stretch_[node] == kInfinity) return false;
  if (!cull()) return true;
  double sum = 0;
  bool safe = true;
  for (const Corner c : mesh_.star(node)) {
    const double stretch = tensions_[c.tet].stretch;
    safe = safe && stretch < safe_stretch_[node];
    sum += stretch * scaled_gradient(elements_, c).norm();
  }
  if (safe) return false;
  const CrackTip* tip = queue_.tip(mesh_.uid(node));
  return !(separation_bound(sum) + (tip != nullptr ? tip->residual : 0) < toughness(node));
}

void FractureStep::find_safe_stretches() {
  safe_stretch_.resize(mesh_.node_slots());
  parallel_for(mesh_.node_slots(), [&](std::size_t i) { safe_stretch_[NodeId(i)] = safe_stretch(NodeId(i)); });
  known_flow_ = elements_.plastic.strain;
}

double FractureStep::safe_stretch(TetId tet) const {
  double lowest = kInfinity;
  for (const NodeId n : mesh_.corners(tet)) lowest = std::min(lowest, safe_stretch_[n]);
  return std::max(0.0, lowest);
}

double FractureStep::safe_stretch(NodeId node) const {
  const double strength = toughness(node);
  if (strength == kInfinity) return kInfinity;
  double areas = 0;  // sum_e w_ei
  for (const Corner c : mesh_.star(node)) areas += scaled_gradient(elements_, c).norm();
  // Flow by a plastic strain da lengthens gradients by a factor of exp(da) at most.
  if (elements_.plastic.any()) areas *= std::exp(kUnknownFlow);
  const CrackTip* tip = queue_.tip(mesh_.uid(node));
  return areas > 0 ? safe_tensile_stretch(strength - (tip != nullptr ? tip->residual : 0), areas) : kInfinity;
}

void FractureStep::set_limits(FastForces& fast) {
  find_safe_stretches();
  for (const TetId t : id_range<TetId>(mesh_.tet_slots())) {
    if (mesh_.alive(t)) fast.set_limit(t, safe_stretch(t));
  }
}

// The kernel flags a tet that is over the limit of its weakest corner: of its corners, those are candidates whose own
// limit it is over.
void FractureStep::find_candidates(const FastForces* fast, const NodeState& state) {
  candidates_.clear();
  if (fast == nullptr || !cull()) {
    for (const NodeId n : id_range<NodeId>(mesh_.node_slots())) {
      if (mesh_.alive(n) && !mesh_.star(n).empty()) candidates_.push_back(n);
    }
    return;
  }
  fast->flagged_tets(flagged_);
  tensions_.find(flagged_, state);
  seen_node_.clear();
  for (const TetId t : flagged_) {
    const double stretch = tensions_[t].stretch;
    for (const NodeId n : mesh_.corners(t)) {
      if (stretch < safe_stretch_[n]) continue;
      if (seen_node_.insert(n, 1) == ScratchMap<NodeId>::kNone) candidates_.push_back(n);
    }
  }
}

void FractureStep::offer(std::span<const NodeId> nodes, const NodeState& state) {
  tensions_.find(nodes, state);
  may_fail_.assign(nodes.size(), 0);
  parallel_chunks(nodes.size(), kNodesPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) may_fail_[i] = may_fail(nodes[i]) ? 1 : 0;
  });
  doubtful_.clear();
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (may_fail_[i] != 0) doubtful_.push_back(nodes[i]);
  }
  tensions_.part(doubtful_);
  ratio_.assign(doubtful_.size(), 0);
  parallel_chunks(doubtful_.size(), kNodesPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) ratio_[i] = known_ratio(doubtful_[i]);
  });
  for (std::size_t i = 0; i < doubtful_.size(); ++i) queue_.offer(doubtful_[i], mesh_.uid(doubtful_[i]), ratio_[i]);
}

std::size_t FractureStep::run(std::uint64_t step, double time, const NodeState& state, FastForces* fast,
                              const Upkeep& upkeep) {
  if (safe_stretch_.size() != mesh_.node_slots()) find_safe_stretches();  // without a kernel nobody has asked yet
  tensions_.forget();
  find_candidates(fast, state);
  if (candidates_.empty()) return 0;
  queue_.begin_step(step, time);
  offer(candidates_, state);

  std::size_t splits = 0;
  while (const auto failure = queue_.next([&](NodeId n) { return ratio(n); })) {
    const NodeId node = failure->node;
    const Uid uid = mesh_.uid(node);
    const Separation separation = known_separation(node);
    const Vec3 position = state.position[node], rest = mesh_.material_position(node);
    const Journal::Mark before = mesh_.journal().now();
    const bool room = mesh_.tet_count() < parameters_.most_tets;
    const SplitResult* result =
        room ? &splitter_.split(mesh_, node, separation.normal, state.position, reference_length_) : nullptr;
    if (result == nullptr || !result->done()) {
      queue_.refused(uid);
      ++counts_.refused;
      continue;
    }
    ++splits;
    const double strength = separation.eigenvalue / failure->ratio;
    record(time, separation, strength, *result, position, uid, rest);
    find_touched(before);
    upkeep(*result);
    queue_.cracked(mesh_, *result, node, separation.normal, separation.eigenvalue - strength);
    refresh_limits(fast);
    offer(touched_, state);
  }
  return splits;
}

// The corners of tets that are new or have changed.
void FractureStep::find_touched(Journal::Mark since) {
  touched_.clear();
  seen_node_.clear();
  for (const Edit& edit : mesh_.journal().since(since)) {
    if (edit.kind != Edit::Kind::tet_added && edit.kind != Edit::Kind::tet_changed) continue;
    if (!mesh_.alive(edit.tet())) continue;
    for (const NodeId n : mesh_.corners(edit.tet())) {
      if (seen_node_.insert(n, 1) == ScratchMap<NodeId>::kNone) touched_.push_back(n);
    }
  }
}

// What the tets round touched nodes bear.
void FractureStep::refresh_limits(FastForces* fast) {
  safe_stretch_.resize(mesh_.node_slots());
  for (const NodeId n : touched_) safe_stretch_[n] = safe_stretch(n);
  if (fast == nullptr) return;
  seen_tet_.clear();
  for (const NodeId n : touched_) {
    for (const Corner c : mesh_.star(n)) {
      if (seen_tet_.insert(c.tet, 1) == ScratchMap<TetId>::kNone) fast->set_limit(c.tet, safe_stretch(c.tet));
    }
  }
}

void FractureStep::reshaped(std::span<const TetId> tets, FastForces* fast) {
  if (safe_stretch_.size() != mesh_.node_slots()) find_safe_stretches();
  known_flow_.resize(mesh_.tet_slots(), 0);
  touched_.clear();
  seen_node_.clear();
  for (const TetId t : tets) {
    const double strain = elements_.plastic.strain[t];
    if (std::abs(strain - known_flow_[t]) < kUnknownFlow) continue;
    known_flow_[t] = strain;
    for (const NodeId n : mesh_.corners(t)) {
      if (seen_node_.insert(n, 1) == ScratchMap<NodeId>::kNone) touched_.push_back(n);
    }
  }
  refresh_limits(fast);
}

void FractureStep::record(double time, const Separation& separation, double strength, const SplitResult& result,
                          const Vec3& position, Uid uid, const Vec3& rest) {
  CrackEvent event{.time = time,
                   .node = uid,
                   .eigenvalue = separation.eigenvalue,
                   .toughness = strength,
                   .position = position,
                   .rest = rest,
                   .normal = separation.normal,
                   .tets_before = static_cast<std::uint32_t>(result.removed.size()),
                   .tets_after = static_cast<std::uint32_t>(result.added.size()),
                   .crack_faces = static_cast<std::uint32_t>(result.crack_faces.size()),
                   .snapped_nodes = static_cast<std::uint32_t>(result.snapped.size()),
                   .hard_snaps = static_cast<std::uint32_t>(result.hard_snaps)};
  for (const auto& pair : result.crack_faces) {
    const auto n = mesh_.face_nodes(pair.plus);
    const Vec3& a = mesh_.material_position(n[0]);
    event.area += 0.5 * (mesh_.material_position(n[1]) - a).cross(mesh_.material_position(n[2]) - a).norm();
  }
  ++counts_.splits;
  if (result.hard_snaps > 0) ++counts_.hard_snapped;
  counts_.area += event.area;
  log_.cracks.push_back(event);
}

void FractureStep::renumber_tets(const std::vector<TetId>& tet) {
  Column<TetId, double> lengths(mesh_.tet_slots());
  for (std::size_t t = 0; t < tet.size(); ++t) {
    if (tet[t].valid()) lengths[tet[t]] = reference_length_[TetId(t)];
  }
  reference_length_ = std::move(lengths);
}

void FractureStep::save(Writer& out) const {
  out.put_all(reference_length_.span());
  queue_.save(out);
  out.put(counts_);
  out.put<std::uint64_t>(log_.cracks.size());
  for (const CrackEvent& e : log_.cracks) {
    out.put(e.time), out.put(e.node), out.put(e.eigenvalue), out.put(e.toughness);
    out.put(e.position), out.put(e.rest), out.put(e.normal);
    out.put(e.tets_before), out.put(e.tets_after), out.put(e.crack_faces), out.put(e.area);
    out.put(e.snapped_nodes), out.put(e.hard_snaps);
  }
}

void FractureStep::load(Reader& in) {
  reference_length_.resize(mesh_.tet_slots());
  in.get_into(reference_length_.span());
  for (const TetId t : id_range<TetId>(mesh_.tet_slots())) {
    if (mesh_.alive(t) && !(reference_length_[t] > 0 && std::isfinite(reference_length_[t]))) in.fail();
  }
  queue_.load(in);
  counts_ = in.get<CrackCounts>();
  log_ = {};
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    CrackEvent e;
    e.time = in.get<double>(), e.node = in.get<Uid>(), e.eigenvalue = in.get<double>();
    e.toughness = in.get<double>();
    e.position = in.get_vec3(), e.rest = in.get_vec3(), e.normal = in.get_vec3();
    e.tets_before = in.get<std::uint32_t>(), e.tets_after = in.get<std::uint32_t>();
    e.crack_faces = in.get<std::uint32_t>(), e.area = in.get<double>();
    e.snapped_nodes = in.get<std::uint32_t>(), e.hard_snaps = in.get<std::uint32_t>();
    log_.cracks.push_back(e);
  }
  safe_stretch_.assign(0, 0);
}

}  // namespace sunder::tet_oh99
