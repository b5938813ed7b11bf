// The fracture phase in the solver: what is decided, by whom, and what stays what it was.
#include "solvers/tet_oh99/fracture_step.h"

#include <gtest/gtest.h>

#include "core/parallel.h"
#include "fracture/toughness_patterns.h"
#include "mesh/validate.h"
#include "solvers/tet_oh99/cracking_testing.h"

namespace sunder::tet_oh99 {
namespace {

using testing::run_until_cracked;
using testing::StretchedBlock;

// Where the solver is, and how it came there.
struct Course {
  std::uint64_t hash = 0;
  std::vector<CrackEvent> cracks;
};

bool same(const Course& a, const Course& b) {
  if (a.hash != b.hash || a.cracks.size() != b.cracks.size()) return false;
  for (std::size_t i = 0; i < a.cracks.size(); ++i) {
    const CrackEvent &x = a.cracks[i], &y = b.cracks[i];
    if (x.time != y.time || x.node != y.node || x.eigenvalue != y.eigenvalue || x.normal != y.normal ||
        x.tets_before != y.tets_before || x.tets_after != y.tets_after) {
      return false;
    }
  }
  return true;
}

void run_steps(TetSolver& solver, int steps) {
  for (int i = 0; i < steps; ++i) ASSERT_TRUE(solver.step(solver.stable_dt()).finite);
}

Course course(const TetSolver& solver) { return {solver.state_hash(), solver.cracks().cracks}; }

// The same crack events to the last bit, whether all nodes are looked at or those that the bound leaves.
void expect_cull_changes_nothing(StretchedBlock block) {
  TetSolver culled(block.setup());
  block.fracture.cull = false;
  TetSolver whole(block.setup());
  run_until_cracked(culled, 25, 0.003);
  while (whole.time() < culled.time()) whole.step(whole.stable_dt());
  EXPECT_GE(culled.cracks().cracks.size(), 25u);
  EXPECT_TRUE(same(course(culled), course(whole)));
}

TEST(FractureStep, CullChangesNoDecision) { expect_cull_changes_nothing(StretchedBlock()); }

TEST(FractureStep, CullChangesNoDecisionByStrength) {
  StretchedBlock block;
  block.toughness = 1e5;
  block.measure = Toughness::Measure::stress;
  block.fracture.rules.residual = 0.5;
  expect_cull_changes_nothing(block);
}

// Planes along a slanting grain are weaker, a seam weakens as time goes on, and the block spins.
StretchedBlock block_with_a_field() {
  StretchedBlock block;
  ToughnessLayer grain, seam;
  grain.pattern = direction_pattern(PatternPoint::Planes::along, Vec3(1, 1, 0).normalized(), 0.2, 0.03, 1);
  grain.factor = {{0, 0.3}};
  grain.pull = 1;
  seam.pattern = plane_pattern(Vec3::Zero(), Vec3::UnitX(), 0.03);
  seam.factor = {{0, 1}, {0.001, 0.4}};
  seam.pull = 0.5;
  block.layers = {grain, seam};
  return block;
}

TEST(FractureStep, CullChangesNoDecisionNearTips) {
  StretchedBlock block;
  block.toughness = 25;
  block.fracture.rules.tip_share = 0.8;
  block.fracture.rules.tip_length = 0.05;
  expect_cull_changes_nothing(block);
}

TEST(FractureStep, CullChangesNoDecisionInAField) {
  StretchedBlock block = block_with_a_field();
  expect_cull_changes_nothing(block);
  block.toughness = 1e5;
  block.measure = Toughness::Measure::stress;
  expect_cull_changes_nothing(block);
}

TEST(FractureStep, SavedWhileASeamWeakensItGoesOnToTheSameBits) {
  const StretchedBlock block = block_with_a_field();
  TetSolver straight(block.setup());
  run_until_cracked(straight, 10, 0.003);
  EXPECT_LT(straight.time(), 0.001) << "the seam must be about to change";
  Writer out;
  straight.save(out);
  TetSolver resumed(block.setup());
  Reader in(out.bytes(), "memory");
  resumed.load(in);
  run_steps(straight, 30), run_steps(resumed, 30);
  EXPECT_GT(straight.cracks().cracks.size(), 15u) << "it must crack on";
  EXPECT_TRUE(same(course(straight), course(resumed)));
}

// The mean of |n . d| over the planes of the first splits.
double mean_alignment(const StretchedBlock& block, const Vec3& d) {
  TetSolver solver(block.setup());
  run_until_cracked(solver, 20, 0.003);
  double sum = 0;
  for (const CrackEvent& e : solver.cracks().cracks) sum += std::abs(e.normal.dot(d));
  return sum / static_cast<double>(solver.cracks().cracks.size());
}

TEST(FractureStep, GrainTurnsThePlanesOfCracks) {
  const Vec3 grain = Vec3(1, 1, 0).normalized();
  StretchedBlock block;
  block.spread = 0.05;
  EXPECT_NEAR(mean_alignment(block, grain), std::sqrt(0.5), 0.06) << "across the pull, along x";
  ToughnessLayer layer;
  layer.pattern = direction_pattern(PatternPoint::Planes::along, grain, 0, 0.03, 1);
  layer.factor = {{0, 0.02}};
  layer.pull = 1;
  block.layers = {layer};
  EXPECT_LT(mean_alignment(block, grain), 0.2) << "along the grain";
}

TEST(FractureStep, CracksAreTheSameForAnyNumberOfThreads) {
  std::vector<Course> courses;
  for (const int count : {1, 2, 3}) {
    Threads threads(count);
    threads.run([&] {
      StretchedBlock block;
      block.size = Vec3(0.2, 0.08, 0.08);
      TetSolver solver(block.setup());
      run_until_cracked(solver, 20, 0.003);
      run_steps(solver, 20);
      courses.push_back(course(solver));
    });
  }
  EXPECT_GE(courses[0].cracks.size(), 20u);
  EXPECT_TRUE(same(courses[0], courses[1]));
  EXPECT_TRUE(same(courses[0], courses[2]));
}

TEST(FractureStep, SavedInTheMiddleOfAFrameItGoesOnToTheSameBits) {
  StretchedBlock block;
  block.fracture.rules.tip_length = 0.04;
  TetSolver straight(block.setup());
  run_until_cracked(straight, 10, 0.003);
  Writer out;
  straight.save(out);
  TetSolver resumed(block.setup());
  Reader in(out.bytes(), "memory");
  resumed.load(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(resumed.state_hash(), straight.state_hash());
  run_steps(straight, 30), run_steps(resumed, 30);
  EXPECT_GT(straight.cracks().cracks.size(), 15u) << "it must crack on";
  EXPECT_TRUE(same(course(straight), course(resumed)));

  // Frames compact the storage; both come to the same pieces.
  for (TetSolver* solver : {&straight, &resumed}) {
    solver->prepare_frame();
    solver->begin_frame();
    run_steps(*solver, 30);
    solver->prepare_frame();
  }
  EXPECT_TRUE(same(course(straight), course(resumed)));
  Frame a, b;
  straight.snapshot(a), resumed.snapshot(b);
  EXPECT_EQ(a.fragment, b.fragment);
  EXPECT_EQ(a.crack_faces, b.crack_faces);
}

TEST(FractureStep, SplitsKeepMassMomentumAndTheBooks) {
  StretchedBlock block;
  block.direction = Vec3(1, 2, -0.5).normalized();
  TetSolver solver(block.setup());
  const Totals before = solver.totals();
  const double books = before.kinetic + before.elastic;
  for (const std::uint64_t splits : {5u, 15u, 30u}) {
    run_until_cracked(solver, splits, 0.003);
    const Totals now = solver.totals();
    EXPECT_GE(now.splits, splits);
    EXPECT_NEAR(now.mass, before.mass, 1e-12 * before.mass);
    EXPECT_LT(now.momentum.norm(), 1e-12 * before.mass);  // m/s
    EXPECT_NEAR(now.kinetic + now.elastic + now.dissipated, books, 0.05 * books);
    EXPECT_GT(now.crack_area, 0);
    EXPECT_EQ(validate(solver.mesh()), std::vector<std::string>());
  }
}

TEST(FractureStep, FragmentsFollowTheCracks) {
  StretchedBlock block;
  block.toughness = 6;
  TetSolver solver(block.setup());
  run_until_cracked(solver, 600, 0.004);
  solver.prepare_frame();
  const Totals totals = solver.totals();
  EXPECT_GT(totals.fragments, 2u);
  Frame frame;
  solver.snapshot(frame);
  EXPECT_EQ(frame.tets.size(), totals.elements);
  std::vector<std::uint32_t> labels = frame.fragment;
  std::sort(labels.begin(), labels.end());
  labels.erase(std::unique(labels.begin(), labels.end()), labels.end());
  EXPECT_EQ(labels.size(), totals.fragments);
  EXPECT_EQ(labels.front(), 1u);  // the largest piece keeps the name
  EXPECT_EQ(solver.cracks().fragments.size(), totals.fragments - 1);
  for (const FragmentEvent& e : solver.cracks().fragments) EXPECT_EQ(e.parent, 1u);
}

// Splits in the first step of a block that is stretched or pressed along x, all of it alike, and lets go.
std::uint64_t splits_at_stretch(double stretch, Compression compression) {
  StretchedBlock block;
  block.rate = 0;
  block.toughness = 0.5;
  block.spread = 0;
  block.fracture.compression = compression;
  TetSetup setup = block.setup();
  for (Vec3& p : setup.state.position) p.x() *= stretch;
  TetSolver solver(std::move(setup));
  solver.step(solver.stable_dt());
  return solver.fracture().counts().splits;
}

TEST(FractureStep, CompressionNeverCracks) {
  EXPECT_EQ(splits_at_stretch(0.9, Compression::negative_part), 0u);
  EXPECT_GT(splits_at_stretch(1.1, Compression::negative_part), 100u);
  EXPECT_GT(splits_at_stretch(0.9, Compression::printed), 0u) << "as printed, the pressed faces crack";
}

TEST(FractureStep, WhatIsSwitchedOffOrHasNoToughnessHolds) {
  StretchedBlock block;
  block.fracture.on = false;
  TetSolver off(block.setup());
  run_until_cracked(off, 1, 0.004);
  EXPECT_EQ(off.totals().splits, 0u);
  block.fracture.on = true;
  block.toughness = 0;
  TetSolver tough(block.setup());
  run_until_cracked(tough, 1, 0.004);
  EXPECT_EQ(tough.totals().splits, 0u);
}

TEST(FractureStep, MostTetsStopTheSplits) {
  StretchedBlock block;
  block.toughness = 1;
  TetSetup setup = block.setup();
  setup.parameters.fracture.most_tets = setup.mesh.tet_count() + 100;
  TetSolver solver(std::move(setup));
  run_steps(solver, 100);
  EXPECT_GT(solver.totals().splits, 0u);
  EXPECT_GT(solver.totals().refused_splits, 0u);
  EXPECT_LT(solver.mesh().tet_count(), block.setup().mesh.tet_count() + 300);
}

}  // namespace
}  // namespace sunder::tet_oh99
