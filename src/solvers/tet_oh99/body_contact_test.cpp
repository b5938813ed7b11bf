// Bodies against bodies, through the solver: momentum, energy, rest.
#include <gtest/gtest.h>

#include <cmath>

#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99 {
namespace {

Material rubbery(double viscosity, double modulus = 1e5) {
  Material m;
  m.lambda = m.mu = modulus, m.density = 1000;
  m.phi = m.psi = viscosity;
  return m;
}

// Boxes of 0.2 m, each with its own place, turn and speed.
struct Boxes {
  explicit Boxes(const Material& material) : material_(material) { setup.parameters.gravity.setZero(); }
  void add(const Vec3& at, const Vec3& velocity = Vec3::Zero(), const Mat3& turn = Mat3::Identity()) {
    const auto number = static_cast<std::uint32_t>(setup.body_names.size());
    const TetSoup soup = box_mesh({0.2, 0.2, 0.2}, 0.1, number + 1);
    setup.mesh.append(soup, {number, number});
    setup.body_names.push_back("box");
    setup.materials.push_back(isotropic_material(material_));
    for (const Vec3& p : soup.points) {
      setup.state.position.push_back(turn * p + at);
      setup.state.velocity.push_back(velocity);
    }
  }
  Material material_;
  TetSetup setup;
};

double sum_of_energies(const TetSolver& solver) {
  const Totals t = solver.totals();
  return t.kinetic + t.elastic + t.gravity + t.contact + t.dissipated;
}

Vec3 angular_momentum(const TetSolver& solver) {
  Vec3 sum = Vec3::Zero();
  for (const NodeId n : id_range<NodeId>(solver.mesh().node_slots())) {
    sum += solver.masses()[n] * solver.state().position[n].cross(solver.state().velocity[n]);
  }
  return sum;
}

// Without damping or friction the energy may only rise by what the integrator itself errs by, which falls with the
// square of the step: 2 % at 0.8 of the stability limit, 0.1 % at 0.1 of it. Nodes that come in sideways, or find
// another way out than they came by, are let go: that loses energy, and is booked.
TEST(BodyContact, UndampedBounceKeepsEnergyAndMomentum) {
  for (const double safety : {0.8, 0.1}) {
    testing::Dice dice(3);
    for (int run = 0; run < 6; ++run) {
      Boxes boxes(rubbery(0));
      boxes.setup.parameters.contact.damping = boxes.setup.parameters.contact.friction = 0;
      boxes.setup.parameters.safety = safety;
      boxes.add(Vec3(-0.25, 0, 0), Vec3(0.8, 0, 0), dice.rotation());
      boxes.add(Vec3(0.25, 0, 0) + dice.vec(-0.05, 0.05), Vec3(-0.8, 0, 0), dice.rotation());
      TetSolver solver(std::move(boxes.setup));
      const double before = sum_of_energies(solver);
      const Vec3 spin = angular_momentum(solver);
      std::size_t touched = 0;
      double most = 0;
      while (solver.time() < 0.8) {
        solver.step(solver.stable_dt());
        touched = std::max(touched, solver.body_contacts().touching());
        const Totals t = solver.totals();
        most = std::max(most, t.kinetic + t.elastic + t.contact);
      }
      EXPECT_GE(touched, 1u);
      EXPECT_LT(most, (safety < 0.5 ? 1.001 : 1.02) * before) << "run " << run;
      EXPECT_NEAR(sum_of_energies(solver), before, 0.01 * before) << "run " << run;
      EXPECT_LT(solver.totals().momentum.norm(), 1e-10);
      EXPECT_LT((angular_momentum(solver) - spin).norm(), 1e-9);
    }
  }
}

TEST(BodyContact, BoxesDoNotPassThroughEachOther) {
  Boxes boxes(rubbery(20));
  boxes.add(Vec3(-0.2, 0, 0), Vec3(1.5, 0, 0));
  boxes.add(Vec3(0.2, 0.03, 0.02), Vec3(-1.5, 0, 0));
  TetSolver solver(std::move(boxes.setup));
  while (solver.time() < 0.5) solver.step(solver.stable_dt());
  Vec3 left = Vec3::Zero(), right = Vec3::Zero();
  for (const NodeId n : id_range<NodeId>(solver.mesh().node_slots())) {
    (n.index < solver.mesh().node_slots() / 2 ? left : right) += solver.masses()[n] * solver.state().velocity[n];
  }
  EXPECT_LT(left.x(), -1);  // 8 kg each: they have turned round
  EXPECT_GT(right.x(), 1);
}

TEST(BodyContact, StackOfThreeComesToRest) {
  Boxes boxes(rubbery(4000, 2e6));
  boxes.setup.parameters.gravity = Vec3(0, -9.81, 0);
  boxes.setup.colliders.push_back({.shape = GroundCollider{0}});
  for (int i = 0; i < 3; ++i) boxes.add(Vec3(0.02 * i, 0.1 + 0.201 * i, 0.01 * i));
  TetSolver solver(std::move(boxes.setup));
  while (solver.time() < 4) solver.step(solver.stable_dt());
  EXPECT_LT(solver.kinetic_energy(), 1e-3);  // 24 kg: below 1 cm/s; the tower still sways a little
  EXPECT_NEAR(solver.reactions().back().force.y(), solver.totals().mass * 9.81, 5);
}

}  // namespace
}  // namespace sunder::tet_oh99
