// The broad phase of contact by overlap, against brute force.
#include "collision/near_tets.h"

#include <gtest/gtest.h>

#include "collision/near_tets_testing.h"

namespace sunder {
namespace {

TEST(NearTets, HoldsAllPairsWithinReachWhileBodiesMove) {
  testing::Blocks blocks;
  NearTets near(0.1, 0.03);
  for (int step = 0; step < 60; ++step) {
    near.update(blocks.mesh, blocks.position);
    testing::expect_complete(near, blocks, 0.1);
    blocks.move(0.01);
  }
  EXPECT_GT(near.search().searches(), 2u);
  EXPECT_LT(near.search().searches(), 40u);  // the margin saves searches
}

}  // namespace
}  // namespace sunder
