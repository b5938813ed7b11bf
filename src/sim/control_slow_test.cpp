// What a person asks of a break, and gets: cracks along mortar, lines and grain, straight ones and jagged ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <string>
#include <utility>
#include <vector>

#include "core/rotation.h"
#include "fracture/toughness_patterns.h"
#include "frame/pieces.h"
#include "mesh/tet_mesh.h"
#include "sim/control_testing.h"

namespace sunder {
namespace {

TEST(Control, ASeamOpensAtItsTime) {
  for (const double opens : {0.01, 0.03}) {  // s; by then the bar bears 24 and 71 kPa
    const std::string at = std::to_string(opens), then = std::to_string(opens + 0.001);
    const std::string seam = "[[toughness]]\npattern = { kind = \"plane\", normal = [1, 0, 0], width = 0.03 }\n" +
                             ("keyframes = [{ time = " + at + ", factor = 1 }, { time = " + then) +
                             ", factor = 0.01 }]\n";
    const BuiltRun run = build_run(read_scene({pulled_bar(0.02, "strength = 1e6") + seam, "seam.toml", {}, "seam"}));
    run_until(*run.solver, opens + 0.005);
    const CrackLog& log = run.solver->cracks();
    ASSERT_FALSE(log.cracks.empty()) << "seam of " << opens;
    EXPECT_GE(log.cracks.front().time, opens);
    EXPECT_LE(log.cracks.front().time, opens + 0.001);
    for (const CrackEvent& e : log.cracks)
      EXPECT_LE(std::abs(e.rest.x()), 0.02) << "in the seam and a little beside it";
  }
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

TEST(Control, ACupLosesItsHandleInOnePiece) {
  for (const char* seed : {"seed=1", "seed=2", "seed=3"}) {
    const BuiltRun run = build_run(gallery_scene("cup-handle", {seed}));
    run_until(*run.solver, 0.08);
    const std::vector<Piece> pieces = find_pieces(frame_now(*run.solver));
    ASSERT_GE(pieces.size(), 2u) << seed;
    EXPECT_NEAR(pieces[0].share, 0.89, 0.01) << seed << ": the cup";
    EXPECT_NEAR(pieces[1].share, 0.11, 0.01) << seed << ": its handle";
    EXPECT_LE(pieces.size(), 8u) << seed << ": a few crumbs at most";
  }
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

// The mean angle between crack faces that share an edge, by area, degrees.
double mean_turn(const Frame& frame) {
  struct Face {
    Vec3 normal;
    double area;
  };
  std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<Face>> at_edge;
  for (std::size_t t = 0; t < frame.tets.size(); ++t) {
    for (std::size_t i = 0; i < 4; ++i) {
      if ((frame.crack_faces[t] >> i & 1) == 0) continue;
      std::array<std::uint32_t, 3> n;
      for (std::size_t k = 0; k < 3; ++k) n[k] = frame.tets[t][static_cast<std::size_t>(kTetFaces[i][k])];
      const Vec3& a = frame.rest[n[0]];
      const Vec3 cross = (frame.rest[n[1]] - a).cross(frame.rest[n[2]] - a);
      for (std::size_t k = 0; k < 3; ++k) {
        const std::pair edge = std::minmax(n[k], n[(k + 1) % 3]);
        at_edge[edge].push_back({cross.normalized(), cross.norm() / 2});
      }
    }
  }
  double sum = 0, all = 0;
  for (const auto& [edge, faces] : at_edge) {
    if (faces.size() != 2) continue;
    const double weight = faces[0].area + faces[1].area;
    sum += weight * std::acos(std::min(1.0, std::abs(faces[0].normal.dot(faces[1].normal))));
    all += weight;
  }
  return sum / all * 180 / std::numbers::pi;
}

struct Torn {
  double turn;  // degrees
  double area;  // m^2
  CrackLog cracks;
};
Torn torn(std::vector<std::string> changes) {
  const BuiltRun run = build_run(gallery_scene("notched-sheet", std::move(changes)));
  run_until(*run.solver, 0.012);
  return {mean_turn(frame_now(*run.solver)), run.solver->totals().crack_area, run.solver->cracks()};
}

TEST(Control, CracksGoFromJaggedToStraightAsAlphaGrows) {
  std::map<double, double> turn;
  for (const double alpha : {0.0, 0.5, 1.0}) {
    for (const char* seed : {"seed=1", "seed=2", "seed=3"}) {
      turn[alpha] += torn({seed, "fracture.residual=" + std::to_string(alpha)}).turn / 3;
    }
  }
  EXPECT_LT(turn[0.5], 0.9 * turn[0]);
  EXPECT_LT(turn[1], 0.75 * turn[0]);
}

TEST(Control, TipsThatBendLeaveNoSpurs) {
  double free = 0, bent = 0;
  for (const char* seed : {"seed=2", "seed=3"}) {
    free += torn({seed}).area;
    bent += torn({seed, "fracture.bend_at_tips=true"}).area;
  }
  EXPECT_LT(bent, 0.8 * free);
  EXPECT_GT(bent, 2 * 0.8 * 0.11 * 0.012) << "the sheet is cut through";
}

// s: from the first crack, at the notch, until one is 5 cm below it.
double time_to_cross(const CrackLog& log) {
  for (const CrackEvent& e : log.cracks) {
    if (e.rest.y() < -0.02 && std::abs(e.rest.x()) < 0.02) return e.time - log.cracks.front().time;
  }
  return 1;
}

// New cracks start ahead of one that is held up, so it does not take the whole distance over the speed.
TEST(Control, CracksOfFiniteSpeedTakeTheirTime) {
  const auto crossing = [](const std::string& speed) {
    const Torn sheet = torn({"fracture.tip_share=0.5", "fracture.bend_at_tips=true", "fracture.crack_speed=" + speed});
    return time_to_cross(sheet.cracks);
  };
  const double at_once = crossing("0");
  EXPECT_LT(at_once, 3e-4) << "at the speed of waves";
  EXPECT_GT(crossing("10"), 5 * at_once);
}

}  // namespace
}  // namespace sunder
