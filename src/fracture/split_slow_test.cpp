#include <gtest/gtest.h>

#include "fracture/split_testing.h"

namespace sunder {
namespace {

// verification.md, Remeshing: random meshes and random planes, at least 1e5 splits, cracks upon cracks, no violation.
TEST(SplitSlow, AHundredThousandRandomSplitsBreakNoInvariant) {
  SplitTally tally;
  NodeSplitter plain, bending({.bend_at_tips = true});
  for (std::uint64_t seed = 1000; tally.done < 100000; ++seed) {
    SplitBody body(seed);
    // A dozen splits upset a body of a hundred tets thoroughly; one in eight is pursued further.
    const std::uint64_t splits = seed % 8 == 0 ? 40 : 12;
    for (std::uint64_t draw = 0; draw < splits; ++draw) {
      const NodeId node = body.random_node(draw);
      split_and_check(body, seed / 4 % 4 == 0 ? bending : plain, node, body.random_normal(node, draw), tally);
      ASSERT_FALSE(HasFailure()) << "seed " << seed << ", split " << draw;
    }
  }
  RecordProperty("refused", std::to_string(tally.refused));
  RecordProperty("hard_snaps", std::to_string(tally.hard_snaps));
}

}  // namespace
}  // namespace sunder
