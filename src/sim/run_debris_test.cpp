// Runs whose debris goes: every piece has its line, once, and the books close.

#include <cmath>

#include "sim/run_testing.h"

namespace sunder {
namespace {

constexpr const char* kBrittle = R"(
name = "crumbs"
duration = 0.045
fps = 200
[[body]]
name = "tile"
shape = { kind = "box", size = [0.1, 0.02, 0.08] }
edge = 0.02
position = [0, 0.06, 0]
rotation = [25, 0, 15]
velocity = [0, -6, 0]
material = { preset = "paper-ceramic", toughness = 9 }
[[body]]
name = "dropped"
shape = { kind = "box", size = [0.04, 0.04, 0.04] }
edge = 0.04
position = [1, -0.4, 0]
velocity = [0, -2, 0]
material = { preset = "paper-ceramic", toughness = 0 }
[[collider]]
shape = { kind = "box", size = [0.5, 0.1, 0.5] }
position = [0, -0.05, 0]
[debris]
lowest = -0.45
outside = "remove"
smallest = 0.014
small = "remove"
)";

class RunDebris : public RunScene {
 protected:
  std::vector<Json> lines(const std::string& folder) const {
    std::vector<Json> result;
    std::istringstream in(read_file(top_ / folder / "debris.jsonl"));
    for (std::string line; std::getline(in, line);) result.push_back(Json::parse(line));
    return result;
  }
};

TEST_F(RunDebris, EveryPieceThatGoesHasALineAndTheMassFallsByWhatTheLinesSay) {
  run_scene(scene_of(kBrittle), into("run"));
  const std::vector<Json> debris = lines("run");
  ASSERT_GT(debris.size(), 3u);
  const Json totals = record("run")["totals"];
  EXPECT_EQ(totals["removed_pieces"], debris.size());
  EXPECT_EQ(totals["frozen_pieces"], 0);
  double removed = 0;
  std::size_t outside = 0, line = 0;
  const std::vector<Row> rows = stats("run");
  const double mass = std::stod(rows.front().at(8));
  for (const Row& row : rows) {
    for (; line < debris.size() && debris[line]["frame"] == std::stoi(row.at(0)); ++line) {
      const Json& d = debris[line];
      EXPECT_EQ(d["event"], "removed");
      EXPECT_EQ(d["time"].get<double>(), std::stod(row.at(1)));
      EXPECT_EQ(d["body"], d["reason"] == "outside" ? "dropped" : "tile");
      EXPECT_GT(d["volume"].get<double>(), 0);
      EXPECT_EQ(d["position"].size(), 3u);
      EXPECT_EQ(d["velocity"].size(), 3u);
      removed += d["mass"].get<double>();
      outside += d["reason"] == "outside" ? 1 : 0;
    }
    EXPECT_NEAR(std::stod(row.at(8)), mass - removed, 1e-12 * mass) << "frame " << row.at(0);
  }
  EXPECT_EQ(line, debris.size()) << "not in the order of frames";
  EXPECT_EQ(outside, 1u);
  EXPECT_NEAR(totals["removed_mass"].get<double>(), removed, 1e-12 * mass);
}

TEST_F(RunDebris, AResumedRunHasEveryLineOnce) {
  const Scene scene = scene_of(kBrittle);
  run_scene(scene, into("whole", 2));
  run_and_stop(scene, into("cut"), [](const Progress& p) { return p.frame == 7; });
  RunOptions options = into("cut", 2);
  options.resume = true;
  run_scene(scene, options);

  // As if it had died long after its last checkpoint.
  RunOptions often = into("killed");
  often.checkpoint_frames = 4;
  run_scene(scene, often);
  for (const std::string& name : checkpoints("killed")) {
    if (name > "crumbs.0005.checkpoint") fs::remove(top_ / "killed/checkpoints" / name);
  }
  ASSERT_TRUE(checkpoints("killed").contains("crumbs.0005.checkpoint"));
  const std::vector<Json> before = lines("killed");
  ASSERT_TRUE(std::any_of(before.begin(), before.end(), [](const Json& d) { return d["frame"] <= 5; }));
  ASSERT_TRUE(std::any_of(before.begin(), before.end(), [](const Json& d) { return d["frame"] > 5; }));
  often.resume = true;
  run_scene(scene, often);

  for (const char* folder : {"cut", "killed"}) {
    EXPECT_EQ(lasting_stats(folder), lasting_stats("whole")) << folder;
    EXPECT_EQ(frame_bytes(folder), frame_bytes("whole")) << folder;
    EXPECT_EQ(read_file(top_ / folder / "debris.jsonl"), read_file(top_ / "whole/debris.jsonl")) << folder;
    for (const char* total : {"removed_pieces", "removed_mass"}) {
      EXPECT_EQ(record(folder)["totals"][total], record("whole")["totals"][total]) << folder;
    }
  }
}

TEST_F(RunDebris, RulesThatSayTooLittleAreRefused) {
  const auto refused = [](const std::vector<std::string>& set, const std::string& why) {
    try {
      scene_of(kBlock, set);
      ADD_FAILURE() << "taken: " << set[0];
    } catch (const InputError& error) {
      EXPECT_NE(std::string(error.what()).find(why), std::string::npos) << error.what();
    }
  };
  refused({"debris.outside=remove"}, "where the world ends");
  refused({"debris.small=remove"}, "which pieces are small");
  refused({"debris.small=freeze", "debris.smallest=0.01", "contact.sleep=false"}, "freeze when they sleep");
  refused({"debris.outside=burn"}, "keep");
  EXPECT_EQ(scene_of(kBlock, {"debris.small=remove", "debris.smallest=0.01"}).debris.small, DebrisAction::remove);
}

}  // namespace
}  // namespace sunder
