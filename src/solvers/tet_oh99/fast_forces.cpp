#include "solvers/tet_oh99/fast_forces.h"

#include <algorithm>

#include "core/parallel.h"

namespace sunder::tet_oh99 {
namespace {

// Some 2000 tets or nodes, 10 to 20 microseconds: less is not worth a task, and small bodies stay on one thread.
constexpr std::size_t kBlocksPerTask = 2;
constexpr std::size_t kChunksPerTask = 4;

}  // namespace

FastForces::FastForces(const TetMesh& mesh, const std::vector<TetMaterial>& materials, const ElementConstants& elements)
    : mesh_(mesh), materials_(materials), elements_(elements) {
  refresh();
}

void FastForces::refresh() {
  kernel_materials_.clear();
  for (const TetMaterial& m : materials_) {
    const Material& c = m.constants;
    kernel_materials_.push_back({.lambda = c.lambda,
                                 .mu = c.mu,
                                 .phi = c.phi,
                                 .psi = c.psi,
                                 .density = c.density,
                                 .barrier_modulus = m.barrier.modulus,
                                 .barrier_share = m.barrier.volume_share});
  }
  blocks_ = element_blocks(mesh_, elements_);
  slot_force_.resize(blocks_.slot_node.size());
  reports_.resize(blocks_.blocks.size());
}

ForceReport FastForces::evaluate_blocks(const NodeState& state, bool measure) {
  const KernelTask task = {.blocks = &blocks_,
                           .materials = kernel_materials_.data(),
                           .position = flat(state.position.span()).data(),
                           .velocity = flat(state.velocity.span()).data(),
                           .measure = measure,
                           .slot_force = slot_force_.data(),
                           .report = reports_.data()};
  parallel_chunks(blocks_.blocks.size(), kBlocksPerTask,
                  [&](std::size_t begin, std::size_t end) { block_forces(task, begin, end); });
  ForceReport total;
  for (const BlockReport& r : reports_) {
    total.elastic_eigen = std::max(total.elastic_eigen, r.elastic_eigen);
    total.viscous_eigen = std::max(total.viscous_eigen, r.viscous_eigen);
    total.inverted += r.inverted;
    total.viscous_power += r.viscous_power;
  }
  return total;
}

ForceReport FastForces::evaluate(const NodeState& state, Column<NodeId, Vec3>& force, bool measure) {
  const ForceReport report = evaluate_blocks(state, measure);
  force.resize(mesh_.node_slots());
  const SlotSumTask task = {&blocks_, slot_force_.data(), force.data()->data()};
  parallel_chunks(blocks_.chunk_count(), kChunksPerTask,
                  [&](std::size_t begin, std::size_t end) { add_up_slots(task, begin, end); });
  return report;
}

}  // namespace sunder::tet_oh99
