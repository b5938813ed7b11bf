// What a person asks of a break, and gets: cracks along mortar, lines and grain, straight ones and jagged ones.
#include <gtest/gtest.h>

#include <Eigen/LU>
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
#include "geometry/tetrahedron.h"
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

TetCorners corners_of(const Frame& frame, const std::vector<Vec3>& position, std::size_t tet) {
  const auto& c = frame.tets[tet];
  return {position[c[0]], position[c[1]], position[c[2]], position[c[3]]};
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

// A tile, struck until it has so many splits; its planes in its own axes.
CrackLog struck_tile(std::vector<std::string> changes) {
  const Scene scene = gallery_scene("tile", std::move(changes));
  const BuiltRun run = build_run(scene);
  run_until(*run.solver, 0.016, 150);
  CrackLog log = run.solver->cracks();
  EXPECT_GE(log.cracks.size(), 100u);
  const Mat3 to_body = rotation_matrix(scene.bodies[0].rotation).transpose();
  for (CrackEvent& e : log.cracks) {
    e.normal = to_body * e.normal;
    e.rest = to_body * (e.rest - scene.bodies[0].position);
  }
  return log;
}

TEST(Control, SlatePartsBetweenItsLayers) {
  const Vec3 across = Vec3(1, 0.5, 0).normalized();
  const auto alignment = [&](const std::string& factor) {
    return mean_alignment(struck_tile({"toughness.field.pattern={ kind = 'layers', direction = [1, 0.5, 0] }",
                                       "toughness.field.factor=" + factor}),
                          across);
  };
  EXPECT_GT(alignment("0.1"), 0.9);
  EXPECT_LT(alignment("1"), 0.8);
}

TEST(Control, EachRegionCracksAlongItsOwnGrain) {
  const auto grain = [](const std::string& direction, const std::string& side) {
    return "{ pattern = { kind = 'grain', direction = " + direction +
           " }, where = { kind = 'half-space', point = [0, 0, 0], normal = " + side + " }, factor = 0.1 }";
  };
  const CrackLog all =
      struck_tile({"toughness=[" + grain("[1, 1, 0]", "[-1, 0, 0]") + ", " + grain("[1, -1, 0]", "[1, 0, 0]") + "]"});
  CrackLog left, right;
  for (const CrackEvent& e : all.cracks) (e.rest.x() < 0 ? left : right).cracks.push_back(e);
  ASSERT_GT(left.cracks.size(), 20u);
  ASSERT_GT(right.cracks.size(), 20u);
  const Vec3 rising = Vec3(1, 1, 0).normalized(), falling = Vec3(1, -1, 0).normalized();
  EXPECT_LT(mean_alignment(left, rising), 0.2);
  EXPECT_GT(mean_alignment(left, falling), 0.5);
  EXPECT_LT(mean_alignment(right, falling), 0.2);
  EXPECT_GT(mean_alignment(right, rising), 0.5);
}

struct Strains {
  double at_tear = 0, elsewhere = 0;  // means over the material
};

// Of the tets that have a crack face, and of all others.
template <class Strain>
Strains mean_strains(const Frame& frame, Strain&& of_tet) {
  Strains sum, volume;
  for (std::size_t t = 0; t < frame.tets.size(); ++t) {
    const double v = signed_volume(corners_of(frame, frame.rest, t)), strain = of_tet(t);
    (frame.crack_faces[t] != 0 ? sum.at_tear : sum.elsewhere) += v * strain;
    (frame.crack_faces[t] != 0 ? volume.at_tear : volume.elsewhere) += v;
  }
  return {sum.at_tear / volume.at_tear, sum.elsewhere / volume.elsewhere};
}

// |E|, from the shape that a tet had at the start, flow and all.
double whole_strain(const Frame& frame, std::size_t tet) {
  const Mat3 f =
      edge_matrix(corners_of(frame, frame.position, tet)) * edge_matrix(corners_of(frame, frame.rest, tet)).inverse();
  return 0.5 * (f.transpose() * f - Mat3::Identity()).norm();
}

// Coarser than the gallery's (toughness goes with edge times thickness), and torn four times as fast.
struct TornTin {
  Frame frame;
  Totals totals;
};
TornTin torn_tin(const std::string& yield_stress) {
  const BuiltRun run =
      build_run(gallery_scene("tin-sheet", {"body.sheet.edge=0.02", "body.sheet.material.toughness=108",
                                            "body.sheet.material.yield_stress=" + yield_stress,
                                            "region.pulled.velocity=[1.6, 0, 2.4]", "region.pulled.end=0.04"}));
  run_until(*run.solver, 0.05);
  return {frame_now(*run.solver), run.solver->totals()};
}

TEST(Control, ATinSheetTearsPlasticallyAndStaysAsItIs) {
  const TornTin tin = torn_tin("0.5e6");
  const std::vector<Piece> pieces = find_pieces(tin.frame);
  ASSERT_GE(pieces.size(), 2u);
  EXPECT_GT(pieces[1].share, 0.2) << "torn in two";
  const Strains flowed = mean_strains(tin.frame, [&](std::size_t t) { return tin.frame.plastic_strain[t]; });
  EXPECT_GT(flowed.at_tear, 0.1);
  EXPECT_GT(flowed.at_tear, 1.5 * flowed.elsewhere) << "it flows along the tear most";
  EXPECT_LT(tin.totals.elastic, 0.2 * tin.totals.plastic) << "the grip has let go: little is left to spring back";

  const TornTin springy = torn_tin("1e9");
  ASSERT_GE(find_pieces(springy.frame).size(), 2u);
  EXPECT_EQ(springy.totals.plastic, 0);
  const auto stays = [](const Frame& frame) {
    return mean_strains(frame, [&](std::size_t t) { return whole_strain(frame, t); }).at_tear;
  };
  EXPECT_GT(stays(tin.frame), 5 * stays(springy.frame)) << "what does not flow springs back";
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
Torn torn(const std::string& scene, std::vector<std::string> changes, double time) {
  const BuiltRun run = build_run(gallery_scene(scene, std::move(changes)));
  run_until(*run.solver, time);
  return {mean_turn(frame_now(*run.solver)), run.solver->totals().crack_area, run.solver->cracks()};
}

// From the notch, at x = -0.07, to the other end a straight cut has 0.19 m times 12 mm.
constexpr double kStraightCut = 0.19 * 0.012;  // m^2

TEST(Control, CracksGoFromJaggedToStraightAsAlphaGrows) {
  std::map<double, double> turn, area;
  for (const char* seed : {"seed=1", "seed=2", "seed=3"}) {
    std::map<double, double> here;
    for (const double alpha : {0.0, 0.5, 1.0}) {
      const Torn sheet = torn("wandering-crack", {seed, "fracture.residual=" + std::to_string(alpha)}, 0.02);
      here[alpha] = sheet.turn;
      turn[alpha] += sheet.turn / 3, area[alpha] += sheet.area / 3;
      EXPECT_GT(sheet.area, 0.85 * kStraightCut) << seed << ", alpha " << alpha << ": it is cut through";
    }
    EXPECT_LT(here[1], 0.8 * here[0]) << seed;
  }
  EXPECT_LT(turn[0.5], 0.85 * turn[0]);
  EXPECT_LT(turn[1], 0.75 * turn[0.5]);
  EXPECT_LT(area[0.5], area[0]);
  EXPECT_LT(area[1], 1.15 * kStraightCut);
}

TEST(Control, TipsThatBendLeaveNoSpurs) {
  double free = 0, bent = 0;
  for (const char* seed : {"seed=2", "seed=3"}) {
    free += torn("notched-sheet", {seed}, 0.012).area;
    bent += torn("notched-sheet", {seed, "fracture.bend_at_tips=true"}, 0.012).area;
  }
  EXPECT_LT(bent, 0.8 * free);
  EXPECT_GT(bent, 2 * 0.8 * 0.11 * 0.012) << "the sheet is cut through";
}

// Without the course of the flanks, nodes that have just split split again beside the front, and cracks turn there:
// 41 cm^2 in all.
TEST(Control, FlanksBesideATipKeepToItsCourse) {
  double area = 0;
  for (const char* seed : {"seed=2", "seed=3"}) {
    area += torn("notched-sheet", {seed, "fracture.residual=1", "fracture.bend_at_tips=true"}, 0.01).area;
  }
  EXPECT_LT(area, 37e-4);
  EXPECT_GT(area, 2 * 0.8 * 0.11 * 0.012) << "the sheet is cut through";
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
    const Torn sheet =
        torn("notched-sheet", {"fracture.tip_share=0.5", "fracture.bend_at_tips=true", "fracture.crack_speed=" + speed},
             0.012);
    return time_to_cross(sheet.cracks);
  };
  const double at_once = crossing("0");
  EXPECT_LT(at_once, 3e-4) << "at the speed of waves";
  EXPECT_GT(crossing("10"), 5 * at_once);
}

}  // namespace
}  // namespace sunder
