#pragma once
// For tests of whole runs: a folder of their own, and what a run leaves in it.

#include <gtest/gtest.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <sstream>
#include <string>
#include <vector>

#include "cache/frame_vtu.h"
#include "core/files.h"
#include "scene/read_scene.h"
#include "sim/build.h"
#include "sim/run.h"

namespace sunder {

namespace fs = std::filesystem;
using Json = nlohmann::json;

// A soft block that hits the ground with an edge, slides and keeps touching: contact, friction, several regions and
// more than one chunk of nodes and tets, in about a hundred steps a frame.
inline constexpr const char* kBlock = R"(
name = "block"
duration = 0.25
[[body]]
name = "block"
shape = { kind = "box", size = [0.4, 0.2, 0.3] }
edge = 0.04
position = [0, 0.16, 0]
rotation = [20, 0, 35]
velocity = [1, -2, 0]
spin = [0, 1.5, 0]
material = { preset = "jelly", young = 4e5, poisson = 0.35, phi = 150, psi = 100 }
[[collider]]
name = "floor"
shape = { kind = "ground" }
[[region]]
name = "push"
where = { kind = "half-space", point = [0, 0.2, 0], normal = [0, 1, 0] }
action = "force"
force = [0, -20, 5]
start = 0.05
end = 0.15
)";

inline Scene scene_of(const std::string& text, std::vector<std::string> overrides = {}) {
  return read_scene({.text = text, .file_name = "test.toml"}, {.overrides = std::move(overrides)});
}

inline double stable_dt_of(const std::string& text, std::vector<std::string> overrides) {
  return build_run(scene_of(text, std::move(overrides))).solver->stable_dt();
}

using Row = std::vector<std::string>;

class RunScene : public testing::Test {
 protected:
  RunScene() : top_(fs::temp_directory_path() / ("sunder_run_test_" + std::to_string(::getpid()))) {
    fs::remove_all(top_);
    fs::create_directories(top_);
  }
  ~RunScene() override { fs::remove_all(top_); }

  RunOptions into(const std::string& folder, int threads = 1) const {
    RunOptions options;
    options.folder = top_ / folder;
    options.threads = threads;
    return options;
  }
  // Rows of a table of the folder, without the header.
  std::vector<Row> rows(const std::string& folder, const std::string& table) const {
    std::istringstream in(read_file(top_ / folder / table));
    std::vector<Row> rows;
    for (std::string line; std::getline(in, line);) {
      std::istringstream cells(line);
      rows.emplace_back();
      for (std::string cell; std::getline(cells, cell, ',');) rows.back().push_back(cell);
    }
    EXPECT_FALSE(rows.empty());
    if (!rows.empty()) rows.erase(rows.begin());
    return rows;
  }
  std::vector<Row> stats(const std::string& folder) const { return rows(folder, "stats.csv"); }
  // The same without wall_s, the only column that may differ between two runs of a scene.
  std::vector<Row> lasting_stats(const std::string& folder) const {
    std::vector<Row> rows = stats(folder);
    for (Row& row : rows) row.pop_back();
    return rows;
  }
  std::vector<std::string> hashes(const std::string& folder) const {
    std::vector<std::string> result;
    for (const Row& row : stats(folder)) result.push_back(row.at(17));
    return result;
  }
  using Names = std::set<std::string>;
  Names checkpoints(const std::string& folder) const {
    Names names;
    for (const auto& entry : fs::directory_iterator(top_ / folder / "checkpoints")) {
      names.insert(entry.path().filename().string());
    }
    return names;
  }
  Json record(const std::string& folder) const { return Json::parse(read_file(top_ / folder / "run.json")); }
  Frame frame(const std::string& folder, const std::string& file) const {
    return read_frame(top_ / folder / "frames" / file);
  }
  std::map<std::string, std::string> frame_bytes(const std::string& folder) const {
    std::map<std::string, std::string> result;
    for (const auto& entry : fs::directory_iterator(top_ / folder / "frames")) {
      result[entry.path().filename().string()] = read_file(entry.path());
    }
    return result;
  }
  // Runs until the progress callback says so; the flag is set as Ctrl-C sets it.
  RunResult run_and_stop(const Scene& scene, RunOptions options, const std::function<bool(const Progress&)>& when) {
    std::atomic<bool> stop{false};
    options.stop = &stop;
    options.progress = [&](const Progress& p) {
      if (when(p)) stop = true;
    };
    return run_scene(scene, options);
  }
  // For one and three threads, and after an end at frame 5 and going on with two.
  void expect_same_bits(const Scene& scene) {
    run_scene(scene, into("one", 1));
    run_scene(scene, into("three", 3));
    EXPECT_EQ(lasting_stats("one"), lasting_stats("three"));
    EXPECT_EQ(frame_bytes("one"), frame_bytes("three"));
    EXPECT_TRUE(run_and_stop(scene, into("resumed"), [](const Progress& p) { return p.frame >= 5; }).interrupted);
    RunOptions options = into("resumed", 2);
    options.resume = true;
    run_scene(scene, options);
    EXPECT_EQ(lasting_stats("one"), lasting_stats("resumed"));
    EXPECT_EQ(frame_bytes("one"), frame_bytes("resumed"));
  }

  fs::path top_;
};

}  // namespace sunder
