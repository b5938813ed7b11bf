// Rigid bodies sleep as pieces do, alone or with what they touch.
#include <gtest/gtest.h>

#include "solvers/tet_oh99/resting_testing.h"

namespace sunder::tet_oh99 {
namespace {

using namespace testing;

Collider slab(const Vec3& at) {
  Collider c;
  c.name = "slab";
  c.shape = BoxCollider{Vec3(0.3, 0.05, 0.3)};
  c.motion = ColliderMotion::dynamic;
  c.mass = 4;
  c.damping = 0.5;
  c.position = at;
  return c;
}

// A box of tets on the ground, a rigid slab that falls onto it, and something else.
TetSetup slab_on_box(const Collider* more = nullptr) {
  Boxes boxes;
  boxes.add(Vec3(0, 0.1, 0));
  boxes.setup.colliders.push_back(slab(Vec3(0, 0.23, 0)));
  if (more != nullptr) boxes.setup.colliders.push_back(*more);
  return std::move(boxes.setup);
}

bool all_asleep(const TetSolver& solver) {
  return solver.asleep().count == solver.mesh().node_count() && solver.asleep().collider(1);
}

bool run_until_all_asleep(TetSolver& solver, double most) {
  while (solver.time() < most && !all_asleep(solver)) run_frame(solver);
  return all_asleep(solver);
}

TEST(RigidSleep, ASlabAndTheBoxUnderItSleepTogetherAndTheGroundBearsBoth) {
  TetSolver solver(slab_on_box());
  ASSERT_TRUE(run_until_all_asleep(solver, 3));
  EXPECT_EQ(solver.asleep().rigid[1], solver.asleep().island[NodeId(0)]) << "not one island";
  const NodeState asleep = solver.state();
  const std::uint64_t hash = solver.state_hash();
  const double at_rest = books(solver), weight = solver.totals().mass * 9.81;
  EXPECT_EQ(solver.totals().kinetic, 0);
  for (int i = 0; i < 6; ++i) {
    run_frame(solver);
    EXPECT_TRUE(same(solver.state().position, asleep.position));
    EXPECT_EQ(solver.state_hash(), hash) << "the slab has moved";
    EXPECT_NEAR(books(solver), at_rest, 1e-12 * weight);
    EXPECT_NEAR(solver.reactions()[0].force.y(), weight, 0.05 * weight);
  }
}

TEST(RigidSleep, FallingAsleepAndWakingLeaveTheBooksAsTheyAre) {
  Collider slow = ball(Vec3(0, 0.36, 0), Vec3::Zero());  // comes down onto the slab after a second
  slow.mass.reset();
  slow.motion = ColliderMotion::kinematic;
  slow.keyframes = {{0, Vec3(0, 0.365, 0)}, {10, Vec3(0, 0.265, 0)}};
  TetSolver solver(slab_on_box(&slow));
  const double scale = solver.totals().mass * 9.81 * 0.1;
  const auto books_and_work = [&] { return books(solver) - solver.reactions()[2].work; };
  double before = books_and_work();
  while (solver.time() < 1.4 && !all_asleep(solver)) {
    before = books_and_work();
    run_frame(solver);
  }
  ASSERT_TRUE(all_asleep(solver));
  EXPECT_NEAR(books_and_work(), before, 1e-5 * scale);  // the last frame awake erred, too
  before = books_and_work();
  while (solver.asleep().any() && solver.time() < 3) {
    solver.step(solver.stable_dt());
    EXPECT_NEAR(books_and_work(), before, 1e-6 * scale);
  }
  EXPECT_FALSE(solver.asleep().any());
  EXPECT_LT(solver.time(), 2.9);
}

TEST(RigidSleep, ARigidBallThatFallsOnTheSlabWakesAll) {
  const Collider falling = ball(Vec3(0, 9, 0), Vec3::Zero());  // 1.3 s
  TetSolver solver(slab_on_box(&falling));
  ASSERT_TRUE(run_until_all_asleep(solver, 1.2));
  while (solver.asleep().any() && solver.time() < 2) run_frame(solver);
  EXPECT_FALSE(solver.asleep().any());
  EXPECT_GT(solver.kinetic_energy(), 1);
}

TEST(RigidSleep, ABoxThatFallsOnASleepingSlabWakesIt) {
  Boxes boxes;
  boxes.add(Vec3(0, 5, 0));  // 1 s
  boxes.setup.colliders.push_back(slab(Vec3(0, 0.03, 0)));
  TetSolver solver(std::move(boxes.setup));
  while (solver.time() < 0.9 && !solver.asleep().collider(1)) run_frame(solver);
  ASSERT_TRUE(solver.asleep().collider(1)) << "alone on the ground it does not sleep";
  EXPECT_EQ(solver.asleep().count, 0u);
  while (solver.asleep().any() && solver.time() < 1.5) run_frame(solver);
  EXPECT_FALSE(solver.asleep().any());
  EXPECT_GT(solver.time(), 0.9);
}

TEST(RigidSleep, ABallHangsAsleepOnItsRopeWhichGoesOnPulling) {
  Collider hanging = ball(Vec3(2, 1, 0), Vec3::Zero());
  hanging.rope = Rope{.point = Vec3(2, 3, 0)};
  TetSolver solver(slab_on_box(&hanging));
  while (solver.time() < 2 && !solver.asleep().collider(2)) run_frame(solver);
  ASSERT_TRUE(solver.asleep().collider(2));
  const double dissipated = solver.totals().dissipated;
  ASSERT_TRUE(run_until_all_asleep(solver, 3));
  const double at_rest = solver.totals().dissipated;
  run_frame(solver);
  EXPECT_GE(at_rest, dissipated);
  EXPECT_EQ(solver.totals().dissipated, at_rest);
  EXPECT_NEAR(solver.reactions().back().force.norm(), 2 * 9.81, 0.2);
}

TEST(RigidSleep, AResumedRunGivesTheSameBitsAsleepAndThroughWaking) {
  const Collider falling = ball(Vec3(0, 9, 0), Vec3::Zero());
  TetSolver whole(slab_on_box(&falling));
  ASSERT_TRUE(run_until_all_asleep(whole, 1.2));
  Writer out;
  whole.save(out);
  TetSolver resumed(slab_on_box(&falling));
  Reader in(out.bytes(), "memory");
  resumed.load(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_TRUE(all_asleep(resumed));
  EXPECT_EQ(books(resumed), books(whole));
  while (whole.time() < 1.5) {
    run_frame(whole), run_frame(resumed);
    ASSERT_EQ(resumed.state_hash(), whole.state_hash()) << "at " << whole.time() << " s";
  }
  EXPECT_FALSE(whole.asleep().any());
}

}  // namespace
}  // namespace sunder::tet_oh99
