#include "solvers/tet_oh99/fast_forces.h"

#include <algorithm>
#include <bit>

#include "core/parallel.h"

namespace sunder::tet_oh99 {
namespace {

// Some 2000 tets or nodes, 10 to 20 microseconds: less is not worth a task, and small bodies stay on one thread.
constexpr std::size_t kBlocksPerTask = 2;
constexpr std::size_t kChunksPerTask = 4;
constexpr std::size_t kTetsPerTask = 128;  // to reshape
constexpr double kLimitMargin = 1 - 1e-9;  // far above the round-off of the kernel

}  // namespace

FastForces::FastForces(const TetMesh& mesh, const std::vector<TetMaterial>& materials, const ElementConstants& elements)
    : mesh_(mesh), materials_(materials), elements_(elements), blocks_(mesh, elements) {
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
  blocks_.cut();
  make_room();
}

void FastForces::update() {
  blocks_.update();
  make_room();
}

void FastForces::reshape(std::span<const TetId> tets) {
  parallel_chunks(tets.size(), kTetsPerTask, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) blocks_.reshape(tets[i]);
  });
}

void FastForces::load(Reader& in) {
  blocks_.load(in);
  make_room();
}

void FastForces::make_room() {
  slot_force_.resize(blocks().slot_node.size());
  reports_.resize(blocks().blocks.size());
  flagged_.resize(blocks().groups.size());
}

void FastForces::set_limit(TetId tet, double safe_stretch) {
  const double scaled = kLimitMargin * safe_stretch * elements_.volume[tet];
  blocks_.set_limit(tet, scaled * scaled);
}

void FastForces::flagged_tets(std::vector<TetId>& tets) const {
  tets.clear();
  for (std::size_t b = 0; b < reports_.size(); ++b) {
    if (!reports_[b].flagged) continue;
    const Block& block = blocks().blocks[b];
    for (std::size_t g = block.first_group; g < block.first_group + block.group_count; ++g) {
      for (unsigned bits = flagged_[g]; bits != 0; bits &= bits - 1) {
        const auto bit = static_cast<std::size_t>(std::countr_zero(bits));
        const TetId t = blocks().lane_tets[g * kLanes + bit % kLanes][bit / kLanes];
        if (t.valid()) tets.push_back(t);
      }
    }
  }
}

ForceReport FastForces::evaluate_blocks(const NodeState& state, bool measure) {
  const KernelTask task = {.blocks = &blocks(),
                           .materials = kernel_materials_.data(),
                           .position = flat(state.position.span()).data(),
                           .velocity = flat(state.velocity.span()).data(),
                           .measure = measure,
                           .flagged = watched_ ? flagged_.data() : nullptr,
                           .slot_force = slot_force_.data(),
                           .report = reports_.data()};
  parallel_chunks(blocks().blocks.size(), kBlocksPerTask,
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
  if (blocks_.cut_if_it_pays()) make_room();
  const ForceReport report = evaluate_blocks(state, measure);
  force.resize(mesh_.node_slots());
  const SlotSumTask task = {&blocks(), slot_force_.data(), force.data()->data()};
  parallel_chunks(blocks().chunk_count(), kChunksPerTask,
                  [&](std::size_t begin, std::size_t end) { add_up_slots(task, begin, end); });
  add_tail(force);
  return report;
}

// What the tail adds; nodes that came after the blocks were cut have nothing else.
void FastForces::add_tail(Column<NodeId, Vec3>& force) const {
  for (std::size_t n = blocks().run_node.size(); n < force.size(); ++n) force[NodeId(n)].setZero();
  for (std::size_t b = blocks_.first_tail_block(); b < blocks().blocks.size(); ++b) {
    const Block& block = blocks().blocks[b];
    for (std::size_t s = block.first_slot; s < block.first_slot + block.node_count; ++s) {
      const SlotForce& f = slot_force_[s];
      force[blocks().slot_node[s]] += Vec3(f.x, f.y, f.z);
    }
  }
}

}  // namespace sunder::tet_oh99
