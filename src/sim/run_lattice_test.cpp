// Lattices through the whole path: scene, run folder, checkpoints, check.
#include <gtest/gtest.h>

#include "core/error.h"
#include "sim/check_run.h"
#include "sim/recorded_run.h"
#include "sim/run_testing.h"

namespace sunder {
namespace {

constexpr const char* kPlate = R"(
name = "plate"
duration = 0.02
fps = 500

[[body]]
solver = "lattice_norton91"
shape = { kind = "slab", size = [0.2, 0.12, 0.01] }
edge = 0.01
position = [0, 0.065, 0]
rotation = [0, 0, 20]
velocity = [0, -5, 0]
material = { young = 1e8, poisson = 0.25, density = 2000, strength = 1e6 }

[[collider]]
shape = { kind = "ground" }
)";

using RunLattice = RunScene;

TEST_F(RunLattice, LeavesARunThatChecksAndCanBeDrawn) {
  const RunResult result = run_scene(scene_of(kPlate), into("plate"));
  EXPECT_GT(result.progress.splits, 3u);
  EXPECT_EQ(check_run(top_ / "plate").problems, std::vector<std::string>());
  const Frame last = frame("plate", "plate.0011.vtu");
  EXPECT_EQ(last.hexes.size(), 240u);
  EXPECT_TRUE(last.tets.empty());
  const Frame solid = RecordedRun(top_ / "plate").frame(11);
  EXPECT_EQ(solid.tets.size(), 48u * 240);
  EXPECT_EQ(std::set<std::uint32_t>(solid.fragment.begin(), solid.fragment.end()),
            std::set<std::uint32_t>(last.node_fragment.begin(), last.node_fragment.end()));
}

TEST_F(RunLattice, SameBitsForAnyNumberOfThreadsAndAfterResuming) { expect_same_bits(scene_of(kPlate)); }

TEST_F(RunLattice, ContactStifferThanBondsIsRefusedWithTheReason) {
  try {
    scene_of(std::string(kPlate) + "[contact]\nstiffness = 3\n");
    FAIL();
  } catch (const InputError& error) {
    EXPECT_NE(std::string(error.what()).find("stiffer than the bonds"), std::string::npos) << error.what();
  }
}

TEST_F(RunLattice, WhatLatticesDoNotHeedIsRefused) {
  for (const char* keys :
       {"[[region]]\nwhere = { kind = \"box\", min = [-1, -1, -1], max = [1, 1, 1] }\naction = \"hold\"\n",
        "[[toughness]]\npattern = { kind = \"uniform\" }\nfactor = 1\n", "[[dust]]\nthickness = 1e-4\n",
        "[debris]\nlowest = -1\noutside = \"remove\"\n"}) {
    try {
      scene_of(std::string(kPlate) + keys);
      ADD_FAILURE() << keys;
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find("means nothing to lattices"), std::string::npos) << error.what();
    }
  }
}

TEST_F(RunLattice, BuildsWhatTheSceneSays) {
  const BuiltRun run = build_run(scene_of(kPlate));
  ASSERT_TRUE(run.lattice);
  EXPECT_EQ(run.lattice->lattice().cell_count(), 20u * 12);
  EXPECT_NEAR(run.lattice->totals().mass, 2000 * 0.2 * 0.12 * 0.01, 1e-9);
  EXPECT_TRUE(run.warnings.empty());
}

TEST_F(RunLattice, OtherPoissonsRatiosAreNotHeededButSaid) {
  std::string text = kPlate;
  text.replace(text.find("0.25, density"), 4, "0.4");
  const BuiltRun run = build_run(scene_of(text));
  ASSERT_EQ(run.warnings.size(), 1u);
  EXPECT_NE(run.warnings[0].find("Poisson"), std::string::npos);
}

TEST_F(RunLattice, FramesHoldHexahedraAndReadBackAsTheyWere) {
  const BuiltRun run = build_run(scene_of(kPlate));
  Solver& solver = run.any();
  for (int i = 0; i < 900; ++i) solver.step(solver.stable_dt());
  solver.prepare_frame();
  Frame frame;
  solver.snapshot(frame);
  ASSERT_GT(run.lattice->breakage().broken_cells(), 0u);
  const Frame back = parse_frame(frame_text(frame), "frame.vtu");
  EXPECT_EQ(back.hexes, frame.hexes);
  EXPECT_EQ(back.broken_edges, frame.broken_edges);
  EXPECT_EQ(back.node_fragment, frame.node_fragment);
  EXPECT_EQ(back.turn, frame.turn);
  EXPECT_EQ(back.position, frame.position);
}

}  // namespace
}  // namespace sunder
