// Lattices that are held, moved and loaded, through the whole path: scene, forces.csv, checkpoints.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "sim/check_run.h"
#include "sim/run_testing.h"

namespace sunder {
namespace {

// 16 x 2 x 2 cells; breaks at a strain of 2 %.
constexpr const char* kBar = R"(name = "bar"
gravity = [0, 0, 0]
duration = 0.2
fps = 50
[[body]]
solver = "lattice_norton91"
shape = { kind = "box", size = [0.4, 0.05, 0.05] }
edge = 0.025
material = { young = 1e7, poisson = 0.25, density = 1000, strength = 2e5 }
lattice = { scatter = 0 }
[[region]]
name = "left"
where = { kind = "half-space", point = [-0.1999, 0, 0], normal = [-1, 0, 0] }
action = "hold"
axes = "x"
[[region]]
name = "right"
where = { kind = "half-space", point = [0.1999, 0, 0], normal = [1, 0, 0] }
action = "move"
velocity = [0.02, 0, 0]
axes = "x"
)";

// Held at its base, pushed over, pressed and broken.
constexpr const char* kWall = R"(name = "wall"
duration = 0.04
fps = 250
[[body]]
name = "wall"
solver = "lattice_norton91"
shape = { kind = "box", size = [0.3, 0.2, 0.04] }
edge = 0.02
position = [0, 0.1, 0]
material = { young = 1e7, poisson = 0.25, density = 2000, strength = 1e5 }
[[region]]
name = "foot"
where = { kind = "box", min = [-1, -1, -1], max = [1, 0.001, 1] }
[[region]]
name = "wind"
where = { kind = "half-space", point = [0, 0, 0.0199], normal = [0, 0, 1] }
action = "pressure"
pressure = 2000
start = 0.002
[[region]]
name = "tug"
where = { kind = "box", min = [0.1, 0.19, -1], max = [1, 1, 1] }
action = "force"
force = [60, 0, 0]
end = 0.03
[[collider]]
shape = { kind = "ground" }
)";

class RunLatticeRegions : public RunScene {
 protected:
  struct Reading {
    double time;
    Vec3 force, mean;
    double work;
  };
  std::vector<Reading> readings(const std::string& folder, const std::string& name) const {
    std::vector<Reading> result;
    for (const Row& row : rows(folder, "forces.csv")) {
      if (row.at(2) != name) continue;
      const auto vector = [&](std::size_t at) {
        return Vec3(std::stod(row.at(at)), std::stod(row.at(at + 1)), std::stod(row.at(at + 2)));
      };
      result.push_back({std::stod(row.at(1)), vector(4), vector(7), std::stod(row.at(11))});
    }
    return result;
  }
};

TEST_F(RunLatticeRegions, APulledBarPullsBackWithItsStiffness) {
  run_scene(scene_of(kBar), into("bar"));
  const auto left = readings("bar", "left"), right = readings("bar", "right");
  ASSERT_EQ(right.size(), 11u);
  const double stiffness = 1e7 * 0.05 * 0.05 / 0.4;  // E A / L, N/m
  for (const std::size_t frame : {5u, 10u}) {
    // Mean over the frame, in which the bar has rung five times; in its middle it was so long:
    const double stretch = 0.02 * (right[frame].time - 0.01);
    EXPECT_NEAR(right[frame].mean.x(), stiffness * stretch, 0.02 * stiffness * stretch);
    EXPECT_NEAR(left[frame].mean.x(), -stiffness * stretch, 0.02 * stiffness * stretch);
    EXPECT_NEAR(right[frame].force.y(), 0, 1e-9);
  }
  const double stretch = 0.02 * 0.2;
  EXPECT_NEAR(right.back().work, 0.5 * stiffness * stretch * stretch, 0.02 * right.back().work);
  EXPECT_EQ(left.back().work, 0);
  EXPECT_EQ(stats("bar").back().at(6), "1");
}

