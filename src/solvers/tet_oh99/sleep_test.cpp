// Pieces at rest sleep, stay exactly where they are, and wake when touched; books and reactions go on.
#include "solvers/tet_oh99/sleep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "solvers/tet_oh99/cracking_testing.h"
#include "solvers/tet_oh99/resting_testing.h"

namespace sunder::tet_oh99 {
namespace {

using namespace testing;

class SleepTest : public ::testing::TestWithParam<ContactCriterion> {
 protected:
  Boxes boxes_on_ground() const { return Boxes(GetParam()); }
};
INSTANTIATE_TEST_SUITE_P(Criteria, SleepTest,
                         ::testing::Values(ContactCriterion::node_penetration, ContactCriterion::overlap_volume),
                         criterion_name);

TEST_P(SleepTest, ADroppedBoxFallsAsleepAndStaysExactlyWhereItIs) {
  Boxes boxes = boxes_on_ground();
  boxes.add(Vec3(0, 0.12, 0));
  TetSolver solver(std::move(boxes.setup));
  double before = books(solver);
  const double scale = solver.totals().mass * 9.81 * 0.12;
  while (solver.asleep().count == 0 && solver.time() < 4) {
    before = books(solver);  // while it is awake the integrator errs, and that is not looked at here
    run_frame(solver);
  }
  ASSERT_EQ(solver.asleep().count, solver.mesh().node_count());
  EXPECT_NEAR(books(solver), before, 1e-6 * scale);
  const NodeState asleep = solver.state();
  const Totals totals = solver.totals();
  EXPECT_EQ(totals.kinetic, 0);
  EXPECT_GT(totals.elastic, 0);
  for (int i = 0; i < 6; ++i) {
    run_frame(solver);
    EXPECT_TRUE(same(solver.state().position, asleep.position));
    EXPECT_TRUE(same(solver.state().velocity, asleep.velocity));
    EXPECT_NEAR(books(solver), totals.elastic + totals.gravity + totals.contact + totals.dissipated, 1e-12 * scale);
    EXPECT_NEAR(solver.reactions().back().force.y(), totals.mass * 9.81, 0.05 * totals.mass * 9.81);
  }
}

TEST_P(SleepTest, FallingAsleepTakesTheirMotionAndHardlyMore) {
  Boxes boxes = boxes_on_ground();
  for (int i = 0; i < 2; ++i) boxes.add(Vec3(0.01 * i, 0.1 + 0.2 * i, 0));
  TetSolver solver(std::move(boxes.setup));
  const double scale = solver.totals().mass * 9.81 * 0.2;
  while (!solver.asleep().any() && solver.time() < 3) {
    const double end = solver.time() + kFrame;
    while (end - solver.time() > 1e-9) solver.step(std::min(solver.stable_dt(), end - solver.time()));
    const Totals before = solver.totals();
    solver.prepare_frame();
    const Totals after = solver.totals();
    EXPECT_NEAR(after.elastic, before.elastic, 1e-6 * scale);
    EXPECT_NEAR(after.gravity, before.gravity, 1e-6 * scale);
    EXPECT_NEAR(after.contact, before.contact, 1e-6 * scale);
    EXPECT_NEAR(after.dissipated - before.dissipated, before.kinetic - after.kinetic, 1e-6 * scale);
  }
  ASSERT_EQ(solver.asleep().count, solver.mesh().node_count());
  EXPECT_GT(solver.totals().contact, 5e-5 * scale) << "too little to be seen";
}

TEST_P(SleepTest, ASecondBoxWakesTheFirstAndBothSleepAgain) {
  Boxes boxes = boxes_on_ground();
  boxes.add(Vec3(0, 0.1, 0));
  boxes.add(Vec3(0.03, 2.5, 0.02));
  TetSolver solver(std::move(boxes.setup));
  const double all = solver.totals().mass * 9.81 * 2.5;
  bool first_slept = false;
  while (solver.time() < 3 && !(first_slept && solver.asleep().count == 0)) {
    solver.step(solver.stable_dt());
    if (std::fmod(solver.time(), kFrame) < solver.stable_dt()) solver.prepare_frame();
    first_slept = first_slept || solver.asleep().any();
  }
  ASSERT_TRUE(first_slept);
  ASSERT_EQ(solver.asleep().count, 0u) << "the first was not woken";
  EXPECT_GT(solver.time(), 0.6);  // sqrt(2 * 2.2 / g) is 0.67
  EXPECT_LT(solver.time(), 0.7);
  ASSERT_TRUE(run_until_asleep(solver, 6));
  run_frame(solver);
  EXPECT_NEAR(solver.reactions().back().force.y(), solver.totals().mass * 9.81, 0.05 * solver.totals().mass * 9.81);
  EXPECT_NEAR(books(solver), all * 0.5 + 8 * 9.81 * 0.1, 0.02 * all);
}

TEST_P(SleepTest, AStackWakesWhenARigidBallHitsIt) {
  Boxes boxes = boxes_on_ground();
  for (int i = 0; i < 2; ++i) boxes.add(Vec3(0.01 * i, 0.1 + 0.2 * i, 0));
  boxes.setup.colliders.push_back(ball(Vec3(-3, 10, 0), Vec3(2, 0, 0)));  // meets it at 0.3 m after 1.4 s
  TetSolver solver(std::move(boxes.setup));
  bool slept = false, woke = false;
  while (solver.time() < 2 && !woke) {
    run_frame(solver);
    if (solver.asleep().count == solver.mesh().node_count()) slept = true;
    woke = slept && !solver.asleep().any();
  }
  EXPECT_TRUE(slept);
  ASSERT_TRUE(woke);
  EXPECT_GT(solver.time(), 1.2);
  EXPECT_GT(solver.kinetic_energy(), 1);
}

// A ball that comes slowly: what waking itself does to the books is not hidden by an impact.
TEST_P(SleepTest, WakingLeavesTheBooksAsTheyAre) {
  Boxes boxes = boxes_on_ground();
  boxes.add(Vec3(0, 0.1, 0));
  Collider slow = ball(Vec3(-0.205, 0.1, 0), Vec3::Zero());
  slow.mass.reset();
  slow.motion = ColliderMotion::kinematic;
  slow.keyframes = {{0, Vec3(-0.205, 0.1, 0)}, {10, Vec3(-0.155, 0.1, 0)}};
  boxes.setup.colliders.push_back(slow);
  TetSolver solver(std::move(boxes.setup));
  const double scale = solver.totals().mass * 9.81 * 0.1;
  ASSERT_TRUE(run_until_asleep(solver, 0.9));
  const auto books_and_work = [&] { return books(solver) - solver.reactions()[1].work; };
  const double before = books_and_work();
  while (solver.asleep().any() && solver.time() < 2) {
    solver.step(solver.stable_dt());
    EXPECT_NEAR(books_and_work(), before, 1e-6 * scale);
  }
  EXPECT_NEAR(solver.time(), 1, 0.2);
  for (int i = 0; i < 20; ++i) solver.step(solver.stable_dt());
  EXPECT_FALSE(solver.asleep().any());
  EXPECT_NEAR(books_and_work(), before, 1e-6 * scale);
}

TEST_P(SleepTest, AHeldPieceKeepsItsReaction) {
  Boxes boxes = boxes_on_ground();
  boxes.add(Vec3(0, 1, 0));
  Region hold;
  hold.name = "hold";
  for (const NodeId n : id_range<NodeId>(boxes.setup.state.position.size())) {
    if (boxes.setup.state.position[n].y() > 1.099) hold.nodes.push_back(n);
  }
  boxes.setup.regions.push_back(hold);
  TetSolver solver(std::move(boxes.setup));
  ASSERT_TRUE(run_until_asleep(solver, 3));
  run_frame(solver);
  EXPECT_NEAR(solver.reactions()[0].force.y(), solver.totals().mass * 9.81, 0.05 * solver.totals().mass * 9.81);
}

TEST_P(SleepTest, NothingSleepsUnlessAllThatItTouchesIsCalmAndNothingMovesIt) {
  Boxes boxes = boxes_on_ground();
  boxes.add(Vec3(0, 0.1, 0));
  Region pull;
  pull.name = "pull", pull.kind = Region::Kind::force;
  pull.nodes = {NodeId(0)}, pull.share = {1};
  pull.force = Vec3(0, 0.1, 0);
  boxes.setup.regions.push_back(pull);
  TetSolver solver(std::move(boxes.setup));
  EXPECT_FALSE(run_until_asleep(solver, 1.5));

  Boxes slow = boxes_on_ground();  // without gravity, however slow
  slow.setup.parameters.gravity.setZero();
  slow.add(Vec3(0, 0.1, 0), Vec3(0, 1e-6, 0));
  TetSolver floats(std::move(slow.setup));
  EXPECT_FALSE(run_until_asleep(floats, 1));

  Boxes off = boxes_on_ground();
  off.add(Vec3(0, 0.1, 0));
  off.setup.parameters.contact.sleep.on = false;
  TetSolver awake(std::move(off.setup));
  EXPECT_FALSE(run_until_asleep(awake, 1.5));
}

TEST_P(SleepTest, ALoadThatStartsWakesItAndSoDoesAHoldThatEnds) {
  Boxes boxes = boxes_on_ground();
  boxes.add(Vec3(0, 0.1, 0));
  boxes.add(Vec3(1, 0.4, 0));
  boxes.add(Vec3(2, 0.1, 0));
  Region push, hold;
  push.name = "push", push.kind = Region::Kind::force, push.force = Vec3(60, 0, 0), push.start = 1.02;
  hold.name = "hold", hold.end = 1.2;
  for (const NodeId n : id_range<NodeId>(boxes.setup.state.position.size())) {
    const Vec3& x = boxes.setup.state.position[n];
    if (x.x() < 0.5) push.nodes.push_back(n);
    if (x.x() > 0.5 && x.x() < 1.5) hold.nodes.push_back(n);
  }
  push.share.assign(push.nodes.size(), 1.0 / static_cast<double>(push.nodes.size()));
  boxes.setup.regions = {push, hold};
  TetSolver solver(std::move(boxes.setup));
  const std::size_t third = solver.mesh().node_count() / 3;
  ASSERT_TRUE(run_until_asleep(solver, 1));
  while (solver.time() < 1.1) run_frame(solver);
  EXPECT_EQ(solver.asleep().count, 2 * third);
  EXPECT_GT(solver.state().velocity[push.nodes[0]].x(), 0.1);
  while (solver.time() < 1.3) run_frame(solver);
  EXPECT_EQ(solver.asleep().count, third);
  EXPECT_LT(solver.state().velocity[hold.nodes[0]].y(), -0.5);
}

// A block that hangs over one that sleeps is torn apart, and what falls off wakes it.
TEST_P(SleepTest, AFractureNearbyWakesWhatItsPiecesHit) {
  Boxes boxes = boxes_on_ground();
  boxes.add(Vec3(0, 0.1, 0));
  boxes.add(Vec3(0, 0.35, 0));
  Region hold, pull;
  hold.name = "hold", pull.name = "pull";
  pull.kind = Region::Kind::force, pull.force = Vec3(0, -4000, 0), pull.start = 1, pull.end = 1.05;
  for (const NodeId n : id_range<NodeId>(boxes.setup.state.position.size())) {
    const double y = boxes.setup.state.position[n].y();
    if (y > 0.44) hold.nodes.push_back(n);
    if (y > 0.24 && y < 0.26) pull.nodes.push_back(n);
  }
  pull.share.assign(pull.nodes.size(), 1.0 / static_cast<double>(pull.nodes.size()));
  boxes.setup.regions = {hold, pull};
  boxes.setup.toughness = {{}, {.base = {.value = 60, .spread = 0.2, .seed = 1}}};
  TetSolver solver(std::move(boxes.setup));
  ASSERT_TRUE(run_until_asleep(solver, 0.99));
  ASSERT_EQ(solver.fracture().counts().splits, 0u);
  bool woke = false;  // it may have gone to sleep again
  while (solver.time() < 1.3 && !woke) {
    solver.step(solver.stable_dt());
    woke = !solver.asleep()[NodeId(0)];
  }
  EXPECT_GT(solver.fracture().counts().splits, 0u);
  EXPECT_TRUE(woke);
}

// Nothing is asleep before the first has been calm for a while: until then the same bits as without.
TEST_P(SleepTest, ChangesNothingBeforeTheFirstFallsAsleep) {
  std::vector<std::uint64_t> hashes;
  for (const bool on : {true, false}) {
    Boxes boxes = boxes_on_ground();
    boxes.setup.parameters.contact.sleep.on = on;
    boxes.add(Vec3(0, 0.15, 0));
    TetSolver solver(std::move(boxes.setup));
    for (int i = 0; i < 5; ++i) run_frame(solver);
    EXPECT_FALSE(solver.asleep().any());
    hashes.push_back(solver.state_hash());
  }
  EXPECT_EQ(hashes[0], hashes[1]);
}

// Two boxes that sleep and one that falls on them, which may break if `toughness` is not 0.
TetSetup two_and_one(ContactCriterion criterion, double toughness) {
  Boxes boxes(criterion);
  boxes.add(Vec3(0, 0.1, 0));
  boxes.add(Vec3(0.02, 0.3, 0.01));
  boxes.add(Vec3(0.05, 3.5, 0.02));
  boxes.add(Vec3(1, 0.1, 0));  // stays asleep
  for (std::size_t i = 0; i < 4; ++i) {
    boxes.setup.toughness.push_back(
        {.base = {.value = toughness, .noise = Toughness::Noise::node, .spread = 0.2, .seed = i}});
  }
  return std::move(boxes.setup);
}

TEST_P(SleepTest, AResumedRunGivesTheSameBitsAsleepAndThroughWaking) {
  for (const double toughness : {0.0, 150.0}) {
    TetSolver whole(two_and_one(GetParam(), toughness));
    while (whole.time() < 0.74) run_frame(whole);  // sqrt(2 * 3 / g) is 0.78
    ASSERT_GT(whole.asleep().count, whole.mesh().node_count() / 2);
    Writer out;
    whole.save(out);
    TetSolver resumed(two_and_one(GetParam(), toughness));
    Reader in(out.bytes(), "memory");
    resumed.load(in);
    EXPECT_TRUE(in.at_end());
    EXPECT_EQ(resumed.asleep().count, whole.asleep().count);
    EXPECT_EQ(books(resumed), books(whole));
    bool woke = false;
    for (int i = 0; i < 6; ++i) {
      run_frame(whole);
      run_frame(resumed);
      ASSERT_EQ(resumed.state_hash(), whole.state_hash()) << "frame " << i << ", toughness " << toughness;
      ASSERT_EQ(resumed.asleep().count, whole.asleep().count);
      ASSERT_EQ(resumed.reactions().back().force, whole.reactions().back().force);
      woke = woke || whole.asleep().count < whole.mesh().node_count() / 2;
    }
    EXPECT_TRUE(woke);
    EXPECT_GT(whole.asleep().count, 0u);
    EXPECT_EQ(whole.fracture().counts().splits > 0, toughness > 0);
  }
}

TEST_P(SleepTest, GivesTheSameBitsForAnyNumberOfThreads) {
  std::vector<std::uint64_t> hashes;
  for (const int count : {1, 3}) {
    Threads threads(count);
    threads.run([&] {
      TetSolver solver(two_and_one(GetParam(), 150));
      while (solver.time() < 0.9) run_frame(solver);
      EXPECT_GT(solver.asleep().count, 0u);
      hashes.push_back(solver.state_hash());
    });
  }
  EXPECT_EQ(std::count(hashes.begin(), hashes.end(), hashes[0]), 2);
}

}  // namespace
}  // namespace sunder::tet_oh99
