// Strength, a stress, knows no mesh: the load that breaks a bar is the same in all, as forces.csv tells it, and
// `smallest` ends the refinement that the stress at a crack's tip would otherwise go on with.
#include <algorithm>
#include <cstdlib>

#include "mesh/quality.h"
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

struct Refined {
  std::size_t at_start = 0, at_end = 0;  // tets
  std::size_t before_end = 0;            // after three quarters of the time
  MeshQuality start, end;
};

// A sheet whose crack is cut as finely as it likes, but for `smallest` (m): until the time (s) is over, or there are
// twice as many tets.
Refined refined(double edge, double smallest, double time) {
  const BuiltRun run = build_run(gallery_scene(
      "wandering-crack", {"body.sheet.edge=" + std::to_string(edge), "fracture.smallest=" + std::to_string(smallest),
                          "fracture.altitude_floor=0.02", "fracture.quality_floor=0.02", "fracture.snap_distance=0.02",
                          "fracture.snap_angle=0.02", "fracture.bend_at_tips=false"}));
  const TetMesh& mesh = run.solver->mesh();
  Refined result;
  result.start = mesh_quality(mesh);
  while (run.solver->time() < time && mesh.tet_count() < 2 * result.start.tets) {
    run.solver->step(run.solver->stable_dt());
    if (run.solver->time() < 0.75 * time) result.before_end = mesh.tet_count();
  }
  EXPECT_GT(run.solver->totals().splits, 10u);
  result.at_start = result.start.tets, result.at_end = mesh.tet_count();
  result.end = mesh_quality(mesh);
  return result;
}

TEST(Smallest, EndsTheRefinementAtACracksTipInEveryMesh) {
  const double smallest = 0.004;
  for (const double edge : {0.02, 0.016}) {
    const Refined sheet = refined(edge, smallest, 0.02);
    EXPECT_GT(sheet.start.min_altitude, smallest) << "else it is the start mesh that is tested";
    EXPECT_GE(sheet.end.min_altitude, smallest * (1 - 1e-9)) << "edge " << edge;
    EXPECT_LT(sheet.at_end, 1.25 * sheet.at_start) << "edge " << edge;
    EXPECT_LT(sheet.at_end - sheet.before_end, 0.03 * sheet.at_start) << "it has ended, edge " << edge;
  }
}

TEST(Smallest, WithoutItRefinementGoesOn) {
  const Refined sheet = refined(0.02, 0, 0.006);
  EXPECT_GE(sheet.at_end, 2 * sheet.at_start);
  EXPECT_LT(sheet.end.min_altitude, 0.001);
}

}  // namespace
}  // namespace sunder
