// Scenes that break, from the file to the crack log.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>

#include "cache/frame_vtu.h"
#include "cache/run_folder.h"
#include "core/files.h"
#include "sim/gallery_testing.h"
#include "sim/run.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;
using Json = nlohmann::json;

fs::path folder_for(const std::string& name) { return fs::path(testing::TempDir()) / ("sunder_fracture_" + name); }

RunResult run(const Scene& scene, const fs::path& folder, int threads = 1) {
  RunOptions options;
  options.folder = folder;
  options.threads = threads;
  return run_scene(scene, options);
}

std::vector<Json> crack_lines(const fs::path& folder, const std::string& event) {
  std::vector<Json> lines;
  std::istringstream in(read_file(folder / "cracks.jsonl"));
  for (std::string line; std::getline(in, line);) {
    Json parsed = Json::parse(line);
    if (parsed["event"] == event) lines.push_back(std::move(parsed));
  }
  return lines;
}

// The last columns, with the time it took left out.
std::string hashes(const fs::path& folder) {
  std::istringstream in(read_file(folder / "stats.csv"));
  std::string all;
  for (std::string line; std::getline(in, line);) all += line.substr(0, line.rfind(',')) + "\n";
  return all;
}

TEST(BreakingBowl, LeavesTheSameCrackLogForAnyNumberOfThreadsAndAfterResume) {
  Scene scene = gallery_scene("bowl-4");
  scene.duration = 15 / scene.fps;
  const fs::path one = folder_for("one"), two = folder_for("two"), resumed = folder_for("resumed");
  const RunResult first = run(scene, one, 1);
  EXPECT_GT(first.progress.fragments, 8u);
  EXPECT_GT(first.progress.splits, 100u);
  run(scene, two, 2);
  EXPECT_EQ(read_file(one / "cracks.jsonl"), read_file(two / "cracks.jsonl"));
  EXPECT_EQ(hashes(one), hashes(two));

  // Stopped in the middle of a frame, while it cracks.
  std::atomic<bool> stop = false;
  RunOptions options;
  options.folder = resumed;
  options.threads = 2;
  options.stop = &stop;
  options.progress = [&](const Progress& p) { stop = stop || p.frame >= 12; };
  EXPECT_TRUE(run_scene(scene, options).interrupted);
  options.stop = nullptr;
  options.threads = 1;
  options.resume = true;
  EXPECT_FALSE(run_scene(scene, options).interrupted);
  EXPECT_EQ(read_file(one / "cracks.jsonl"), read_file(resumed / "cracks.jsonl"));
  EXPECT_EQ(hashes(one), hashes(resumed));
  for (const fs::path& folder : {one, two, resumed}) fs::remove_all(folder);
}

TEST(NotchedBar, BreaksOnceAcrossAtTheNotch) {
  Scene scene = gallery_scene("notched-bar");
  const fs::path folder = folder_for("notched-bar");
  const RunResult result = run(scene, folder, 2);
  EXPECT_EQ(result.progress.fragments, 2u);
  double area = 0;
  for (const Json& crack : crack_lines(folder, "crack")) {
    EXPECT_LT(std::abs(crack["rest"][0].get<double>()), 0.03) << "far from the notch";
    area += crack["area"].get<double>();
  }
  EXPECT_GT(area, 0.9 * 0.042 * 0.03);  // m^2, across what the notch leaves of the bar
  const std::vector<Json> fragments = crack_lines(folder, "fragment");
  ASSERT_EQ(fragments.size(), 1u);  // what broke off the bar
  EXPECT_EQ(fragments[0]["parent"], 1);
  fs::remove_all(folder);
}

// From the notch's tip at x = 0 straight across the pull; along the notch it would come out 48 mm further.
TEST(MixedMode, TheCrackTakesTheSamePathInFinerMeshes) {
  for (const double edge : {0.014, 0.01, 0.007}) {
    Scene scene = gallery_scene("mixed-mode");
    scene.bodies[0].edge = edge;
    scene.bodies[0].material.toughness *= std::pow(edge / 0.01, 2);  // it is a force
    const fs::path folder = folder_for("mixed-mode");
    const std::size_t pieces = run(scene, folder, 2).progress.fragments;
    EXPECT_GE(pieces, 2u) << edge;
    EXPECT_LE(pieces, 3u) << edge;  // a crumb may come off where the halves rub
    double area = 0, off = 0, lowest = 0;
    for (const Json& crack : crack_lines(folder, "crack")) {
      area += crack["area"].get<double>();
      off += crack["area"].get<double>() * std::abs(crack["rest"][0].get<double>());
      lowest = std::min(lowest, crack["rest"][1].get<double>());
    }
    EXPECT_LT(off / area, 0.006) << edge;  // m
    EXPECT_LT(lowest, -0.025) << edge;     // m, of the bar's lower face at -0.04
    fs::remove_all(folder);
  }
}

TEST(PressedBlock, NeverCracks) {
  const fs::path folder = folder_for("compression");
  const RunResult result = run(gallery_scene("compression"), folder, 2);
  EXPECT_EQ(result.progress.splits, 0u);
  EXPECT_EQ(read_file(folder / "cracks.jsonl").find("\"crack\""), std::string::npos);
  fs::remove_all(folder);
}

}  // namespace
}  // namespace sunder
