// What `sunder drop` promises: compact things break, too, into more the more is asked for, and not into crumbs.
#include <gtest/gtest.h>

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
  const BuiltRun run = build_run(read_scene({made.text, "drop.toml", {}, "drop"}));
  for (double now = 0; now < 0.3;) {
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

}  // namespace
}  // namespace sunder
