#include "solvers/surface_iben06/cracking.h"

#include <cmath>

#include "core/parallel.h"
#include "geometry/symmetric_eigen.h"

namespace sunder::surface_iben06 {

Cracking::Cracking(Membrane membrane, const CrackingRules& rules, const RelaxRules& relax)
    : membrane_(std::move(membrane)), rules_(rules), relaxer_(relax) {
  rules_.split.least_area = rules_.child_area * membrane_.mean_triangle();
  queue_.resize(membrane_.mesh().node_count());
}

Cracking::Failing Cracking::evaluate(NodeId n) const {
  Mat2 tensor = membrane_.separation(n);
  const Joint& joint = membrane_.joint(n);
  const bool is_tip = membrane_.row(n).tip;
  const auto tip = is_tip ? tips_.find(n.index) : tips_.end();
  if (tip != tips_.end()) {
    // zeta' = zeta + alpha m(n+) v*                                                                            (8)
    const Vec2 along = (joint.frame.transpose() * tip->second.normal).normalized();
    tensor += tip->second.residual * (along * along.transpose());
  }
  const PlaneEigen e = plane_eigen(tensor);
  const double raw = e.values[0] * joint.scale;
  const double factor = is_tip ? rules_.tip_factor : membrane_.row(n).open ? rules_.border_factor : 1;
  return {raw * factor, raw * factor / joint.toughness, e.first, raw, slack(n, e.values[0], factor * joint.scale)};
}

double Cracking::slack(NodeId n, double eigenvalue, double factor) const {
  // m is 2/sqrt(3)-Lipschitz in the spectral norm and sqrt(2) in Frobenius', the two parts of a stress change by no
  // more than the stress, and a matrix' negative part by no more than the matrix: the largest eigenvalue of (2) rises
  // by no more than sqrt(4/3 + 2) times the sum of A |grad b| |dsigma|, times the scale.
  constexpr double kMost = 1.826;  // sqrt(10/3), rounded up
  const Membrane::Row& row = membrane_.row(n);
  if (row.open && !row.tip) return 0;  // what the tensor is divided by turns with it
  const double scale = row.open ? 8 / row.rim : row.most_even;
  return (membrane_.joint(n).toughness / factor - eigenvalue) / (scale * kMost);
}

void Cracking::look_at(std::span<const Relaxer::Stirred> nodes) {
  slack_.resize(membrane_.mesh().node_count(), 0);
  looked_at_.clear();
  for (const auto& [node, change] : nodes) {
    slack_[node.index] -= change;
    if (!(slack_[node.index] > 0)) looked_at_.push_back(node);
  }
  failing_.resize(looked_at_.size());
  constexpr std::size_t kChunk = 128;  // some thirty microseconds
  parallel_chunks(looked_at_.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) failing_[i] = evaluate(looked_at_[i]);
  });
  for (std::size_t i = 0; i < looked_at_.size(); ++i) {
    const NodeId n = looked_at_[i];
    const Failing& failing = failing_[i];
    slack_[n.index] = 0;
    const auto refused = refused_.empty() ? refused_.end() : refused_.find(n.index);
    if (refused != refused_.end()) {
      const double turned = std::acos(std::min(1.0, std::abs(refused->second.dot(failing.normal))));
      if (turned < rules_.turn_again) continue;  // it has no place in the tournament
      refused_.erase(refused);
    }
    queue_.set(n.index, failing.ratio >= 1 ? failing.ratio : MaxTree::kNothing);
    slack_[n.index] = failing.slack;
  }
}

void Cracking::settle(const std::vector<NodeId>& changed) {
  slack_.resize(membrane_.mesh().node_count(), 0);
  for (const NodeId n : changed) slack_[n.index] = 0;
  look_at(relaxer_.refresh_stress(membrane_, relaxer_.relax(membrane_, changed)));
}

void Cracking::settle_everywhere() {
  look_at(relaxer_.refresh_stress(membrane_, relaxer_.relax_everywhere(membrane_)));
}

double Cracking::raise_to(double load) {
  const double work = membrane_.raise_load(load - load_);
  load_ = load;
  settle_everywhere();
  return work;
}

