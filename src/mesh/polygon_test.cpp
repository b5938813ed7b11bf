#include "mesh/polygon.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <numbers>

namespace sunder {
namespace {

// Areas along the normal z; all must be positive and add up.
double area(const std::vector<Vec3>& x) {
  double sum = 0;
  const auto triangles = triangulate_polygon(x);
  EXPECT_EQ(triangles.size(), x.size() - 2);
  for (const auto& t : triangles) {
    const double a = (x[t[1]] - x[t[0]]).cross(x[t[2]] - x[t[0]])[2] / 2;
    EXPECT_GT(a, 0);
    sum += a;
  }
  return sum;
}

TEST(Polygon, ConvexAndHollowOutlinesAreFilled) {
  EXPECT_NEAR(area({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), 0.5, 1e-15);
  EXPECT_NEAR(area({{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}}), 1, 1e-15);
  EXPECT_NEAR(area({{0, 0, 0}, {2, 0, 0}, {0.5, 0.5, 0}, {0, 2, 0}}), 1, 1e-15);  // an arrow
  // An L, begun at its inner corner, where a fan would do too, and elsewhere, where it would not.
  EXPECT_NEAR(area({{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}), 3, 1e-15);
  EXPECT_NEAR(area({{2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}, {0, 0, 0}, {2, 0, 0}}), 3, 1e-15);
}

TEST(Polygon, AStarIsFilled) {
  std::vector<Vec3> star;
  for (int i = 0; i < 20; ++i) {
    const double angle = std::numbers::pi * i / 10, r = i % 2 == 0 ? 2 : 0.7;
    star.emplace_back(r * std::cos(angle), r * std::sin(angle), 0);
  }
  EXPECT_NEAR(area(star), 20 * 0.5 * 2 * 0.7 * std::sin(std::numbers::pi / 10), 1e-12);
}

TEST(Polygon, OddOnesBecomeAFan) {
  EXPECT_EQ(triangulate_polygon(std::vector<Vec3>(5, Vec3::Zero())).size(), 3u);
  EXPECT_EQ(triangulate_polygon(std::vector<Vec3>(50000, Vec3::Ones())).size(), 49998u);  // and at once
  EXPECT_TRUE(triangulate_polygon(std::vector<Vec3>(2, Vec3::Zero())).empty());
}

}  // namespace
}  // namespace sunder
