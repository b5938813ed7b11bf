// Bodies against bodies, through the solver: momentum, energy, rest.
#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <vector>

#include "solvers/tet_oh99/contact_testing.h"

namespace sunder::tet_oh99 {
namespace {

// Without damping or friction the energy may only rise by what the integrator itself errs by, which falls with the
// square of the step: of 24 bounces the worst rose by 4.1, 0.8, 0.3 and 0.13 % at 0.8, 0.4, 0.2 and 0.1 of the
// stability limit (median 0.7 to 0.01 %). Nodes that come in sideways, or find another way out than they came by, are
// let go: that loses energy, and is booked.
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
      EXPECT_LT(most, (safety < 0.5 ? 1.002 : 1.05) * before) << "run " << run;
      EXPECT_NEAR(sum_of_energies(solver), before, (safety < 0.5 ? 0.005 : 0.02) * before) << "run " << run;
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

// Pairs that are quiet for a while change nothing: boxes collide, break and fall to pieces, bit by bit as if every pair
// were looked at in every step.
TEST(BodyContact, WaitingForQuietPairsChangesNoBit) {
  std::array<std::vector<std::uint64_t>, 2> hashes;
  std::size_t touched = 0, splits = 0;
  for (const bool cull : {true, false}) {
    Material glassy = rubbery(100, 1e6);
    glassy.toughness = 30;
    Boxes boxes(glassy);
    boxes.setup.parameters.contact.cull = cull;
    boxes.add(Vec3(-0.12, 0, 0), Vec3(3, 0, 0), testing::Dice(7).rotation());
    boxes.add(Vec3(0.15, 0.05, 0.02), Vec3(-3, 0, 0), testing::Dice(8).rotation());
    TetSolver solver(std::move(boxes.setup));
    while (solver.time() < 0.06) {
      solver.step(solver.stable_dt());
      hashes[cull ? 0 : 1].push_back(solver.state_hash());
      touched = std::max(touched, solver.body_contacts().touching());
    }
    splits = solver.fracture().counts().splits;
  }
  EXPECT_EQ(hashes[0], hashes[1]);
  EXPECT_GT(touched, 20u);
  EXPECT_GT(splits, 20u);
}

}  // namespace
}  // namespace sunder::tet_oh99
