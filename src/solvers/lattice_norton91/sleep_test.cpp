// Pieces at rest sleep, stay exactly where they are, and wake when touched; what only passes through a standstill does
// not sleep; books and reactions go on.
#include "solvers/lattice_norton91/sleep.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numeric>

#include "core/parallel.h"
#include "solvers/lattice_norton91/lattice_testing.h"

namespace sunder::lattice_norton91 {
namespace {

double total(const Totals& t) { return t.kinetic + t.elastic + t.gravity + t.contact + t.dissipated; }

// Of rubber, E 1e7, with its lower face in the middle of the origin; then turned about the z axis, and moved.
LatticeBody brick(const Vec3& at, double turn = 0, std::array<std::size_t, 3> cells = {4, 3, 2}) {
  const double a = 0.05;
  LatticeBody body = body_of(grid(cells[0], cells[1], cells[2], a));
  const Vec3 middle(a / 2 * static_cast<double>(cells[0]), 0, a / 2 * static_cast<double>(cells[2]));
  const Mat3 rotation = Eigen::AngleAxisd(turn, Vec3::UnitZ()).toRotationMatrix();
  for (Vec3& p : body.cells.points) p = rotation * (p - middle) + at;
  body.material.young = 1e7, body.material.damping = 0.3;
  return body;
}

LatticeSetup on_ground(std::vector<LatticeBody> bodies, double friction = 0.5) {
  LatticeSetup setup;
  setup.bodies = std::move(bodies);
  Collider ground;
  ground.name = "ground", ground.shape = GroundCollider{}, ground.damping = 0.5, ground.friction = friction;
  setup.colliders.push_back(ground);
  return setup;
}

double run(LatticeSolver& solver, double time) {
  double passed = 0;
  while (passed < time) passed += solver.step(solver.stable_dt()).dt;
  return passed;
}

bool all_sleep(const LatticeSolver& solver) { return solver.sleep().sleeping() == solver.lattice().node_count(); }

// Until all sleep, at most so long, s.
double run_to_sleep(LatticeSolver& solver, double most) {
  double passed = 0;
  while (passed < most && !all_sleep(solver)) passed += solver.step(solver.stable_dt()).dt;
  return passed;
}

double farthest(const Column<NodeId, Vec3>& from, const Column<NodeId, Vec3>& to) {
  double most = 0;
  for (const NodeId n : id_range<NodeId>(from.size())) most = std::max(most, (to[n] - from[n]).norm());
  return most;
}

// m, that anything would go within half a second if nobody slept.
double way_if_awake(LatticeSolver& solver) {
  std::vector<NodeId> all;
  for (const NodeId n : id_range<NodeId>(solver.lattice().node_count())) all.push_back(n);
  const Column<NodeId, Vec3> before = solver.position();
  double most = 0;
  for (double time = 0; time < 0.5;) {
    solver.disturb(all);
    time += solver.step(solver.stable_dt()).dt;
    EXPECT_FALSE(solver.sleep().any());
    most = std::max(most, farthest(before, solver.position()));
  }
  return most;
}

std::string saved(const LatticeSolver& solver) {
  Writer out;
  solver.save(out);
  return out.take();
}

TEST(LatticeSleep, ADroppedBrickFallsAsleepStaysExactlyWhereItIsAndIsStillCarried) {
  LatticeSolver solver(on_ground({brick({0, 0.03, 0}, 0.2)}));
  double worst = 0, before = 0;
  double time = 0;
  while (time < 4 && !all_sleep(solver)) {
    before = total(solver.totals());
    time += solver.step(solver.stable_dt()).dt;
    worst = std::abs(total(solver.totals()) - before);
  }
  ASSERT_TRUE(all_sleep(solver));
  EXPECT_GT(time, 0.25);
  const Totals t = solver.totals();
  EXPECT_LT(worst, 1e-6 * t.mass * 9.81 * 0.03);  // the step in which it fell asleep
  EXPECT_EQ(t.kinetic, 0);
  const Column<NodeId, Vec3> there = solver.position();
  run(solver, 0.5);
  EXPECT_EQ(farthest(there, solver.position()), 0);
  EXPECT_EQ(solver.kinetic_energy(), 0);
  EXPECT_EQ(total(solver.totals()), total(t));
  const Vec3 carried = solver.reactions()[0].force;
  EXPECT_NEAR(carried.y(), t.mass * 9.81, 0.05 * t.mass * 9.81);
  EXPECT_NEAR(solver.reactions()[0].impulse.y(), t.mass * 9.81 * (time + 0.5), 0.05 * t.mass * 9.81 * (time + 0.5));
  EXPECT_LT(way_if_awake(solver), 1e-4);
  EXPECT_NEAR(total(solver.totals()), total(t), 1e-5 * t.mass * 9.81 * 0.03);
}

// Also if it hardly waits until a bounce has died away.
TEST(LatticeSleep, ItFallsAsleepAtAMomentWhenItsWeightIsWhatCollidersBear) {
  for (const double height : {0.001, 0.002, 0.004, 0.008}) {
    LatticeSetup setup = on_ground({brick({0, height, 0})});
    setup.colliders[0].damping = 0.05;
    setup.parameters.sleep.speed = 0.2, setup.parameters.sleep.after = 0.03;
    LatticeSolver solver(setup);
    run_to_sleep(solver, 3);
    ASSERT_TRUE(all_sleep(solver)) << height;
    solver.step(solver.stable_dt());
    const double weight = 9.81 * solver.totals().mass;
    EXPECT_LT((solver.reactions()[0].force - Vec3(0, weight, 0)).norm(), 0.08 * weight) << height;
  }
}

TEST(LatticeSleep, OffOrWithoutGravityNobodySleeps) {
  LatticeSetup off = on_ground({brick({0, 0, 0})});
  off.parameters.sleep.on = false;
  LatticeSetup weightless = on_ground({brick({0, 0, 0})});
  weightless.parameters.gravity.setZero();
  for (const LatticeSetup& setup : {off, weightless}) {
    LatticeSolver solver(setup);
    run(solver, 1);
    EXPECT_FALSE(solver.sleep().any());
  }
}

TEST(LatticeSleep, AThrowsApexIsNoRest) {
  for (const bool flight : {false, true}) {
    LatticeSetup setup = on_ground({brick({0, 0.01, 0})});
    setup.bodies[0].velocity = Vec3(0, 1, 0);  // 5 cm up
    setup.parameters.flight = flight;
    setup.parameters.sleep.after = 0;
    setup.parameters.sleep.speed = 0.5;  // slower than that for 0.1 s
    LatticeSolver solver(setup);
    for (double time = 0; time < 0.15;) {
      time += solver.step(solver.stable_dt()).dt;
      ASSERT_FALSE(solver.sleep().any()) << time;
    }
  }
}

// On its lower edge, turned so far.
LatticeSetup on_edge(double turn) {
  LatticeSetup setup = on_ground({brick({0, 0, 0}, turn)}, 1);
  double lowest = 1;
  for (const Vec3& x : setup.bodies[0].cells.points) lowest = std::min(lowest, x.y());
  for (Vec3& x : setup.bodies[0].cells.points) x.y() -= lowest;
  return setup;
}

double highest(const LatticeSolver& solver) {
  double y = 0;
  for (const Vec3& x : solver.position()) y = std::max(y, x.y());
  return y;
}

// Balanced on an edge but for so little that it takes long to fall: slow for long enough, but not at rest.
TEST(LatticeSleep, ABrickThatTipsOverIsNotCaughtOnTheWay) {
  double low = std::atan2(0.1, 0.075) - 0.05, high = low + 0.1;  // falls back, falls over
  while (high - low > 2e-5) {
    const double turn = (low + high) / 2;
    LatticeSetup setup = on_edge(turn);
    setup.parameters.sleep.on = false;
    LatticeSolver solver(setup);
    run(solver, 2);
    (highest(solver) > 0.175 ? high : low) = turn;
  }
  for (const double off : {-2e-4, 2e-4, 1e-3}) {
    LatticeSolver solver(on_edge((low + high) / 2 + off));
    double slow = 0, longest = 0, time = 0;  // slower than the limit for sleep
    while (time < 6 && !all_sleep(solver)) {
      const double dt = solver.step(solver.stable_dt()).dt;
      time += dt;
      slow = solver.fastest_node().speed < 0.01 * std::sqrt(9.81 * 0.05) ? slow + dt : 0;
      if (highest(solver) > 0.21) longest = std::max(longest, slow);
    }
    if (std::abs(off) < 5e-4) {
      EXPECT_GT(longest, 0.26) << "it would be easy, " << off;
    }
    ASSERT_TRUE(all_sleep(solver)) << off;
    EXPECT_NEAR(highest(solver), off > 0 ? 0.2 : 0.15, 2e-3) << "not on a side, " << off;
  }
}

TEST(LatticeSleep, OnASlopeItSleepsBelowTheLimitOfFrictionAndSlidesAboveIt) {
  for (const double slope : {0.398, 0.402}) {
    LatticeSetup setup = on_ground({brick({0, 0, 0}, 0, {4, 2, 4})}, 0.4);
    setup.parameters.gravity = 9.81 * Vec3(slope, -1, 0).normalized();
    LatticeSolver solver(setup);
    run_to_sleep(solver, 1.5);
    EXPECT_EQ(all_sleep(solver), slope < 0.4) << slope;
    double x = 0;
    for (const Vec3& p : solver.position()) x += p.x() / static_cast<double>(solver.position().size());
    if (slope < 0.4) {
      EXPECT_LT(x, 2e-3);
      EXPECT_LT(way_if_awake(solver), 1e-4);
    } else {
      EXPECT_GT(x, 0.01);
    }
  }
}

// A tilted bowl: a slab bent along an arc, which rocks to and fro on a round bottom and loses little.
TEST(LatticeSleep, ARockerFallsAsleepOnlyWhereItWouldStay) {
  for (const double tilt : {0.05, 0.3}) {
    LatticeBody bent = body_of(grid(8, 1, 2, 0.05));
    const double radius = 0.4;
    for (Vec3& p : bent.cells.points) {
      const double angle = (p.x() - 0.2) / radius + tilt, r = radius - p.y();
      p = Vec3(r * std::sin(angle), radius - r * std::cos(angle), p.z());
    }
    bent.material.young = 1e7, bent.material.damping = 0.3;
    LatticeSolver solver(on_ground({bent}, 0.8));
    const double slept = run_to_sleep(solver, 40);
    ASSERT_TRUE(all_sleep(solver));
    EXPECT_GT(slept, 0.5);
    EXPECT_LT(way_if_awake(solver), 1e-3) << tilt << " slept after " << slept;
  }
}

TEST(LatticeSleep, AStackSleepsAsOneAndWakesAsOneAndNothingJumps) {
  LatticeSetup setup = on_ground(
      {brick({0, 0.01, 0}), brick({0.01, 0.211, 0.01}), brick({0.4, 0.01, 0}), brick({0.01, 7.5, 0.01}, 0, {2, 2, 2})});
  setup.parameters.contact.damping = 0.5;
  LatticeSolver solver(setup);
  double time = 0;
  const Index of_one = 60;  // nodes
  bool together = false, woke = false;
  Totals before;
  Column<NodeId, Vec3> there;
  while (time < 1.6) {
    const bool slept = solver.sleep().island(0) != 0;
    if (slept) before = solver.totals(), there = solver.position();
    time += solver.step(solver.stable_dt()).dt;
    const std::uint32_t island = solver.sleep().island(0);
    ASSERT_EQ(island, solver.sleep().island(of_one)) << "at " << time;
    if (island != 0) {
      together = true;
      EXPECT_EQ(solver.sleep().island(3 * of_one), 0u);
      const double weight = 9.81 * 3 * 24 * 0.125;
      if (solver.sleep().island(2 * of_one) != 0) {
        EXPECT_NE(solver.sleep().island(2 * of_one), island);
        EXPECT_NEAR(solver.reactions()[0].force.y(), weight, 0.05 * weight);
      }
    }
    if (!slept || island != 0) continue;
    woke = true;
    EXPECT_NEAR(time, 1.21, 0.02) << "a fall of 7.15 m";
    EXPECT_EQ(solver.sleep().sleeping(), of_one) << "the third brick was not touched";
    for (Index n = 0; n < of_one; ++n) {  // what is not struck itself
      EXPECT_LT((solver.position()[NodeId(n)] - there[NodeId(n)]).norm(), 1e-6);
    }
    EXPECT_NEAR(total(solver.totals()), total(before), 1e-3 * before.kinetic);
    break;
  }
  EXPECT_TRUE(together);
  EXPECT_TRUE(woke);
}

TEST(LatticeSleep, WhatStandsOnACreepingColliderStaysAwakeAndAComingOneWakes) {
  LatticeSetup setup = on_ground({brick({0, 0.1, 0}), brick({1, 0, 0})});
  Collider table;
  table.name = "table", table.shape = BoxCollider{Vec3(0.5, 0.1, 0.5)}, table.motion = ColliderMotion::kinematic;
  table.damping = 0.5, table.friction = 0.5;
  table.position = Vec3(0, 0.05, 0);
  table.keyframes = {{0, table.position}, {10, Vec3(0.001, 0.05, 0)}};
  setup.colliders.push_back(table);
  Collider ball;
  ball.name = "ball", ball.shape = SphereCollider{0.05}, ball.motion = ColliderMotion::kinematic;
  ball.position = Vec3(2.15, 0.05, 0);
  ball.keyframes = {{0, ball.position}, {1, ball.position}, {2, Vec3(0.65, 0.05, 0)}};  // touches at 1.67
  setup.colliders.push_back(ball);
  LatticeSolver solver(setup);
  bool slept = false;
  double woke = 0;
  for (double time = 0; time < 1.9;) {
    const double dt = solver.step(solver.stable_dt()).dt;
    time += dt;
    ASSERT_EQ(solver.sleep().island(0), 0u) << "at " << time;
    const bool sleeps = solver.sleep().island(60) != 0;
    if (slept && !sleeps && woke == 0) woke = time;
    slept = slept || sleeps;
  }
  EXPECT_TRUE(slept);
  EXPECT_NEAR(woke, 1 + 1.0 / 1.5, 0.01);
  EXPECT_GT((solver.velocity()[NodeId(60)]).norm(), 0.1);
}

// Held, and loaded later on: neither may sleep through it.
TEST(LatticeSleep, WhatARegionHoldsOrWillLoadStaysAwakeAndTheOneBesideItSleeps) {
  LatticeSetup setup = on_ground({brick(Vec3::Zero()), brick(Vec3(1, 0, 0))});
  Region region;
  region.name = "load", region.kind = Region::Kind::force, region.force = Vec3(0, 1e4, 0), region.start = 3;
  region.nodes = {NodeId(0)}, region.share = {1};
  setup.regions.push_back(region);
  LatticeSolver solver(std::move(setup));
  run(solver, 2.5);
  const std::uint32_t loaded = solver.lattice().node_body[0];
  for (Index n = 0; n < solver.lattice().node_count(); ++n) {
    EXPECT_EQ(solver.sleep().island(n) != 0, solver.lattice().node_body[n] != loaded) << n;
  }
  run(solver, 0.6);
  EXPECT_GT(solver.position()[NodeId(0)].y(), 0.1) << "it is thrown up";
}

TEST(LatticeSleep, AControlThatChangesWakesAndOneThatHoldsLetsSleep) {
  for (int which = 0; which < 3; ++which) {
    LatticeSetup setup = on_ground({brick({0, 0, 0})});
    ControlKeyframe later{1.5, 1, 1, 1};
    (which == 0 ? later.gravity : which == 1 ? later.stiffness : later.length) = 0.9;
    setup.parameters.controls = {{0, 1, 1, 1}, {1.2, 1, 1, 1}, later};
    LatticeSolver solver(setup);
    double time = 0;
    bool early = false;
    while (time < 2.5) {
      time += solver.step(solver.stable_dt()).dt;
      early = early || (time < 1.2 && all_sleep(solver));
      if (time > 1.21 && time < 1.49) {
        ASSERT_FALSE(solver.sleep().any()) << which;
      }
    }
    EXPECT_TRUE(early) << which;
    EXPECT_TRUE(all_sleep(solver)) << which;
  }
}

// One that sleeps, one that falls on it, one that flies off.
LatticeSetup busy() {
  LatticeSetup setup = on_ground({brick({0, 0.002, 0}), brick({0.05, 2.2, 0.05}, 0.4, {2, 2, 2}), brick({3, 4, 0})});
  setup.bodies[1].material.threshold = 0.05, setup.bodies[1].material.scatter = 0.3;
  setup.bodies[2].velocity = Vec3(1, 2, 0);
  return setup;
}

TEST(LatticeSleep, SameBitsForAnyNumberOfThreadsForLooksAndAfterACheckpoint) {
  const auto hash_after = [&](int threads, bool looks, double saved_at) {
    std::uint64_t hash = 0;
    Threads(threads).run([&] {
      auto solver = std::make_unique<LatticeSolver>(busy());
      bool slept = false, woke = false, kept = saved_at < 0;
      for (double time = 0; time < 1.1;) {
        time += solver->step(solver->stable_dt()).dt;
        slept = slept || solver->sleep().any();
        woke = woke || (slept && !solver->sleep().any());
        if (looks) solver->totals();
        if (kept || time < saved_at) continue;
        kept = true;
        EXPECT_EQ(solver->sleep().any(), saved_at > 0.3);
        const std::string bytes = saved(*solver);
        solver = std::make_unique<LatticeSolver>(busy());
        Reader in(bytes, "checkpoint");
        solver->load(in);
        EXPECT_TRUE(in.at_end());
        EXPECT_EQ(saved(*solver), bytes);
      }
      EXPECT_TRUE(slept && woke);
      hash = solver->state_hash();
    });
    return hash;
  };
  const std::uint64_t once = hash_after(1, false, -1);
  for (const int threads : {2, 3, 7}) EXPECT_EQ(hash_after(threads, false, -1), once) << threads;
  EXPECT_EQ(hash_after(1, true, -1), once);
  EXPECT_EQ(hash_after(2, false, 0.15), once) << "on the way to sleep";
  EXPECT_EQ(hash_after(1, false, 0.6), once) << "asleep";
}

TEST(LatticeSleep, ABranchBeginsAwakeAndFallsAsleepAgain) {
  LatticeSolver solver(on_ground({brick({0, 0, 0})}));
  run(solver, 0.8);
  ASSERT_TRUE(all_sleep(solver));
  const std::string bytes = saved(solver);
  Reader in(bytes, "checkpoint");
  solver.load_motion(in);
  EXPECT_FALSE(solver.sleep().any());
  run(solver, 0.8);
  EXPECT_TRUE(all_sleep(solver));
  const Totals t = solver.totals();
  EXPECT_NEAR(solver.reactions()[0].force.y(), t.mass * 9.81, 0.05 * t.mass * 9.81);
}

TEST(LatticeSleep, ABranchGoesOnWithTheBooks) {
  const auto dropped = [] { return on_ground({brick({0, 0.02, 0})}); };
  LatticeSolver solver(dropped()), branch(dropped());
  run(solver, 0.8);
  const std::string bytes = saved(solver);
  Reader in(bytes, "checkpoint");
  branch.load_motion(in);
  const Totals was = solver.totals();
  ASSERT_GT(was.dissipated, 0.1 * total(was));
  EXPECT_EQ(branch.totals().dissipated, was.dissipated);
  EXPECT_EQ(branch.reactions()[0].impulse, solver.reactions()[0].impulse);
  EXPECT_EQ(branch.reactions()[0].work, solver.reactions()[0].work);
}

TEST(LatticeSleep, BrokenCheckpointsAreRefused) {
  LatticeSolver solver(on_ground({brick({0, 0, 0}), brick({1, 0, 0})}));
  run(solver, 0.8);
  ASSERT_TRUE(all_sleep(solver));
  Writer out;
  solver.sleep().save(out);
  const std::string bytes = out.take();
  Sleep sleep({}, 0.01, solver.lattice().node_count());
  for (std::size_t cut = 0; cut < bytes.size(); cut += 61) {
    Reader in(std::string_view(bytes).substr(0, cut), "checkpoint");
    EXPECT_THROW(sleep.load(in, solver.components()), FileError) << cut;
  }
  std::string torn = bytes;
  torn[8] = 0;  // the first node of a piece that sleeps is awake
  Reader in(torn, "checkpoint");
  EXPECT_THROW(sleep.load(in, solver.components()), FileError);
}

}  // namespace
}  // namespace sunder::lattice_norton91
