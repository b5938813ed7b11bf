#pragma once
// For tests of contact through the solver: soft boxes, and what they must keep.

#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99 {

inline Material rubbery(double viscosity, double modulus = 1e5) {
  Material m;
  m.lambda = m.mu = modulus, m.density = 1000;
  m.phi = m.psi = viscosity;
  return m;
}

// Boxes, each with its own place, turn and speed.
struct Boxes {
  explicit Boxes(const Material& material, ContactCriterion criterion = ContactCriterion::node_penetration)
      : material_(material) {
    setup.parameters.gravity.setZero();
    setup.parameters.contact.criterion = criterion;
  }
  void add(const Vec3& at, const Vec3& velocity = Vec3::Zero(), const Mat3& turn = Mat3::Identity(),
           const Vec3& size = Vec3::Constant(0.2)) {
    const auto number = static_cast<std::uint32_t>(setup.body_names.size());
    const TetSoup soup = box_mesh(size, 0.1, number + 1);
    setup.mesh.append(soup, {number, number});
    setup.body_names.push_back("box");
    setup.materials.push_back(isotropic_material(material_));
    setup.toughness.push_back({.base = {.value = material_.toughness}});
    for (const Vec3& p : soup.points) {
      setup.state.position.push_back(turn * p + at);
      setup.state.velocity.push_back(velocity);
    }
  }
  Material material_;
  TetSetup setup;
};

inline double sum_of_energies(const TetSolver& solver) {
  const Totals t = solver.totals();
  return t.kinetic + t.elastic + t.gravity + t.contact + t.dissipated;
}

inline Vec3 angular_momentum(const TetSolver& solver) {
  Vec3 sum = Vec3::Zero();
  for (const NodeId n : id_range<NodeId>(solver.mesh().node_slots())) {
    sum += solver.masses()[n] * solver.state().position[n].cross(solver.state().velocity[n]);
  }
  return sum;
}

}  // namespace sunder::tet_oh99
