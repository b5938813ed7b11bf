#include "fracture/node_resistances.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace sunder {

NodeResistances::NodeResistances(std::vector<ToughnessField> fields, const TetMesh& mesh)
    : fields_(std::move(fields)), mesh_(mesh) {
  for (const ToughnessField& field : fields_) {
    for (const ToughnessLayer& layer : field.layers) {
      if (layer.factor.size() > 1) settle_at_ = std::max(settle_at_, layer.factor.back().time);
    }
  }
}

bool NodeResistances::any_breakable() const {
  return std::any_of(fields_.begin(), fields_.end(), [](const ToughnessField& f) { return f.base.value > 0; });
}

Resistance NodeResistances::find(NodeId node) const {
  Resistance weakest;
  std::uint32_t last = 0xffffffffu;
  for (const Corner c : mesh_.star(node)) {
    const std::uint32_t material = mesh_.tags(c.tet).material;
    if (material == last) continue;
    last = material;
    if (material >= fields_.size()) return {};
    const Resistance here = fields_[material].at(mesh_.uid(node), mesh_.material_position(node), factors_[material]);
    if (std::isinf(here.value)) return {};
    if (here.value < weakest.value) weakest = here;
  }
  return weakest;
}

void NodeResistances::keep(const Resistance& resistance) {
  nodes_.push_back(
      {resistance.value, resistance.measure, resistance.planes ? static_cast<std::uint32_t>(planes_.size()) : kNone});
  if (resistance.planes) planes_.push_back(*resistance.planes);
}

bool NodeResistances::advance(double time) {
  const bool known = nodes_.size() == mesh_.node_slots();
  if (known && settled_) return false;
  settled_ = time >= settle_at_;
  std::vector<std::vector<double>> now;
  for (const ToughnessField& field : fields_) now.push_back(field.factors(time));
  if (known && now == factors_) return false;
  factors_ = std::move(now);
  Column<NodeId, Resistance> found(mesh_.node_slots());
  parallel_for(found.size(), [&](std::size_t i) { found[NodeId(i)] = find(NodeId(i)); });
  nodes_.resize(0);
  planes_.clear();
  for (const Resistance& r : found) keep(r);
  return true;
}

void NodeResistances::add_new_nodes() {
  for (std::size_t i = nodes_.size(); i < mesh_.node_slots(); ++i) keep(find(NodeId(i)));
}

}  // namespace sunder
