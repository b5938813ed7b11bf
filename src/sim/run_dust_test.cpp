// Runs whose crack faces shed dust: lines, frames, checks, and the same bytes after a stop.

#include "sim/check_run.h"
#include "sim/run_testing.h"

namespace sunder {
namespace {

constexpr const char* kDusty = R"(
name = "dusty"
duration = 0.03
fps = 200
[[body]]
name = "tile"
shape = { kind = "box", size = [0.1, 0.02, 0.08] }
edge = 0.02
position = [0, 0.06, 0]
rotation = [25, 0, 15]
velocity = [0, -6, 0]
material = { preset = "paper-ceramic", toughness = 9 }
[[dust]]
body = "tile"
thickness = 1e-4
smallest = 3e-4
largest = 1e-3
[[collider]]
shape = { kind = "ground" }
)";

using RunDust = RunScene;

TEST_F(RunDust, FramesHoldTheGrainsThatTheLinesTellOfAndTheMassStays) {
  run_scene(scene_of(kDusty), into("run"));
  const Json totals = record("run")["totals"];
  std::istringstream in(read_file(top_ / "run/debris.jsonl"));
  std::uint64_t grains = 0;
  double mass = 0;
  for (std::string text; std::getline(in, text);) {
    const Json line = Json::parse(text);
    EXPECT_EQ(line["event"], "shed");
    EXPECT_EQ(line["body"], "tile");
    grains += line["grains"].get<std::uint64_t>(), mass += line["mass"].get<double>();
  }
  EXPECT_GT(grains, 100u);
  EXPECT_EQ(totals["grains"], grains);
  EXPECT_NEAR(totals["dust_mass"].get<double>(), mass, 1e-12 * mass);
  const Frame last = frame("run", "dusty.0007.vtu");
  ASSERT_EQ(last.grains.size(), grains);
  double in_frame = 0;
  for (const FrameGrain& g : last.grains) {
    in_frame += g.mass;
    EXPECT_GE(g.position.y(), g.radius - 1e-9) << "in the ground";
  }
  EXPECT_NEAR(in_frame, mass, 1e-12 * mass);
  const std::vector<Row> rows = stats("run");
  for (const Row& row : rows) EXPECT_NEAR(std::stod(row.at(8)), std::stod(rows[0].at(8)), 1e-12);
  EXPECT_TRUE(check_run(top_ / "run").problems.empty());
}

TEST_F(RunDust, AResumedRunHasTheSameBytes) {
  const Scene scene = scene_of(kDusty);
  run_scene(scene, into("whole", 2));
  run_and_stop(scene, into("cut"), [](const Progress& p) { return p.frame == 4; });
  RunOptions options = into("cut", 2);
  options.resume = true;
  run_scene(scene, options);
  EXPECT_EQ(lasting_stats("cut"), lasting_stats("whole"));
  EXPECT_EQ(frame_bytes("cut"), frame_bytes("whole"));
  for (const char* log : {"debris.jsonl", "cracks.jsonl", "forces.csv"}) {
    EXPECT_EQ(read_file(top_ / "cut" / log), read_file(top_ / "whole" / log)) << log;
  }
}

TEST_F(RunDust, TablesThatCannotBeAreRefused) {
  const auto refused = [](const std::vector<std::string>& set, const std::string& why) {
    try {
      scene_of(kDusty, set);
      ADD_FAILURE() << "taken: " << set[0];
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused({"dust[0].thickness=0"}, "greater than 0");
  refused({"dust[0].thickness=nan"}, "thickness");
  refused({"dust[0].smallest=0.01"}, "larger than the largest");
  refused({"dust[0].body=till"}, "tile");
  refused({"dust[0].angle=91"}, "at most 90");
  refused({"dust[0].most=0"}, "most");
}

}  // namespace
}  // namespace sunder
