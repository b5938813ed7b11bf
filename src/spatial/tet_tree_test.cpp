#include "spatial/tet_tree.h"

#include <gtest/gtest.h>

#include "core/random.h"
#include "geometry/tetrahedron.h"
#include "mesh/kuhn_grid.h"

namespace sunder {
namespace {

TEST(TetTree, EveryPointOfACubeHasATetWhoseWeightsGiveIt) {
  const TetSoup soup = kuhn_grid(4, 3, 5);  // the box from 0 to 4, 3, 5
  const TetTree tree(soup);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Vec3 x(4 * random_unit(1, i, 0), 3 * random_unit(1, i, 1), 5 * random_unit(1, i, 2));
    const auto held = tree.holder(x);
    ASSERT_TRUE(held) << x.transpose();
    Vec3 again = Vec3::Zero();
    for (std::size_t k = 0; k < 4; ++k) {
      again += held->weights[k] * soup.points[soup.tets[held->tet][k]];
      EXPECT_GE(held->weights[k], -1e-8);
    }
    EXPECT_LT((again - x).norm(), 1e-12);
  }
  for (const Vec3& x : soup.points) EXPECT_TRUE(tree.holder(x)) << "corners are held, too";
}

TEST(TetTree, PointsOutsideAreHeldByNoTet) {
  const TetSoup soup = kuhn_grid(2, 2, 2);
  const TetTree tree(soup);
  EXPECT_FALSE(tree.holder(Vec3(-1e-6, 1, 1)));
  EXPECT_FALSE(tree.holder(Vec3(1, 5, 1)));
  EXPECT_TRUE(tree.holder(Vec3(-1e-10, 1, 1))) << "round-off";
}

}  // namespace
}  // namespace sunder
