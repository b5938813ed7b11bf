// What `sunder drop` promises: whatever falls breaks, into more the more is asked for, and not into crumbs.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "frame/pieces.h"
#include "scene/read_scene.h"
#include "sim/break_scene.h"
#include "sim/build.h"

namespace sunder {
namespace {

struct Outcome {
  std::size_t big = 0;  // pieces of kBigPiece and more
  double crumbs = 0;    // share of all that is in pieces below 0.1 %
};

// After the blow, before pieces land again.
Outcome dropped(const Shape& shape, const std::string& text, Pieces pieces, std::uint64_t seed) {
  BreakWishes wishes;
  wishes.name = "drop";
  wishes.command = "sunder drop";
  wishes.shape = text;
  wishes.material = "ceramic";
  wishes.pieces = pieces;
  wishes.tilt = Vec3(20, 0, 12);
  wishes.seed = seed;
  const BreakScene made = drop_scene(survey_model(shape, 0, seed), wishes, {});
  const double end = 0.95 * std::sqrt(made.blow.size / made.blow.gravity);
  const BuiltRun run = build_run(read_scene({made.text, "drop.toml", {}, "drop"}));
  for (double now = 0; now < end;) {
    const StepReport report = run.solver->step(run.solver->stable_dt());
    if (!report.finite) throw std::runtime_error("blew up");
    now += report.dt;
  }
  Frame frame;
  run.solver->prepare_frame();
  run.solver->snapshot(frame);
  Outcome outcome;
  for (const Piece& piece : find_pieces(frame)) {
    if (piece.share >= kBigPiece) ++outcome.big;
    if (piece.share < 0.001) outcome.crumbs += piece.share;
  }
  return outcome;
}

TEST(Drop, BallsAndBlocksBreakAsAsked) {
  const std::pair<Shape, std::string> compact[] = {{SphereShape{0.5}, "{ kind = \"sphere\", radius = 0.5 }"},
                                                   {BoxShape{Vec3(1, 1, 1)}, "{ kind = \"box\", size = [1, 1, 1] }"}};
  for (const auto& [shape, text] : compact) {
    std::size_t few = 0, many = 0;
    for (const std::uint64_t seed : {1, 2}) {
      const auto big = [&](Pieces pieces) {
        const Outcome outcome = dropped(shape, text, pieces, seed);
        EXPECT_GE(outcome.big, 2u) << text << ", seed " << seed;
        EXPECT_LT(outcome.crumbs, 0.08) << text << ", seed " << seed;
        return outcome.big;
      };
      few += big(Pieces::few), many += big(Pieces::many);
    }
    EXPECT_LT(1.5 * static_cast<double>(few), many) << text;
  }
}

TEST(Drop, RodsAndThinWallsBreakAsAsked) {
  const std::pair<Shape, std::string> thin[] = {{TorusShape{}, "{ kind = \"torus\" }"},
                                                {PolygonShape{}, "{ kind = \"polygon\" }"},
                                                {CupShape{}, "{ kind = \"cup\" }"}};
  for (const auto& [shape, text] : thin) {
    std::array<std::size_t, 3> big = {};  // of few, some, many, over the seeds
    for (const std::uint64_t seed : {1, 2}) {
      for (const Pieces pieces : {Pieces::few, Pieces::some, Pieces::many}) {
        const Outcome outcome = dropped(shape, text, pieces, seed);
        EXPECT_LT(outcome.crumbs, 0.05) << text << ", seed " << seed;
        big[static_cast<std::size_t>(pieces)] += outcome.big;
      }
    }
    EXPECT_GT(big[0], 2u) << text;  // not whole
    EXPECT_LT(big[0], big[1]) << text;
    EXPECT_LE(big[1], big[2]) << text;  // a bracket parts where its arms meet, with some as with many
  }
}

}  // namespace
}  // namespace sunder
