// The broad phase of contact against brute force.
#include "collision/near_faces.h"

#include <gtest/gtest.h>

#include "collision/near_faces_testing.h"

namespace sunder {
namespace {

using testing::Blocks;
using testing::expect_complete;

TEST(NearFaces, HoldsAllPairsWithinReachWhileBodiesMove) {
  Blocks blocks;
  NearFaces near(0.1, 0.03);
  for (int step = 0; step < 60; ++step) {
    near.update(blocks.mesh, blocks.position);
    expect_complete(near, blocks, 0.1, 0.03);
    blocks.move(0.01);
  }
  EXPECT_GT(near.search().searches(), 2u);
  EXPECT_LT(near.search().searches(), 40u);  // the margin saves searches
}

}  // namespace
}  // namespace sunder
