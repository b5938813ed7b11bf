#pragma once
// The internal forces of isotropic tets, OH99 (1), (3), (4), (7), (8), (27), by SIMD: InternalForces (forces.h) at
// several times its speed. That one takes any law and is what this one is tested against.

#include <cstddef>
#include <span>
#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "mesh/tet_mesh.h"
#include "solvers/tet_oh99/element_blocks.h"
#include "solvers/tet_oh99/elements.h"
#include "solvers/tet_oh99/fast_forces_kernel.h"
#include "solvers/tet_oh99/forces.h"
#include "solvers/tet_oh99/living_blocks.h"

namespace sunder::tet_oh99 {

// Two passes: over the blocks of tets, each of which leaves its own sum for each of its nodes; then over the nodes,
// that add up theirs in the order of the blocks. No atomics, and the same bits for any number of threads.
//
// All materials must have the isotropic law: only the constants of TetMaterial are read. The arguments must live as
// long as this. Nothing allocates but construction, refresh() and update().
class FastForces {
 public:
  FastForces(const TetMesh& mesh, const std::vector<TetMaterial>& materials, const ElementConstants& elements);

  // The mesh or the constants have changed.
  void refresh();
  // The same where the mesh's journal names what has; costs time proportional to that.
  void update();
  // The rest shapes of these, each named once, have flowed.
  void reshape(std::span<const TetId> tets);

  // Tets whose nodes sleep are left out, see LivingBlocks; seen by the next refresh().
  void leave_out(const Asleep* asleep) { blocks_.leave_out(asleep); }

  // Whether evaluate() looks for tets that may break, and the limits of those that can: while the tensile stretch of
  // every tet of a star is below this (Pa, fracture/separation_bound.h), its node holds.
  void watch(bool on) { watched_ = on; }
  void set_limit(TetId tet, double safe_stretch);
  // The tets that were over their limit at the last evaluate(), each once, in the order of the blocks.
  void flagged_tets(std::vector<TetId>& tets) const;

  // The whole of (27) on every node, zero where no tet is awake. `measure`: the bounds on the eigenvalues too, which
  // makes it slower by a third; without it they are zero.
  ForceReport evaluate(const NodeState& state, Column<NodeId, Vec3>& force, bool measure);

  const ElementBlocks& blocks() const { return blocks_.blocks(); }
  std::size_t first_tail_block() const { return blocks_.first_tail_block(); }
  Journal::Mark mark() const { return blocks_.mark(); }
  // That a step reads and writes here, per tet, beside position, velocity, force and mass.
  std::size_t hot_bytes() const { return blocks().hot_bytes() + slot_force_.size() * sizeof(SlotForce); }

  void save(Writer& out) const { blocks_.save(out); }
  void load(Reader& in);

 private:
  ForceReport evaluate_blocks(const NodeState& state, bool measure);
  void add_tail(Column<NodeId, Vec3>& force) const;
  void make_room();

  const TetMesh& mesh_;
  const std::vector<TetMaterial>& materials_;
  const ElementConstants& elements_;
  LivingBlocks blocks_;
  std::vector<KernelMaterial> kernel_materials_;
  std::vector<SlotForce> slot_force_;
  std::vector<BlockReport> reports_;
  std::vector<std::uint16_t> flagged_;  // by group
  bool watched_ = false;
};

}  // namespace sunder::tet_oh99
