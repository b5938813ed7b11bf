// Mass and momentum of bodies and dust together stay; so do the bits, whatever the threads and after a checkpoint.
#include "solvers/tet_oh99/dust_shedding.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "solvers/tet_oh99/cracking_testing.h"

namespace sunder::tet_oh99 {
namespace {

using namespace testing;

constexpr double kThickness = 1e-4;  // m
constexpr double kTime = 0.004;      // s, in which the block breaks

TetSetup dusty_block(double speed = 0.5, bool cull = true) {
  StretchedBlock block;
  block.toughness = 15;
  block.fracture.cull = cull;
  TetSetup setup = block.setup();
  setup.parameters.dust = {
      DustRules{.thickness = kThickness, .smallest = 0.0002, .largest = 0.001, .speed = speed, .seed = 7}};
  return setup;
}

TEST(DustShedding, MassAndMomentumOfBodiesAndDustStayToRoundOff) {
  TetSolver solver(dusty_block());
  const Totals start = solver.totals();
  double largest = 0;  // momentum of anything, kg m/s
  while (solver.time() < kTime && solver.fracture().counts().splits < 60) {
    solver.step(solver.stable_dt());
    const Totals now = solver.totals();
    double of_nodes = 0;
    for (const NodeId n : id_range<NodeId>(solver.mesh().node_slots())) {
      of_nodes += solver.masses()[n];
      largest = std::max(largest, solver.masses()[n] * solver.state().velocity[n].norm());
    }
    ASSERT_NEAR(of_nodes + solver.dust().mass(), start.mass, 1e-13 * start.mass);
    ASSERT_NEAR(now.mass, start.mass, 1e-13 * start.mass);
    ASSERT_LT((now.momentum - start.momentum).norm(), 1e-11 * largest);
  }
  EXPECT_GT(solver.totals().grains, 200u);
  EXPECT_GT(solver.dust().momentum().norm() + solver.dust().kinetic_energy(), 0);
  EXPECT_LT(solver.totals().dust_mass, 0.1 * start.mass);
}

TEST(DustShedding, FacesLoseTheThicknessTheyAreToldTo) {
  TetSolver solver(dusty_block());
  run_until_cracked(solver, 60, kTime);
  const double expected = brittle().density * 2 * solver.totals().crack_area * kThickness;
  EXPECT_NEAR(solver.totals().dust_mass, expected, 0.1 * expected);
  double told = 0;
  std::uint32_t grains = 0;
  for (const CrackEvent& e : solver.cracks().cracks) told += e.dust_mass, grains += e.grains;
  EXPECT_NEAR(told, solver.totals().dust_mass, 1e-12 * told);
  EXPECT_EQ(grains, solver.totals().grains);
}

TEST(DustShedding, NoTetLosesMoreThanATenthAndNoBodyMoreGrainsThanItMay) {
  TetSetup setup = dusty_block();
  setup.parameters.dust[0].thickness = 1;  // m: all that there is
  setup.parameters.dust[0].most = 500;
  TetSolver solver(std::move(setup));
  const double start = solver.totals().mass;
  run_until_cracked(solver, 60, kTime);
  EXPECT_EQ(solver.totals().grains, 500u);
  EXPECT_NEAR(solver.totals().mass, start, 1e-13 * start);

  TetSetup greedy = dusty_block();
  greedy.parameters.dust[0].thickness = 1;
  TetSolver eager(std::move(greedy));
  run_until_cracked(eager, 60, kTime);
  EXPECT_GT(eager.totals().dust_mass, 0.01 * start);
  EXPECT_LT(eager.totals().dust_mass, 0.1 * start);
}

TEST(DustShedding, TheThrowIsBookedSoThatTheEnergiesAddUp) {
  const auto imbalance = [](double speed) {
    TetSolver solver(dusty_block(speed));
    const auto books = [&] {
      const Totals t = solver.totals();
      return t.kinetic + t.elastic + t.contact + t.gravity + t.dissipated;
    };
    const double start = books();
    run_until_cracked(solver, 60, kTime);
    return std::abs(books() - start) / start;
  };
  EXPECT_LT(imbalance(20), imbalance(0) + 1e-3) << "faster dust, the same books";
}

TEST(DustShedding, TheSameBitsForAnyNumberOfThreadsWithoutTheCullAndAfterResume) {
  std::vector<std::uint64_t> hashes;
  std::string halfway;
  std::size_t grains_halfway = 0;
  for (const auto& [count, cull] : {std::pair{1, true}, std::pair{2, true}, std::pair{7, true}, std::pair{1, false}}) {
    Threads threads(count);
    threads.run([&, cull = cull] {
      TetSolver solver(dusty_block(0.5, cull));
      run_until_cracked(solver, 30, kTime);
      if (halfway.empty()) {
        Writer out;
        solver.save(out);
        halfway = out.take();
        grains_halfway = solver.totals().grains;
      }
      run_until_cracked(solver, 60, kTime);
      hashes.push_back(solver.state_hash());
    });
  }
  EXPECT_GT(grains_halfway, 50u);
  TetSolver resumed(dusty_block());
  Reader in(halfway, "memory");
  resumed.load(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(resumed.totals().grains, grains_halfway);
  run_until_cracked(resumed, 60, kTime);
  hashes.push_back(resumed.state_hash());
  EXPECT_EQ(std::count(hashes.begin(), hashes.end(), hashes[0]), 5);
}

}  // namespace
}  // namespace sunder::tet_oh99
