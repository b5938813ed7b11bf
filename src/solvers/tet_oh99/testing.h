#pragma once
// Bodies for the tests of this folder.

#include <cmath>

#include "core/dice_testing.h"
#include "meshing/box_mesh.h"
#include "solvers/tet_oh99/tet_solver.h"

namespace sunder::tet_oh99::testing {

using sunder::Dice;

inline Material random_material(Dice& dice) {
  Material m;
  m.mu = dice(0.5e6, 5e6);
  m.lambda = dice(0, 5e6);
  m.phi = dice(0, 300);
  m.psi = dice(0, 300);
  m.density = dice(500, 3000);
  return m;
}

// A body at rest, its material and the forces in it.
struct Body {
  explicit Body(const TetSoup& soup, const Material& material, const DampingParameters& damping = {.capped = false},
                bool with_barrier = true) {
    materials.push_back(isotropic_material(material, with_barrier));
    mesh.append(soup, {});
    elements = element_constants(mesh, materials, damping);
    for (const Vec3& p : soup.points) {
      state.position.push_back(p);
      state.velocity.push_back(Vec3::Zero());
    }
    forces.refresh();
  }
  Body(const Body&) = delete;  // `forces` refers to the members
  Body& operator=(const Body&) = delete;

  // The viscous part (26) on its own is what the velocities add.
  ForceReport evaluate() {
    const NodeState still = {state.position, Column<NodeId, Vec3>(state.velocity.size(), Vec3::Zero())};
    Column<NodeId, Vec3> elastic;
    forces.evaluate(still, elastic);
    const ForceReport report = forces.evaluate(state, force);
    viscous = force;
    for (const NodeId n : id_range<NodeId>(viscous.size())) viscous[n] -= elastic[n];
    return report;
  }

  TetMesh mesh;
  std::vector<TetMaterial> materials;
  ElementConstants elements;
  NodeState state;
  Column<NodeId, Vec3> force, viscous;
  InternalForces forces{mesh, materials, elements};
};

inline TetSoup random_tet(Dice& dice) {
  for (;;) {
    TetSoup soup;
    for (int i = 0; i < 4; ++i) soup.points.push_back(dice.vec(-1, 1));
    soup.tets.push_back({0, 1, 2, 3});
    const TetCorners x = {soup.points[0], soup.points[1], soup.points[2], soup.points[3]};
    if (quality(x) < 0) std::swap(soup.tets[0][0], soup.tets[0][1]);
    if (std::abs(quality(x)) > 0.1) return soup;
  }
}

// A setup of one body from a soup, moving with `velocity`.
inline TetSetup setup_of(const TetSoup& soup, const Material& material, const Vec3& velocity = Vec3::Zero()) {
  TetSetup setup;
  setup.mesh.append(soup, {});
  setup.body_names = {"body"};
  setup.materials.push_back(isotropic_material(material));
  for (const Vec3& p : soup.points) {
    setup.state.position.push_back(p);
    setup.state.velocity.push_back(velocity);
  }
  return setup;
}

}  // namespace sunder::tet_oh99::testing
