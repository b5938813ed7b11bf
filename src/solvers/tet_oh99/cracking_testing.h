#pragma once
// Bodies that break, for the tests of the fracture phase.

#include <vector>

#include "core/random.h"
#include "meshing/box_mesh.h"
#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99::testing {

// The bowls' material, OH99 Table 1.
inline Material brittle() {
  return {.lambda = 2.65e6, .mu = 3.97e6, .phi = 264, .psi = 397, .density = 1013, .toughness = 13.2};
}

// A block that flies apart along `direction`, at `rate` (1/s): its stress is the same everywhere, until it breaks.
struct StretchedBlock {
  Vec3 size = Vec3(0.1, 0.08, 0.08);
  double edge = 0.02;  // m
  std::uint64_t seed = 1;
  Vec3 direction = Vec3::UnitX();
  double rate = 80;       // 1/s
  double toughness = 40;  // N, or Pa
  Toughness::Measure measure = Toughness::Measure::force;
  std::vector<ToughnessLayer> layers;
  double spread = 0.2;  // of it, by node
  FractureParameters fracture;

  TetSetup setup() const {
    const TetSoup soup = box_mesh(size, edge, seed);
    Material material = brittle();
    material.toughness = toughness;
    TetSetup result = setup_of(soup, material);
    ToughnessField field;
    field.base = {.value = toughness,
                  .measure = measure,
                  .noise = Toughness::Noise::node,
                  .spread = spread,
                  .grain = 0.01,
                  .seed = seed};
    field.layers = layers;
    result.toughness = {field};
    for (const NodeId n : id_range<NodeId>(soup.points.size())) {
      result.state.velocity[n] = rate * result.state.position[n].dot(direction) * direction;
    }
    result.parameters.gravity.setZero();
    result.parameters.fracture = fracture;
    return result;
  }
};

// Steps until so many nodes have split, or the time is over.
inline void run_until_cracked(TetSolver& solver, std::uint64_t splits, double time) {
  while (solver.time() < time && solver.fracture().counts().splits < splits) solver.step(solver.stable_dt());
}

}  // namespace sunder::tet_oh99::testing