double Cracking::act_once() {
  const double work = membrane_.act_once();
  settle_everywhere();
  return work;
}

std::optional<CrackEvent> Cracking::crack() {
  std::vector<NodeId> changed;
  while (queue_.top_value() >= 1 && membrane_.mesh().triangle_count() < rules_.most_triangles) {
    const NodeId node(queue_.top());
    const Failing failing = evaluate(node);
    const Joint joint = membrane_.joint(node);
    const auto before = membrane_.mesh().triangle_count();
    const auto number = static_cast<std::uint32_t>(counts_.splits + 1);
    const SurfaceSplit split = membrane_.split(node, failing.normal, rules_.split, number, changed);
    if (!split.done) {
      ++counts_.refused;
      refused_[node.index] = failing.normal;
      queue_.set(node.index, MaxTree::kNothing);
      continue;
    }
    const Vec3 normal = joint.frame * failing.normal;
    tips_.erase(node.index);
    for (const auto& [copy, of] : split.copies) tips_.erase(of.index);
    for (const NodeId tip : split.tips) {
      tips_[tip.index] = {normal, rules_.residual * std::max(0.0, failing.raw - joint.toughness)};
    }
    for (const NodeId n : changed) refused_.erase(n.index);
    queue_.resize(membrane_.mesh().node_count());
    settle(changed);

    ++counts_.splits;
    counts_.area += split.length;
    counts_.hard_snapped += split.snapped > 0 ? 1 : 0;
    CrackEvent event;
    event.node = TriMesh::uid(node);
    event.eigenvalue = failing.eigenvalue;
    event.toughness = joint.toughness;
    event.position = event.rest = membrane_.mesh().position(node);
    event.normal = normal;
    event.tets_before = static_cast<std::uint32_t>(split.cut_edges.size());
    for (const auto& cut : split.cut_edges) event.tets_before += cut.split.neighbour.valid() ? 1 : 0;
    event.tets_after = event.tets_before + static_cast<std::uint32_t>(membrane_.mesh().triangle_count() - before);
    event.crack_faces = split.edges;
    event.area = split.length;
    event.snapped_nodes = split.snapped;
    return event;
  }
  return std::nullopt;
}

void Cracking::save(Writer& out) const {
  membrane_.save(out);
  out.put(load_);
  out.put(counts_.splits), out.put(counts_.refused), out.put(counts_.hard_snapped), out.put(counts_.area);
  out.put<std::uint64_t>(refused_.size());
  for (const auto& [node, normal] : refused_) out.put(node), out.put(normal.x()), out.put(normal.y());
  out.put<std::uint64_t>(tips_.size());
  for (const auto& [node, tip] : tips_) out.put(node), out.put(tip.normal), out.put(tip.residual);
  // Ratios, not found anew: the last bits of a sum may depend on when it was taken.
  std::vector<double> ratios;
  for (std::size_t i = 0; i < queue_.size(); ++i) ratios.push_back(queue_.value(i));
  out.put_all(std::span<const double>(ratios));
}

void Cracking::load_state(Reader& in) {
  membrane_.load(in);
  load_ = in.get<double>();
  counts_.splits = in.get<std::uint64_t>(), counts_.refused = in.get<std::uint64_t>();
  counts_.hard_snapped = in.get<std::uint64_t>(), counts_.area = in.get<double>();
  const std::size_t nodes = membrane_.mesh().node_count();
  const auto get_node = [&] {
    const auto node = in.get<std::uint32_t>();
    if (node >= nodes) in.fail();
    return node;
  };
  refused_.clear(), tips_.clear();
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const std::uint32_t node = get_node();
    const double x = in.get<double>(), y = in.get<double>();
    refused_[node] = Vec2(x, y);
  }
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    const std::uint32_t node = get_node();
    const Vec3 normal = in.get_vec3();
    tips_[node] = {normal, in.get<double>()};
  }
  const std::vector<double> ratios = in.get_all<double>();
  if (ratios.size() != nodes) in.fail();
  slack_.assign(nodes, 0);
  queue_ = MaxTree();
  queue_.resize(nodes);
  for (std::size_t i = 0; i < nodes; ++i) queue_.set(i, ratios[i]);
}

}  // namespace sunder::surface_iben06
