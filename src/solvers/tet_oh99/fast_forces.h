#pragma once
// The internal forces of isotropic tets, OH99 (1), (3), (4), (7), (8), (27), by SIMD: InternalForces (forces.h) at
// several times its speed. That one takes any law and is what this one is tested against.

#include <cstddef>
#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "mesh/tet_mesh.h"
#include "solvers/tet_oh99/element_blocks.h"
#include "solvers/tet_oh99/elements.h"
#include "solvers/tet_oh99/fast_forces_kernel.h"
#include "solvers/tet_oh99/forces.h"

namespace sunder::tet_oh99 {

// Two passes: over the blocks of tets, each of which leaves its own sum for each of its nodes; then over the nodes,
// that add up theirs in the order of the blocks. No atomics, and the same bits for any number of threads.
//
// All materials must have the isotropic law: only the constants of TetMaterial are read. The arguments must live as
// long as this. Nothing allocates but construction and refresh().
class FastForces {
 public:
  FastForces(const TetMesh& mesh, const std::vector<TetMaterial>& materials, const ElementConstants& elements);

  // The mesh or the constants have changed.
  void refresh();

  // The whole of (27) on every node, zero where no tet is. `measure`: the bounds on the eigenvalues too, which makes
  // it slower by a third; without it they are zero.
  ForceReport evaluate(const NodeState& state, Column<NodeId, Vec3>& force, bool measure);

  const ElementBlocks& blocks() const { return blocks_; }
  // That a step reads and writes here, per tet, beside position, velocity, force and mass.
  std::size_t hot_bytes() const { return blocks_.hot_bytes() + slot_force_.size() * sizeof(SlotForce); }

 private:
  ForceReport evaluate_blocks(const NodeState& state, bool measure);

  const TetMesh& mesh_;
  const std::vector<TetMaterial>& materials_;
  const ElementConstants& elements_;
  ElementBlocks blocks_;
  std::vector<KernelMaterial> kernel_materials_;
  std::vector<SlotForce> slot_force_;
  std::vector<BlockReport> reports_;
};

}  // namespace sunder::tet_oh99
