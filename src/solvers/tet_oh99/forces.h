#pragma once
// Internal forces of the tetrahedra, OH99 (1), (3), (4), (7), (8), (27), and what else one pass over them can tell.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "mesh/tet_mesh.h"
#include "solvers/tet_oh99/elements.h"

namespace sunder::tet_oh99 {

struct NodeState {
  Column<NodeId, Vec3> position;  // world, m
  Column<NodeId, Vec3> velocity;  // m/s
};

struct ForceReport {
  double viscous_power = 0;  // what viscosity takes at this moment: sum vol S_viscous : dE/dt, W
  double elastic_eigen = 0;  // largest over the tets as they are stretched now, 1/s^2
  double viscous_eigen = 0;  // 1/s
  std::size_t inverted = 0;  // tets with det F <= 0: stress does not show inversion (its force may be zero), det F does
};

// Forces are computed in batches that the mesh decides, stored per corner, and summed per node in the order of its
// star: no two threads write to the same place, and the bits do not depend on their number.
class InternalForces {
 public:
  InternalForces(const TetMesh& mesh, const std::vector<TetMaterial>& materials, const ElementConstants& elements);

  // The mesh or the constants have changed; looked at when next needed.
  void refresh() { stale_ = true; }

  ForceReport evaluate(const NodeState& state, Column<NodeId, Vec3>& force);

  // d force / dt for nodes that move with `velocity` and `acceleration`: the jerk of the Taylor integrator times mass.
  void evaluate_rate(const NodeState& state, const Column<NodeId, Vec3>& acceleration,
                     Column<NodeId, Vec3>& force_rate);

  double elastic_energy(const Column<NodeId, Vec3>& position) const;  // J

  // Largest principal Cauchy stress of every tet, Pa.
  void principal_stress(const NodeState& state, Column<TetId, double>& stress) const;

 private:
  struct Batch {
    std::uint32_t first = 0, count = 0, material = 0;
  };
  const std::vector<Batch>& batches() const;
  template <class Body>
  void for_each_batch(Body&& body) const;
  void store_forces(TetId tet, const Mat3& scaled_first_piola);
  void sum_corners(Column<NodeId, Vec3>& force) const;

  const TetMesh& mesh_;
  const std::vector<TetMaterial>& materials_;
  const ElementConstants& elements_;
  mutable std::vector<Batch> batches_;  // runs of live tets of one material
  mutable bool stale_ = true;
  std::vector<Vec3> corner_force_;  // four a tet
  std::vector<ForceReport> partial_;
};

}  // namespace sunder::tet_oh99
