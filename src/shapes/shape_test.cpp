#include "shapes/shape.h"

#include <gtest/gtest.h>

#include <cmath>

#include "shapes/resolution.h"

namespace sunder {
namespace {

TEST(Shape, DefaultEdgeGivesAFewThousandTets) {
  for (const Vec3& size : {Vec3(1, 1, 1), Vec3(2, 1, 0.1), Vec3(1, 0.7, 0.02), Vec3(1, 1, 0.004), Vec3(0.03, 3, 0.03),
                           Vec3(1, 1e-3, 1e-3), Vec3(1e-3, 2e-3, 3e-3), Vec3(100, 20, 50)}) {
    const double tets = estimated_tets(BoxShape{size}, default_edge(BoxShape{size}));
    EXPECT_GT(tets, 1500) << size.transpose();
    EXPECT_LT(tets, 6000) << size.transpose();
  }
  for (const double radius : {1e-3, 0.5, 20.0}) {
    const double tets = estimated_tets(SphereShape{radius}, default_edge(SphereShape{radius}));
    EXPECT_GT(tets, 2000);
    EXPECT_LT(tets, 4500);
  }
}

TEST(Shape, AFileBringsItsOwnTets) {
  EXPECT_EQ(default_edge(FileShape{"x.mesh", 1}), 0);
  EXPECT_EQ(estimated_tets(FileShape{"x.mesh", 1}, 0.1), 0);
}

TEST(Shape, HalfTheEdgeGivesEightTimesTheTets) {
  EXPECT_NEAR(estimated_tets(BoxShape{Vec3(1, 1, 1)}, 0.01) / estimated_tets(BoxShape{Vec3(1, 1, 1)}, 0.02), 8, 0.5);
  EXPECT_NEAR(estimated_tets(SphereShape{1}, 0.01) / estimated_tets(SphereShape{1}, 0.02), 8, 0.5);
  // A plate of one cell: four times.
  EXPECT_NEAR(estimated_tets(BoxShape{Vec3(1, 1, 1e-3)}, 0.01) / estimated_tets(BoxShape{Vec3(1, 1, 1e-3)}, 0.02), 4,
              0.3);
}

TEST(Shape, AbsurdEdgesAreEstimatedToo) {
  EXPECT_NEAR(std::log10(estimated_tets(BoxShape{Vec3(1, 1, 1)}, 1e-20)), 61, 0.5);
  EXPECT_GT(estimated_tets(SphereShape{1}, 1e-20), 1e60);
}

TEST(Resolution, CellsAreAsCubicAsCountsAllow) {
  for (const Vec3& size : {Vec3(1, 0.5, 0.25), Vec3(1, 1, 1), Vec3(0.5, 0.81, 0.33)}) {
    const auto n = box_cells(size, 0.03);
    const Vec3 cell(size[0] / n[0], size[1] / n[1], size[2] / n[2]);
    EXPECT_LT(cell.maxCoeff() / cell.minCoeff(), 1.1) << size.transpose();
  }
  for (const double count : box_cells({1, 1, 1}, 100)) EXPECT_EQ(count, 1);
}

}  // namespace
}  // namespace sunder
