// Scenes that break, from the file to the crack log.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>
#include <sstream>

#include "cache/frame_vtu.h"
#include "cache/run_folder.h"
#include "core/files.h"
#include "geometry/tetrahedron.h"
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

// Angle between the crack faces of a run's last frame and the plane across the pull along x, degrees: the mean over all
// faces by area.
double angle_off_the_cross_section(const fs::path& folder, const RunResult& result) {
  const Frame frame = read_frame(RunFolder(folder, "tilted-block").frame_file(result.progress.frame));
  double area = 0, sum = 0;
  for (std::size_t t = 0; t < frame.tets.size(); ++t) {
    for (int face = 0; face < 4; ++face) {
      if ((frame.crack_faces[t] >> face & 1u) == 0) continue;
      std::array<Vec3, 3> corner;
      for (int i = 0; i < 3; ++i) corner[i] = frame.rest[frame.tets[t][kTetFaces[face][i]]];
      const Vec3 normal = (corner[1] - corner[0]).cross(corner[2] - corner[0]);
      area += normal.norm();
      sum += std::acos(std::min(1.0, std::abs(normal.normalized().x()))) * normal.norm();
    }
  }
  EXPECT_GT(area, 0) << "nothing cracked";
  return sum / area * 180 / std::numbers::pi;
}

// The mesh is turned by 30 degrees: a crack along it would be off by 30 or 60.
TEST(TiltedBlock, CracksAcrossThePullUnlessItMustFollowTheMesh) {
  const fs::path folder = folder_for("tilted-block");
  const RunResult free = run(gallery_scene("tilted-block"), folder, 2);
  EXPECT_LT(angle_off_the_cross_section(folder, free), 18);
  double lowest = 0, highest = 0;  // m, of a corner at 0.16
  for (const Json& crack : crack_lines(folder, "crack")) {
    lowest = std::min(lowest, crack["position"][1].get<double>());
    highest = std::max(highest, crack["position"][1].get<double>());
  }
  EXPECT_LT(lowest, -0.1);
  EXPECT_GT(highest, 0.1);
  fs::remove_all(folder);

  const RunResult snapped =
      run(gallery_scene("tilted-block", {"fracture.snap_distance=1e6", "fracture.snap_angle=1.6"}), folder, 2);
  EXPECT_GT(angle_off_the_cross_section(folder, snapped), 30);
  fs::remove_all(folder);
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
