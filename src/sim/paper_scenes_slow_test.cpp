// What the figures of O'Brien & Hodgins 1999 show, on short or coarse versions of the scenes; gallery/make-gallery
// judges the whole ones.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>
#include <vector>

#include "frame/pieces.h"
#include "sim/check_run.h"
#include "sim/gallery_testing.h"
#include "sim/recorded_run.h"
#include "sim/run_testing.h"

namespace sunder {
namespace {

class PaperScene : public RunScene {
 protected:
  // Runs the first frames. Every frame must keep every invariant of the mesh.
  void run(const std::string& name, int frames, std::vector<std::string> changes = {}) {
    RunOptions options = into(name, 2);
    Scene scene = gallery_scene(name, std::move(changes));
    scene.duration = (frames - 1) / scene.fps;
    run_scene(scene, options);
    const CheckReport report = check_run(options.folder);
    EXPECT_TRUE(report.problems.empty()) << report.problems.front();
    const RecordedRun recorded(options.folder);
    pieces = find_pieces(recorded.frame(recorded.frames().back()));
    cracks.clear();
    std::istringstream lines(read_file(options.folder / "cracks.jsonl"));
    for (std::string line; std::getline(lines, line);) {
      const Json parsed = Json::parse(line);
      if (parsed["event"] == "crack") cracks.push_back(parsed);
    }
    area = record(name)["totals"]["crack_area"];
  }
  std::size_t big() const {
    return static_cast<std::size_t>(
        std::count_if(pieces.begin(), pieces.end(), [](const Piece& p) { return p.share >= kBigPiece; }));
  }
  // Share that is less than 5 cm from where it was built.
  double standing() const {
    double share = 0;
    for (const Piece& piece : pieces) share += piece.moved < 0.05 ? piece.share : 0;
    return share;
  }

  std::vector<Piece> pieces;
  std::vector<Json> cracks;
  double area = 0;  // m^2
};

TEST_F(PaperScene, GlassIsCrushedUnderTheWeightAndCracksRunOutwards) {
  run("glass", 12);
  double near_area = 0, far_area = 0, along_radius = 0;
  for (const Json& c : cracks) {
    const double x = c["rest"][0].get<double>() - 0.2, z = c["rest"][2].get<double>() - 0.15, r = std::hypot(x, z);
    const double of_crack = c["area"];
    if (r < 0.6) near_area += of_crack;
    if (r < 0.9) continue;
    far_area += of_crack;
    along_radius += of_crack * std::abs(c["normal"][0].get<double>() * x + c["normal"][2].get<double>() * z) / r;
  }
  EXPECT_GT(pieces.size() - big(), 10u);
  EXPECT_GT(near_area, far_area / 3);       // on a fifteenth of the slab
  EXPECT_GT(far_area, 0.3);                 // m^2: three lengths of a metre through the slab
  EXPECT_LT(along_radius, 0.5 * far_area);  // planes hold the line to the weight; at random it would be 0.64
}

TEST_F(PaperScene, LightBallLeavesTheWallStandingWithANetworkOfCracks) {
  run("wall-light", 14);
  EXPECT_GT(standing(), 0.9);
  EXPECT_GT(area, 1);
  std::set<std::pair<bool, bool>> quarters;
  for (const Json& c : cracks) quarters.insert({c["rest"][0] > 0.0, c["rest"][1] > 0.7});
  EXPECT_EQ(quarters.size(), 4u);
}

TEST_F(PaperScene, HeavyBallShattersTheWall) {
  run("wall-heavy", 12);
  EXPECT_GE(big(), 8u);
  EXPECT_LT(standing(), 0.6);
  EXPECT_LT(pieces.size(), 300u);  // pieces, not dust
}

TEST_F(PaperScene, BowlsBreakIntoMorePiecesTheLessToughTheyAre) {
  std::vector<std::size_t> counts;
  std::vector<double> areas;
  for (const char* name : {"bowl-1", "bowl-2", "bowl-3", "bowl-4"}) {
    run(name, 24);
    counts.push_back(big()), areas.push_back(area);
  }
  EXPECT_EQ(counts[0], 1u);
  EXPECT_GT(areas[0], 0.002);  // m^2: cracked
  for (std::size_t i = 1; i < 4; ++i) {
    EXPECT_GT(counts[i], counts[i - 1]);
    EXPECT_GT(areas[i], areas[i - 1]);
  }
  EXPECT_GT(counts[3], 3 * counts[2]);
}

TEST_F(PaperScene, BowlOnItsEdgeFailsFirstWhereItStrikes) {
  run("bowl-edge", 20);
  ASSERT_GT(cracks.size(), 30u);
  double first = 0, highest = 0;  // m
  for (std::size_t i = 0; i < cracks.size(); ++i) {
    if (i < 5) first += cracks[i]["position"][1].get<double>() / 5;
    highest = std::max(highest, cracks[i]["rest"][1].get<double>());
  }
  EXPECT_LT(first, 0.06);
  EXPECT_GT(highest, 0.25);  // the rim's lowest point rests at 0.06, its highest at 0.36
  EXPECT_GE(big(), 3u);
  EXPECT_LE(big(), 14u);
}

TEST_F(PaperScene, LettersBreakOnTheGroundAndOnEachOther) {
  run("the-end", 16,
      {"body.0.edge=0.03", "body.0.material.toughness=166", "body.1.edge=0.03", "body.1.material.toughness=166"});
  EXPECT_GT(big(), 7u);  // six letters
  EXPECT_LT(pieces.size(), 150u);
}

}  // namespace
}  // namespace sunder
