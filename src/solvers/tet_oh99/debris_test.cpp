// Pieces that leave the world or are too small are kept, frozen or removed, and each has its record.
#include "solvers/tet_oh99/debris.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/parallel.h"
#include "mesh/validate.h"
#include "solvers/tet_oh99/cracking_testing.h"
#include "solvers/tet_oh99/resting_testing.h"

namespace sunder::tet_oh99 {
namespace {

using namespace testing;

class DebrisTest : public ::testing::TestWithParam<ContactCriterion> {};
INSTANTIATE_TEST_SUITE_P(Criteria, DebrisTest,
                         ::testing::Values(ContactCriterion::node_penetration, ContactCriterion::overlap_volume),
                         criterion_name);

// To the next frame, where the log of debris is left to be looked at.
void run_to_frame(TetSolver& solver) {
  solver.begin_frame();
  const double end = solver.time() + kFrame;
  while (end - solver.time() > 1e-9) {
    ASSERT_TRUE(solver.step(std::min(solver.stable_dt(), end - solver.time())).finite);
  }
}

TEST_P(DebrisTest, WhatFallsOutOfTheWorldIsRemovedWithARecordAndItsMassAndEnergyAreBooked) {
  Boxes boxes(GetParam());
  boxes.setup.colliders.clear();
  boxes.add(Vec3(0, 0, 0));
  boxes.add(Vec3(0.1, 0.3, 0));
  boxes.setup.parameters.debris = {.lowest = -1.0, .outside = DebrisAction::remove};
  TetSolver solver(std::move(boxes.setup));
  const double mass = solver.totals().mass, scale = mass * 9.81;
  std::vector<DebrisEvent> events;
  double removed = 0;
  while (solver.time() < 1 && events.size() < 2) {
    run_to_frame(solver);
    const double before = books(solver);
    solver.prepare_frame();
    EXPECT_NEAR(books(solver), before, 1e-12 * scale);
    for (const DebrisEvent& e : solver.debris()) {
      EXPECT_EQ(e.kind, DebrisEvent::Kind::removed);
      EXPECT_EQ(e.reason, DebrisEvent::Reason::outside);
      EXPECT_EQ(e.time, solver.time());
      EXPECT_EQ(e.body, "box-" + std::to_string(e.fragment));
      EXPECT_LT(e.position.y(), -1.09);
      EXPECT_NEAR(e.velocity.y(), -9.81 * solver.time(), 0.02 * 9.81 * solver.time());
      EXPECT_NEAR(e.volume, 0.008, 1e-9);
      removed += e.mass;
      events.push_back(e);
    }
    const Totals t = solver.totals();
    EXPECT_NEAR(t.mass + removed, mass, 1e-12 * mass);
    EXPECT_EQ(t.removed_mass, removed);
    EXPECT_EQ(t.removed_pieces, events.size());
    EXPECT_EQ(t.fragments, 2 - events.size());
    EXPECT_EQ(validate(solver.mesh()), std::vector<std::string>{});
  }
  ASSERT_EQ(events.size(), 2u);
  EXPECT_LT(events[0].time, events[1].time);
  const Totals nothing = solver.totals();
  EXPECT_EQ(nothing.elements, 0u);
  EXPECT_EQ(nothing.kinetic + nothing.elastic + nothing.gravity + nothing.contact, 0);
  for (int i = 0; i < 3; ++i) run_frame(solver);  // an empty world goes on
  Frame frame;
  solver.snapshot(frame);
  EXPECT_TRUE(frame.tets.empty() && frame.position.empty());
  Writer out;
  solver.save(out);
  Boxes again(GetParam());
  again.setup.colliders.clear();
  again.add(Vec3(0, 0, 0));
  again.add(Vec3(0.1, 0.3, 0));
  again.setup.parameters.debris = solver.parameters().debris;
  TetSolver resumed(std::move(again.setup));
  Reader in(out.bytes(), "memory");
  resumed.load(in);
  EXPECT_EQ(resumed.totals().removed_pieces, 2u);
}

TEST_P(DebrisTest, KeepIsTheDefaultAndFarthestCountsFromTheOrigin) {
  for (const DebrisAction action : {DebrisAction::keep, DebrisAction::remove}) {
    Boxes boxes(GetParam());
    boxes.add(Vec3(0, 0.1, 0));
    boxes.add(Vec3(5, 0.1, 0));
    boxes.setup.parameters.debris = {.farthest = 4.8, .outside = action};
    TetSolver solver(std::move(boxes.setup));
    solver.prepare_frame();
    EXPECT_EQ(solver.totals().fragments, action == DebrisAction::keep ? 2u : 1u);
    EXPECT_EQ(solver.debris().size(), action == DebrisAction::keep ? 0u : 1u);
  }
  EXPECT_FALSE(DebrisRules().on());
}

TEST_P(DebrisTest, WhatIsFrozenOutsideStandsStillAndCarriesOthers) {
  Boxes boxes(GetParam());
  boxes.setup.colliders.clear();
  boxes.add(Vec3(0, -0.08, 0));
  boxes.add(Vec3(0.01, 0.14, 0));
  boxes.setup.parameters.debris = {.lowest = 0, .outside = DebrisAction::freeze};
  TetSolver solver(std::move(boxes.setup));
  const double scale = solver.totals().mass * 9.81;
  const std::size_t half = solver.mesh().node_count() / 2;
  while (solver.time() < 1 && solver.asleep().count == 0) {
    run_to_frame(solver);
    const double before = books(solver);
    solver.prepare_frame();
    EXPECT_NEAR(books(solver), before, 1e-12 * scale);
  }
  ASSERT_EQ(solver.asleep().count, half);
  ASSERT_EQ(solver.debris().size(), 1u);
  EXPECT_EQ(solver.debris()[0].kind, DebrisEvent::Kind::frozen);
  EXPECT_EQ(solver.debris()[0].fragment, 1u);
  const Column<NodeId, Vec3> frozen = solver.state().position;
  ASSERT_TRUE(run_until_asleep(solver, 5)) << "the second has not come to rest on it";
  for (std::size_t i = 0; i < half; ++i) {
    EXPECT_EQ(solver.state().position[NodeId(i)], frozen[NodeId(i)]);
    EXPECT_EQ(solver.state().velocity[NodeId(i)], Vec3(Vec3::Zero()));
  }
  const auto height = [](const Column<NodeId, Vec3>& x, std::size_t from, std::size_t to) {
    double sum = 0;
    for (std::size_t i = from; i < to; ++i) sum += x[NodeId(i)].y();
    return sum / static_cast<double>(to - from);
  };
  EXPECT_NEAR(height(solver.state().position, half, 2 * half), height(frozen, 0, half) + 0.2, 0.02);
  EXPECT_EQ(solver.totals().frozen_pieces, 1u);
}

// A large and a small part of one body, as if the small had broken off.
TetSetup with_crumb(ContactCriterion criterion, DebrisAction action) {
  Boxes boxes(criterion);
  boxes.add(Vec3(0, 0.1, 0));
  boxes.add_part(Vec3(0.5, 0.025, 0), Vec3::Zero(), 0.05);
  Collider puck = ball(Vec3(1.5, 0.05, 0), Vec3(-1, 0, 0));
  puck.shape = SphereCollider{0.05};
  boxes.setup.colliders.push_back(puck);
  boxes.setup.parameters.debris = {.smallest = 0.06, .small = action};
  return std::move(boxes.setup);
}

TEST_P(DebrisTest, ASmallPieceThatSleepsIsFrozenAndNothingMovesItAnyMore) {
  TetSolver kept(with_crumb(GetParam(), DebrisAction::keep)), solver(with_crumb(GetParam(), DebrisAction::freeze));
  while (solver.time() < 0.8) run_frame(solver), run_frame(kept);
  EXPECT_EQ(solver.totals().frozen_pieces, 1u);
  const NodeId crumb(solver.mesh().node_slots() - 1);
  EXPECT_TRUE(solver.asleep().frozen(crumb));
  EXPECT_FALSE(solver.asleep().frozen(NodeId(0)));
  const Vec3 before = solver.state().position[crumb];
  while (solver.time() < 1.3) run_frame(solver), run_frame(kept);
  EXPECT_LT(kept.state().position[crumb].x(), before.x() - 0.02) << "the ball does not hit it";
  EXPECT_EQ(solver.state().position[crumb], before);
  EXPECT_LE(solver.totals().kinetic, kept.totals().kinetic + 1);
}

TEST_P(DebrisTest, WholeBodiesAreNeverSmall) {
  Boxes boxes(GetParam());
  boxes.add(Vec3(0, 0.1, 0));
  boxes.setup.parameters.debris = {.smallest = 10, .small = DebrisAction::remove};
  TetSolver solver(std::move(boxes.setup));
  solver.prepare_frame();
  EXPECT_EQ(solver.totals().fragments, 1u);
}

// What lay on a piece that is gone would hang in the air.
TEST_P(DebrisTest, WhoLeansOnAPieceThatIsRemovedWakes) {
  const auto setup = [&](double lowest, DebrisAction action) {
    Boxes boxes(GetParam());
    for (int i = 0; i < 2; ++i) boxes.add(Vec3(0.01 * i, 0.1 + 0.2 * i, 0));
    Region hold;  // its nodes go, too
    hold.name = "hold", hold.nodes = {NodeId(0), NodeId(1)}, hold.start = 100;
    boxes.setup.regions = {hold};
    boxes.setup.parameters.debris = {.lowest = lowest, .outside = action};
    return std::move(boxes.setup);
  };
  TetSetup lasting = setup(-1, DebrisAction::remove);
  lasting.regions.clear();
  TetSetup later = setup(0.25, DebrisAction::remove);
  later.regions.clear();
  TetSolver before(std::move(lasting));
  ASSERT_TRUE(run_until_asleep(before, 3));
  Writer out;
  before.save(out);
  TetSolver solver(std::move(later));
  Reader in(out.bytes(), "memory");
  solver.load(in);
  const std::size_t half = solver.mesh().node_count() / 2;
  const double books_before = books(solver), scale = solver.totals().mass * 9.81;
  solver.prepare_frame();
  EXPECT_NEAR(books(solver), books_before, 1e-12 * scale);
  EXPECT_EQ(solver.mesh().node_count(), half);
  EXPECT_EQ(solver.asleep().count, 0u);
  const NodeId above(half);
  const double height = solver.state().position[above].y();
  for (int i = 0; i < 3; ++i) run_frame(solver);
  EXPECT_LT(solver.state().position[above].y(), height - 0.05);

  TetSolver held(setup(0.25, DebrisAction::remove));
  held.prepare_frame();
  for (int i = 0; i < 2; ++i) run_frame(held);
  EXPECT_EQ(held.totals().fragments, 1u);
}

// Blocks that fly apart, and whose crumbs go, at random.
TetSetup shattering(ContactCriterion criterion, std::uint64_t seed) {
  Dice dice(seed);
  StretchedBlock block;
  block.seed = seed;
  block.size = Vec3(dice(0.05, 0.07), dice(0.04, 0.06), dice(0.04, 0.06));
  block.direction = dice.vec(-1, 1).normalized();
  block.rate = dice(150, 250);
  block.toughness = 20;
  TetSetup setup = block.setup();
  setup.parameters.contact.criterion = criterion;
  setup.parameters.debris = {
      .farthest = 0.05, .outside = DebrisAction::remove, .smallest = dice(0.015, 0.02), .small = DebrisAction::remove};
  setup.colliders.push_back(ground());
  setup.colliders[0].shape = GroundCollider{-0.04};
  Region pull, press;
  pull.name = "pull", pull.kind = Region::Kind::force, pull.force = Vec3(0.1, 0, 0);
  for (std::size_t n = 0; n < setup.state.position.size(); n += 3) pull.nodes.push_back(NodeId(n));
  pull.share.assign(pull.nodes.size(), 1.0 / static_cast<double>(pull.nodes.size()));
  press.name = "press", press.kind = Region::Kind::pressure, press.pressure = 1;
  for (const TetId t : id_range<TetId>(setup.mesh.tet_slots())) {
    for (int i = 0; i < 4; ++i) {
      if (!setup.mesh.neighbour({t, i}).valid()) press.faces.push_back(setup.mesh.face_nodes({t, i}));
    }
  }
  setup.regions = {pull, press};
  return setup;
}

void run_short_frame(TetSolver& solver) {
  solver.begin_frame();
  const double end = solver.time() + 2e-3;
  while (end - solver.time() > 1e-12) solver.step(std::min(solver.stable_dt(), end - solver.time()));
}

TEST_P(DebrisTest, CrumbsOfRandomBreaksGoAndTheMeshStaysSound) {
  std::uint64_t removed = 0;
  for (std::uint64_t seed = 1; seed <= (GetParam() == ContactCriterion::overlap_volume ? 2 : 3); ++seed) {
    TetSetup setup = shattering(GetParam(), seed);
    const double smallest = std::pow(setup.parameters.debris.smallest, 3);
    TetSolver solver(std::move(setup));
    const double mass = solver.totals().mass;
    double recorded = 0;
    for (int frame = 0; frame < 5; ++frame) {
      run_short_frame(solver);
      const double before = books(solver), scale = solver.totals().kinetic + std::abs(before);
      solver.prepare_frame();
      EXPECT_NEAR(books(solver), before, 1e-9 * scale);
      ASSERT_EQ(validate(solver.mesh()), std::vector<std::string>{}) << "seed " << seed;
      for (const DebrisEvent& e : solver.debris()) recorded += e.mass;
      const Totals t = solver.totals();
      EXPECT_NEAR(t.mass + recorded, mass, 1e-12 * mass);
      Frame f;
      solver.snapshot(f);
      EXPECT_EQ(f.tets.size(), t.elements);
      EXPECT_EQ(f.position.size(), t.nodes);
      std::map<std::uint32_t, double> volume;
      for (std::size_t i = 0; i < f.tets.size(); ++i) {
        const auto& c = f.tets[i];
        volume[f.fragment[i]] += signed_volume({f.rest[c[0]], f.rest[c[1]], f.rest[c[2]], f.rest[c[3]]});
      }
      EXPECT_EQ(volume.size(), t.fragments);
      if (volume.size() > 1) {
        for (const auto& [id, v] : volume) EXPECT_GE(v, smallest) << "fragment " << id;
      }
    }
    removed += solver.totals().removed_pieces;
  }
  EXPECT_GT(removed, 2u);
}

// Boxes of many sizes, parts of one body, that fly about, hit each other and the ground; the small and the far go.
TetSetup crowd(ContactCriterion criterion, std::uint64_t seed) {
  Dice dice(seed);
  Boxes boxes(criterion);
  boxes.add(Vec3(0, 0.1, 0));
  for (int i = 0; i < 12; ++i) {
    const Vec3 at(0.25 * (i % 4) - 0.5, 0.4 + 0.25 * (i / 4 % 3), dice(-0.05, 0.05));
    boxes.add_part(at, dice.vec(-3, 3), dice(0.05, 0.2));
  }
  boxes.setup.parameters.debris = {
      .farthest = 1.0, .outside = DebrisAction::remove, .smallest = 0.1, .small = DebrisAction::remove};
  return std::move(boxes.setup);
}

TEST_P(DebrisTest, RandomCrowdsKeepTheirBooksAsTheyThinOut) {
  std::uint64_t by_reason[2] = {0, 0};
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    TetSolver solver(crowd(GetParam(), seed));
    const double mass = solver.totals().mass, scale = mass * 9.81;
    double recorded = 0;
    for (int frame = 0; frame < 12; ++frame) {
      if (frame > 0) run_to_frame(solver);
      const double before = books(solver);
      solver.prepare_frame();
      EXPECT_NEAR(books(solver), before, 1e-10 * scale);
      ASSERT_EQ(validate(solver.mesh()), std::vector<std::string>{}) << "seed " << seed;
      for (const DebrisEvent& e : solver.debris()) {
        recorded += e.mass;
        ++by_reason[static_cast<std::size_t>(e.reason)];
      }
      EXPECT_NEAR(solver.totals().mass + recorded, mass, 1e-12 * mass);
      EXPECT_EQ(solver.totals().removed_mass, recorded);
    }
  }
  EXPECT_GT(by_reason[0], 5u);
  EXPECT_GT(by_reason[1], 5u);
}

TEST_P(DebrisTest, TheSameBitsForAnyNumberOfThreadsAndAfterResume) {
  struct Case {
    TetSetup (*setup)(ContactCriterion, std::uint64_t);
    void (*run)(TetSolver&);
    int frames, saved;
  };
  for (const Case& c : {Case{shattering, run_short_frame, 4, 1}, Case{crowd, run_to_frame, 9, 4}}) {
    std::vector<std::uint64_t> hashes, removed;
    std::string halfway;
    for (const int count : {1, 3}) {
      Threads threads(count);
      threads.run([&] {
        TetSolver solver(c.setup(GetParam(), 1));
        for (int frame = 0; frame < c.frames; ++frame) {
          c.run(solver);
          solver.prepare_frame();
          if (frame != c.saved) continue;
          EXPECT_GT(solver.totals().removed_pieces, 0u);
          Writer out;
          solver.save(out);
          halfway = out.bytes();
        }
        hashes.push_back(solver.state_hash());
        removed.push_back(solver.totals().removed_pieces);
      });
    }
    TetSolver resumed(c.setup(GetParam(), 1));
    Reader in(halfway, "memory");
    resumed.load(in);
    EXPECT_TRUE(in.at_end());
    for (int frame = c.saved + 1; frame < c.frames; ++frame) {
      c.run(resumed);
      resumed.prepare_frame();
    }
    hashes.push_back(resumed.state_hash());
    removed.push_back(resumed.totals().removed_pieces);
    EXPECT_EQ(std::count(hashes.begin(), hashes.end(), hashes[0]), 3);
    EXPECT_EQ(std::count(removed.begin(), removed.end(), removed[0]), 3);
  }
}

}  // namespace
}  // namespace sunder::tet_oh99