TEST_F(RunLatticeRegions, ItBreaksAtItsStrengthAndThenPullsNoMore) {
  // 2 % of 0.4 m after 0.4 s.
  run_scene(scene_of(kBar, {"duration=0.5"}), into("bar"));
  const auto right = readings("bar", "right");
  double largest = 0;
  for (const Reading& r : right) largest = std::max(largest, r.mean.x());
  EXPECT_NEAR(largest / (0.05 * 0.05), 2e5, 0.06 * 2e5);  // the last whole frame is half a frame earlier
  EXPECT_LT(right.back().mean.x(), 0.1 * largest);
  EXPECT_GT(std::stoi(stats("bar").back().at(6)), 1);
}

TEST_F(RunLatticeRegions, AHeldWallWeighsOnItsFoot) {
  const std::string text = kWall;
  const std::string still = text.substr(0, text.find("[[region]]\nname = \"wind\""));
  run_scene(scene_of(still, {"duration=0.4", "fps=20"}), into("wall"));
  const double weight = 9.81 * 2000 * 0.3 * 0.2 * 0.04;
  const auto foot = readings("wall", "foot");
  EXPECT_NEAR(foot.back().mean.y(), weight, 0.02 * weight);
  EXPECT_EQ(foot.back().work, 0);
  const Frame last = frame("wall", "wall.0009.vtu");
  for (std::size_t n = 0; n < last.position.size(); ++n) {
    if (last.rest[n].y() < 0.001) {
      EXPECT_EQ(last.position[n], last.rest[n]);
    }
  }
}

TEST_F(RunLatticeRegions, AHeldWallThatBreaksLeavesARunThatChecks) {
  const RunResult result = run_scene(scene_of(kWall), into("wall"));
  EXPECT_GT(result.progress.splits, 3u);
  EXPECT_EQ(check_run(top_ / "wall").problems, std::vector<std::string>());
  const auto wind = readings("wall", "wind"), tug = readings("wall", "tug");
  // N, on the front of what is whole
  const auto pressed = [&](const char* file) {
    const Frame moment = frame("wall", file);
    int cells = 0;
    for (std::size_t c = 0; c < moment.hexes.size(); ++c) {
      const auto in_front = [&](std::uint32_t n) { return moment.rest[n].z() > 0.0199; };
      const auto corners = std::count_if(moment.hexes[c].begin(), moment.hexes[c].end(), in_front);
      if (corners == 4 && moment.broken_edges[c] == 0) ++cells;
    }
    EXPECT_GT(cells, 100);
    EXPECT_LT(cells, 150);
    return 2000 * 0.02 * 0.02 * cells;
  };
  EXPECT_EQ(wind[0].force.norm(), 0);
  EXPECT_NEAR(wind[1].force.norm(), pressed("wall.0002.vtu"), 0.01 * wind[1].force.norm());
  EXPECT_NEAR(wind.back().force.norm(), pressed("wall.0011.vtu"), 0.03 * wind.back().force.norm());
  EXPECT_NEAR(tug[2].mean.x(), 60, 1e-9);
  EXPECT_EQ(tug.back().mean.x(), 0);
}

TEST_F(RunLatticeRegions, SameBitsForAnyNumberOfThreadsAndAfterResuming) { expect_same_bits(scene_of(kWall)); }

TEST_F(RunLatticeRegions, ARegionThatSelectsNothingIsRefusedWithItsPlace) {
  try {
    build_run(scene_of(std::string(kBar) + "[[region]]\nname = \"far\"\n"
                                           "where = { kind = \"sphere\", center = [5, 0, 0], radius = 1 }\n"));
    FAIL();
  } catch (const InputError& error) {
    const std::string what = error.what();
    EXPECT_EQ(what.find("test.toml:24:"), 0u) << what;
    EXPECT_NE(what.find("region \"far\" selects no node of any body"), std::string::npos) << what;
    EXPECT_NE(what.find("[-0.2, -0.025, -0.025] and [0.2, 0.025, 0.025]"), std::string::npos) << what;
  }
}

}  // namespace
}  // namespace sunder
