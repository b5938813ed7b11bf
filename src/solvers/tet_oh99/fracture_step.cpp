#include "solvers/tet_oh99/fracture_step.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "core/parallel.h"
#include "fracture/crack_course.h"
#include "fracture/effective_area.h"
#include "fracture/separation_bound.h"

namespace sunder::tet_oh99 {
namespace {

constexpr double kInfinity = std::numeric_limits<double>::infinity();
constexpr std::size_t kNodesPerTask = 16;  // some ten microseconds
constexpr double kRoundOff = 1e-9;         // of sums over a star, and a thousand times more
constexpr double kUnknownFlow = 0.005;     // plastic strain that a tet may gain before its corners are looked at again

// vol grad b_i of a corner, m^2.
Vec3 scaled_gradient(const ElementConstants& elements, Corner c) {
  return elements.volume[c.tet] * shape_gradient(elements, c);
}

}  // namespace

FractureStep::FractureStep(const FractureParameters& parameters, std::vector<ToughnessField> toughness, TetMesh& mesh,
                           const std::vector<TetMaterial>& materials, const ElementConstants& elements)
    : parameters_(parameters),
      mesh_(mesh),
      elements_(elements),
      resistances_(std::move(toughness), mesh),
      queue_(parameters.rules),
      splitter_(parameters.split),
      tensions_(mesh, materials, elements),
      reference_length_(reference_lengths(mesh)) {
  on_ = parameters_.on && resistances_.any_breakable();
  if (on_) resistances_.advance(0);
}

void FractureStep::set_time(double time, FastForces* fast) {
  if (!resistances_.advance(time)) return;
  if (fast != nullptr) {
    set_limits(*fast);
  } else {
    find_safe_stretches();
  }
}

double FractureStep::least_toughness(NodeId node, double areas) const {
  double least = resistances_.value(node) * queue_.least_toughness_share(mesh_.uid(node));
  if (resistances_.measure(node) == Toughness::Measure::stress) least *= least_effective_area(areas);
  // The plane's factor and the eigenvalue of the scaled tensor are exact to round-off times their range, 1e12 at most.
  if (const PlaneFactors* planes = resistances_.planes(node)) least *= (1 - 1e-9) * planes->weakest;
  return least;
}

double FractureStep::least_stretch(NodeId node, double areas) const {
  if (resistances_.measure(node) == Toughness::Measure::force) return 0;
  const CrackTip* tip = queue_.tip(mesh_.uid(node));
  const double least = least_toughness(node, areas) - (tip != nullptr ? tip->residual : 0);
  return kLeastStretch * least / least_effective_area(areas);
}

FractureStep::Load FractureStep::known_load(NodeId node, const NodeState& state) const {
  thread_local std::vector<Vec3> pulls, pushes;
  pulls.clear(), pushes.clear();
  for (const Corner c : mesh_.star(node)) {
    const Vec3 g = scaled_gradient(elements_, c);
    const TetTension& t = tensions_[c.tet];
    pulls.push_back(-(t.pull * g)), pushes.push_back(-(t.push * g));
  }
  Mat3 tensor = separation_tensor(pulls, pushes, parameters_.compression);  // OH99 (32)
  const PlaneFactors* planes = resistances_.planes(node);
  const double alpha = queue_.rules().residual;
  const CrackTip* tip = alpha > 0 ? queue_.tip(mesh_.uid(node)) : nullptr;
  Load load;
  load.turn = planes != nullptr || alpha > 0 ? rotation_of(mean_deformation(node, state)) : Mat3(Mat3::Identity());
  if (tip != nullptr) {
    const Vec3 before = load.turn * tip->normal;
    tensor += tip->residual * before * before.transpose();
  }
  load.toughness = resistances_.value(node) * queue_.toughness_share(mesh_, node);
  if (planes != nullptr) {
    const PlaneFactors turned = planes->turned(load.turn);
    load.separation = weakest_separation(tensor, turned);
    load.toughness *= turned.of(load.separation.normal);
  } else {
    load.separation = largest_separation(tensor);
  }
  load.plane = load.separation.normal;
  if (alpha > 0 && tip == nullptr) tip = tip_beside(node);
  if (tip != nullptr) load.plane = crack_course(load.separation.normal, load.turn * tip->normal, alpha);
  if (resistances_.measure(node) == Toughness::Measure::stress) {
    load.toughness *= area(node, load.separation.normal, state);
  }
  return load;
}

const CrackTip* FractureStep::tip_beside(NodeId node) const {
  bool on_flank = false;
  const CrackTip* nearest = nullptr;
  std::pair<double, Uid> least(kInfinity, 0);  // m^2; of equal ones the smallest uid
  for (const Corner c : mesh_.star(node)) {
    on_flank = on_flank || (mesh_.crack_faces(c.tet) & ~(1u << c.index)) != 0;
    for (const NodeId n : mesh_.corners(c.tet)) {
      const CrackTip* tip = n == node ? nullptr : queue_.tip(mesh_.uid(n));
      if (tip == nullptr) continue;
      const double distance = (mesh_.material_position(n) - mesh_.material_position(node)).squaredNorm();
      if (const std::pair here(distance, mesh_.uid(n)); here < least) least = here, nearest = tip;
    }
  }
  return on_flank ? nearest : nullptr;
}

// Of the tets round a node, by their volume.
Mat3 FractureStep::mean_deformation(NodeId node, const NodeState& state) const {
  Mat3 sum = Mat3::Zero();
  for (const Corner c : mesh_.star(node)) {
    const Mat3 f = edge_matrix(mesh_.corner_positions(c.tet, state.position)) * elements_.rest_inverse[c.tet];
    sum += elements_.volume[c.tet] * f;
  }
  return sum;
}

// That the node stands for on a plane, m^2, in the world.
double FractureStep::area(NodeId node, const Vec3& normal, const NodeState& state) const {
  thread_local std::vector<Vec3> faces;
  faces.clear();
  double in_material = 0;
  for (const Corner c : mesh_.star(node)) {
    in_material += scaled_gradient(elements_, c).norm();
    const auto n =
        mesh_.face_nodes(c);  // seen from outside they turn left: the cross product points away from the node
    const Vec3& a = state.position[n[0]];
    faces.push_back((state.position[n[2]] - a).cross(state.position[n[1]] - a) / 6);
  }
  return effective_area(faces, normal, in_material);
}

Separation FractureStep::separation(NodeId node, const NodeState& state) {
  resistances_.advance(0);
  tensions_.forget();
  tensions_.find(std::span(&node, 1), state);
  tensions_.part(std::span(&node, 1));
  return known_load(node, state).separation;
}

double FractureStep::ratio(NodeId node, const NodeState& state) {
  if (!may_fail(node)) return 0;
  tensions_.part(std::span(&node, 1));
  return known_load(node, state).ratio();
}

bool FractureStep::may_fail(NodeId node) const {
  if (!queue_.may_fail(mesh_.uid(node)) || safe_stretch_[node] == kInfinity) return false;
  double sum = 0, areas = 0, largest = 0;
  for (const Corner c : mesh_.star(node)) {
    const TetTension& t = tensions_[c.tet];
    const Vec3 area = scaled_gradient(elements_, c);
    sum += t.largest_pull(area), areas += area.norm();
    largest = std::max(largest, t.stretch);
  }
  if (largest < least_stretch(node, areas)) return false;
  if (!cull()) return true;
  if (largest < safe_stretch_[node]) return false;
  const CrackTip* tip = queue_.tip(mesh_.uid(node));
  return !(separation_bound(sum) + (tip != nullptr ? tip->residual : 0) < least_toughness(node, areas));
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
  if (resistances_.value(node) == kInfinity) return kInfinity;
  double areas = 0;  // sum_e w_ei
  for (const Corner c : mesh_.star(node)) areas += scaled_gradient(elements_, c).norm();
  // Flow by a plastic strain da lengthens or shortens gradients by a factor of exp(da) at most.
  const double unknown = elements_.plastic.any() ? std::exp(kUnknownFlow) : 1;
  const CrackTip* tip = queue_.tip(mesh_.uid(node));
  const double least = least_toughness(node, areas / unknown) - (tip != nullptr ? tip->residual : 0);
  if (!(areas > 0)) return kInfinity;
  // The kernel finds the stretch to round-off of what may_fail() looks at.
  return std::max(safe_tensile_stretch(least, areas * unknown), (1 - 1e-9) * least_stretch(node, areas / unknown));
}

void FractureStep::set_limits(FastForces& fast) {
  find_safe_stretches();
  for (const TetId t : id_range<TetId>(mesh_.tet_slots())) {
    if (mesh_.alive(t)) fast.set_limit(t, safe_stretch(t));
  }
}

// The kernel flags a tet that is over the limit of its weakest corner: of its corners, those are flagged whose own
// limit it is over. What the others of a star pull is below limit times area, and with limit times all areas the node
// would just not break: it is a candidate only if its flagged tets pull more than that in the sum. Most do not, since a
// pull depends on its direction and the limit does not. (Under `strength` the limit may be higher, and says less.)
void FractureStep::find_candidates(const FastForces* fast, const NodeState& state) {
  candidates_.clear();
  if (fast == nullptr || !cull()) {
    for (const NodeId n : id_range<NodeId>(mesh_.node_slots())) {
      if (asleep_ != nullptr && (*asleep_)[n]) continue;
      if (mesh_.alive(n) && !mesh_.star(n).empty()) candidates_.push_back(n);
    }
    return;
  }
  fast->flagged_tets(flagged_);
  tensions_.find(flagged_, state);
  seen_node_.clear();
  flagged_nodes_.clear();
  for (const TetId t : flagged_) {
    const TetTension& tension = tensions_[t];
    for (int i = 0; i < 4; ++i) {
      const NodeId n = mesh_.node({t, i});
      if (safe_stretch_[n] == kInfinity) continue;
      const std::uint32_t place = seen_node_.insert(n, static_cast<std::uint32_t>(flagged_nodes_.size()));
      FlaggedNode& node = place == ScratchMap<NodeId>::kNone ? flagged_nodes_.emplace_back(n) : flagged_nodes_[place];
      const Vec3 g = scaled_gradient(elements_, {t, i});
      node.pull += tension.largest_pull(g);
      node.bears += safe_stretch_[n] * g.norm();
      node.over = node.over || !(tension.stretch < safe_stretch_[n]);
    }
  }
  std::erase_if(flagged_nodes_, [](const FlaggedNode& node) { return !node.over; });
  for (const FlaggedNode& node : flagged_nodes_) {
    const bool by_force = resistances_.measure(node.node) == Toughness::Measure::force;
    if (!(by_force && node.pull < (1 - kRoundOff) * node.bears)) candidates_.push_back(node.node);
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
    for (std::size_t i = begin; i < end; ++i) ratio_[i] = known_load(doubtful_[i], state).ratio();
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
  while (const auto failure = queue_.next([&](NodeId n) { return ratio(n, state); })) {
    const NodeId node = failure->node;
    const Uid uid = mesh_.uid(node);
    const Load load = known_load(node, state);
    const Vec3 position = state.position[node], rest = mesh_.material_position(node);
    const Journal::Mark before = mesh_.journal().now();
    const bool room = mesh_.tet_count() < parameters_.most_tets;
    const SplitResult* result =
        room ? &splitter_.split(mesh_, node, load.plane, state.position, reference_length_) : nullptr;
    if (result == nullptr || !result->done()) {
      queue_.refused(uid);
      ++counts_.refused;
      continue;
    }
    ++splits;
    record(time, load, *result, position, uid, rest);
    find_touched(before);
    upkeep(*result);
    resistances_.add_new_nodes();
    queue_.cracked(mesh_, *result, node, load.turn.transpose() * load.plane,
                   load.separation.eigenvalue - load.toughness, mean_reference_length(node));
    refresh_limits(fast);
    offer(touched_, state);
  }
  return splits;
}

// m, of the tets round a node: an edge of the start mesh.
double FractureStep::mean_reference_length(NodeId node) const {
  double sum = 0, count = 0;
  for (const Corner c : mesh_.star(node)) sum += reference_length_[c.tet], ++count;
  return sum / count;
}

// The corners of tets that are new or have changed.
void FractureStep::find_touched(Journal::Mark since) {
  touched_.clear();
  seen_node_.clear();
  for (const Edit& edit : mesh_.journal().since(since)) {
    const bool of_tet = edit.kind == Edit::Kind::tet_added || edit.kind == Edit::Kind::tet_changed ||
                        edit.kind == Edit::Kind::tet_cracked;
    if (!of_tet || !mesh_.alive(edit.tet())) continue;
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

void FractureStep::record(double time, const Load& load, const SplitResult& result, const Vec3& position, Uid uid,
                          const Vec3& rest) {
  CrackEvent event{.time = time,
                   .node = uid,
                   .eigenvalue = load.separation.eigenvalue,
                   .toughness = load.toughness,
                   .position = position,
                   .rest = rest,
                   .normal = load.plane,
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
    out.put(e.grains), out.put(e.dust_mass);
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
    e.grains = in.get<std::uint32_t>(), e.dust_mass = in.get<double>();
    log_.cracks.push_back(e);
  }
  safe_stretch_.assign(0, 0);
  resistances_.forget();
  resistances_.advance(0);
}

}  // namespace sunder::tet_oh99
