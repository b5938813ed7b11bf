// Strength, a stress, knows no mesh: the load that breaks a bar is the same in all, as forces.csv tells it, and
// `smallest` ends the refinement that the stress at a crack's tip would otherwise go on with.
#include <algorithm>
#include <cstdlib>

#include "sim/control_testing.h"
#include "sim/run_testing.h"

namespace sunder {
namespace {

constexpr std::uint64_t kBroken = 15;  // splits: about a section of the coarsest bar

class PulledBar : public RunScene {
 protected:
  // N: the largest reaction of the right end in forces.csv, up to the first frame in which the bar is broken.
  double breaking_load(double edge, const std::string& bears) {
    const Scene scene = scene_of("fps = 500\n" + pulled_bar(edge, bears));
    const std::string folder = "bar-" + std::to_string(++bars_);
    const RunResult result =
        run_and_stop(scene, into(folder), [](const Progress& now) { return now.splits >= kBroken; });
    EXPECT_GE(result.progress.splits, kBroken) << "it must break, at edge " << edge << " with " << bears;
    double largest = 0;
    for (const Row& row : rows(folder, "forces.csv")) {
      if (row.at(2) == "right") largest = std::max(largest, std::strtod(row.at(10).c_str(), nullptr));  // peak
    }
    return largest;
  }

 private:
  int bars_ = 0;
};

TEST_F(PulledBar, OfAStrengthBreaksAtTheSameLoadInEveryMesh) {
  const double area = 0.04 * 0.04, strength = 1e5;
  for (const double edge : {0.02, 0.013, 0.01}) {
    const double load = breaking_load(edge, "strength = 1e5");
    EXPECT_NEAR(load, strength * area, 0.05 * strength * area) << "edge " << edge;
  }
}

TEST_F(PulledBar, OfAToughnessBreaksAtALoadThatGoesWithTheMesh) {
  const double coarse = breaking_load(0.02, "toughness = 8"), middle = breaking_load(0.013, "toughness = 8"),
               fine = breaking_load(0.01, "toughness = 8");
  EXPECT_GT(middle, 1.3 * coarse);
  EXPECT_GT(fine, 2.5 * coarse) << "a force over an edge squared";
}

}  // namespace
}  // namespace sunder
