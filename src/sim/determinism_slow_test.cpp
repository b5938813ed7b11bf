// The same bits for any number of threads, on a body large enough that all of them have work.
#include <gtest/gtest.h>

#include <filesystem>
#include <sstream>

#include "core/files.h"
#include "scene/read_scene.h"
#include "sim/run.h"

namespace sunder {
namespace {

constexpr const char* kScene = R"(
name = "block"
duration = 0.125
[[body]]
shape = { kind = "box", size = [0.5, 0.4, 0.4] }
edge = 0.0255
position = [0, 0.24, 0]
rotation = [10, 0, 6]
velocity = [0.5, -1.5, 0]
material = { young = 4e5, poisson = 0.35, phi = 150, psi = 100, density = 1000, toughness = 0 }
[[collider]]
shape = { kind = "ground" }
)";

// The state_hash column.
std::vector<std::string> hashes(const std::filesystem::path& folder) {
  std::istringstream in(read_file(folder / "stats.csv"));
  std::vector<std::string> result;
  for (std::string line; std::getline(in, line);) {
    std::istringstream cells(line);
    std::string cell;
    for (int i = 0; i < 18; ++i) std::getline(cells, cell, ',');
    result.push_back(cell);
  }
  return result;
}

TEST(FiftyThousandTets, HaveTheSameHashInEveryFrameForAnyNumberOfThreadsAndEveryTime) {
  const std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "sunder_determinism";
  const Scene scene = read_scene({kScene, "block.toml", {}, "block"});
  std::vector<std::string> expected;
  for (const int threads : {1, 2, 3, 4, 7}) {
    for (int repeat = 0; repeat < 3; ++repeat) {
      RunOptions options;
      options.folder = folder;
      options.threads = threads;
      const RunResult result = run_scene(scene, options);
      EXPECT_GT(result.progress.elements, 50000u);
      EXPECT_EQ(result.threads_taken_part, threads) << "not all threads worked";
      const std::vector<std::string> now = hashes(folder);
      ASSERT_EQ(now.size(), 5u);  // the header and four frames
      if (expected.empty()) expected = now;
      EXPECT_EQ(now, expected) << threads << " threads, repeat " << repeat;
    }
  }
  std::filesystem::remove_all(folder);
}

}  // namespace
}  // namespace sunder
