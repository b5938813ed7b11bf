// What a person asks of a break, and gets: the same load in every mesh, cracks along mortar, lines and grain, straight
// ones and jagged ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

#include "core/rotation.h"
#include "fracture/toughness_patterns.h"
#include "scene/read_scene.h"
#include "sim/build.h"
#include "sim/gallery.h"

namespace sunder {
namespace {

Scene gallery_scene(const std::string& name, std::vector<std::string> changes = {}) {
  for (const GalleryScene& scene : gallery()) {
    if (scene.name == name)
      return read_scene({scene.text, name + ".toml", {}, name}, {.overrides = std::move(changes)});
  }
  throw std::runtime_error("no such scene");
}

// Steps until the time is over, or there are so many splits.
void run_until(Solver& solver, double time, std::uint64_t splits = 1000000) {
  double now = 0;
  while (now < time && solver.totals().splits < splits) {
    const StepReport report = solver.step(solver.stable_dt());
    ASSERT_TRUE(report.finite);
    now += report.dt;
  }
}

// A bar that is pulled apart slowly, its ends free to contract: stress is the same everywhere, until it breaks.
std::string pulled_bar(double edge, const std::string& bears) {
  return "duration = 0.08\ngravity = [0, 0, 0]\n[[body]]\nshape = { kind = \"box\", size = [0.16, 0.04, 0.04] }\nedge "
         "= " +
         std::to_string(edge) + "\nmaterial = { lambda = 2.65e6, mu = 3.97e6, phi = 264, psi = 397, density = 1013, " +
         bears +
         " }\n"
         "[[region]]\nname = \"left\"\nwhere = { kind = \"half-space\", point = [-0.0799, 0, 0], normal = [-1, 0, 0] "
         "}\n"
         "action = \"move\"\naxes = \"x\"\nvelocity = [-0.02, 0, 0]\n"
         "[[region]]\nname = \"right\"\nwhere = { kind = \"half-space\", point = [0.0799, 0, 0], normal = [1, 0, 0] }\n"
         "action = \"move\"\naxes = \"x\"\nvelocity = [0.02, 0, 0]\n";
}

// The largest force that the right end takes, N, until the bar breaks.
constexpr std::uint64_t kBroken = 15;  // splits: about a section of the coarsest bar
double breaking_load(double edge, const std::string& bears) {
  const BuiltRun run = build_run(read_scene({pulled_bar(edge, bears), "bar.toml", {}, "bar"}));
  double largest = 0, now = 0;
  while (now < 0.08 && run.solver->totals().splits < kBroken) {
    now += run.solver->step(run.solver->stable_dt()).dt;
    largest = std::max(largest, std::abs(run.solver->reactions()[1].force.x()));
  }
  EXPECT_GE(run.solver->totals().splits, kBroken) << "it must break, at edge " << edge << " with " << bears;
  return largest;
}

TEST(Strength, ASmoothBarBreaksAtTheSameLoadInEveryMesh) {
  const double area = 0.04 * 0.04, strength = 1e5;
  for (const double edge : {0.02, 0.013, 0.01}) {
    EXPECT_NEAR(breaking_load(edge, "strength = 1e5"), strength * area, 0.05 * strength * area) << "edge " << edge;
  }
}

TEST(Strength, ByToughnessTheLoadGoesWithTheMesh) {
  const double coarse = breaking_load(0.02, "toughness = 8"), fine = breaking_load(0.01, "toughness = 8");
  EXPECT_GT(fine, 2.5 * coarse) << "a force over an edge squared";
}

// The share of the crack area that was opened at nodes where a pattern is.
double share_in(const CrackLog& log, const BodySpec& body, const ToughnessPattern& pattern) {
  double inside = 0, all = 0;
  for (const CrackEvent& e : log.cracks) {
    const Vec3 place = rotation_matrix(body.rotation).transpose() * (e.rest - body.position);
    all += e.area;
    if (pattern(place, 0).weight > 0) inside += e.area;
  }
  return inside / all;
}

TEST(Control, ABrickWallFailsAlongTheMortar) {
  for (const char* seed : {"seed=1", "seed=2"}) {
    const Scene scene = gallery_scene("brick-wall", {seed});
    const BuiltRun run = build_run(scene);
    run_until(*run.solver, 0.03, 400);
    ASSERT_GT(run.solver->totals().splits, 50u);
    const auto& bricks = std::get<BricksPattern>(scene.toughness[0].pattern);
    const Vec3 corner = -std::get<BoxShape>(scene.bodies[0].shape).size / 2;
    EXPECT_GT(share_in(run.solver->cracks(), scene.bodies[0], brick_pattern(bricks.size, bricks.mortar, corner)), 0.8);
  }
}

TEST(Control, ChocolateBreaksAtItsLines) {
  const Scene scene = gallery_scene("chocolate");
  const BuiltRun run = build_run(scene);
  run_until(*run.solver, 0.06, 400);
  ASSERT_GT(run.solver->totals().splits, 30u);
  const auto& lines = std::get<GridPattern>(scene.toughness[0].pattern);
  const Vec3 corner = -std::get<BoxShape>(scene.bodies[0].shape).size / 2;
  EXPECT_GT(share_in(run.solver->cracks(), scene.bodies[0], grid_pattern(lines.spacing, lines.width, corner)), 0.8);
}

// The mean of |n . d| over the crack's planes, by area: 0 if they all lie along d.
double mean_alignment(const CrackLog& log, const Vec3& d) {
  double sum = 0, all = 0;
  for (const CrackEvent& e : log.cracks) sum += e.area * std::abs(e.normal.dot(d)), all += e.area;
  return sum / all;
}

TEST(Control, APlankSplitsAlongItsGrain) {
  const Scene scene = gallery_scene("plank");
  const BuiltRun run = build_run(scene);
  run_until(*run.solver, 0.1, 200);
  ASSERT_GT(run.solver->totals().splits, 20u);
  EXPECT_LT(mean_alignment(run.solver->cracks(), std::get<GrainPattern>(scene.toughness[0].pattern).direction), 0.25);
}

}  // namespace
}  // namespace sunder
