#include "geometry/convex_hull.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <set>

#include "core/dice_testing.h"

namespace sunder {
namespace {

Vec3 area_of(const std::vector<Vec3>& points, const ConvexHull& hull, const std::array<std::uint32_t, 3>& t) {
  const Vec3 &a = points[hull.points[t[0]]], &b = points[hull.points[t[1]]], &c = points[hull.points[t[2]]];
  return (b - a).cross(c - a) / 2;
}

double volume_of(const std::vector<Vec3>& points, const ConvexHull& hull) {
  double sum = 0;
  for (const auto& t : hull.triangles) sum += area_of(points, hull, t).dot(points[hull.points[t[0]]]) / 3;
  return sum;
}

// Closed, turned outwards, a ball, and all points behind every face.
void expect_hull(const std::vector<Vec3>& points, const ConvexHull& hull) {
  ASSERT_GE(hull.triangles.size(), 4u);
  std::set<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::set<std::uint32_t> used;
  for (const auto& t : hull.triangles) {
    for (std::size_t k = 0; k < 3; ++k) {
      EXPECT_TRUE(edges.emplace(t[k], t[(k + 1) % 3]).second) << "two faces run along an edge in the same direction";
      used.insert(t[k]);
    }
  }
  for (const auto& [a, b] : edges) EXPECT_TRUE(edges.contains({b, a})) << "an edge has one face only";
  EXPECT_EQ(used.size(), hull.points.size());
  // V - E + F = 2
  EXPECT_EQ(used.size() + hull.triangles.size(), edges.size() / 2 + 2);
  Vec3 low = points[0], high = points[0];
  for (const Vec3& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
  const double extent = (high - low).maxCoeff();
  for (const auto& t : hull.triangles) {
    const Vec3 area = area_of(points, hull, t);
    if (area.norm() < 1e-9 * extent * extent) continue;  // of a sliver the normal is not known to the grid's accuracy
    const Vec3 normal = area.normalized();
    for (const Vec3& p : points) {
      EXPECT_LT(normal.dot(p - points[hull.points[t[0]]]), 1e-7 * extent);
    }
  }
  EXPECT_GT(volume_of(points, hull), 0);
}

// Triangles of points with all others behind them.
std::set<std::uint32_t> corners_by_brute_force(const std::vector<Vec3>& points) {
  std::set<std::uint32_t> corners;
  const auto count = static_cast<std::uint32_t>(points.size());
  for (std::uint32_t a = 0; a < count; ++a) {
    for (std::uint32_t b = 0; b < count; ++b) {
      for (std::uint32_t c = 0; c < count; ++c) {
        if (a == b || b == c || a == c) continue;
        const Vec3 normal = (points[b] - points[a]).cross(points[c] - points[a]);
        const bool face = std::none_of(points.begin(), points.end(),
                                       [&](const Vec3& p) { return normal.dot(p - points[a]) > 1e-12; });
        if (face) corners.insert({a, b, c});
      }
    }
  }
  return corners;
}

TEST(ConvexHull, AgreesWithBruteForceOnRandomPoints) {
  Dice dice(7);
  for (int trial = 0; trial < 12; ++trial) {
    std::vector<Vec3> points(5 + 2 * static_cast<std::size_t>(trial));
    for (Vec3& p : points) p = dice.vec(-1, 1);
    const ConvexHull hull = convex_hull(points);
    expect_hull(points, hull);
    const std::set<std::uint32_t> expected = corners_by_brute_force(points);
    EXPECT_EQ(std::set<std::uint32_t>(hull.points.begin(), hull.points.end()), expected);
  }
}

TEST(ConvexHull, KeepsEveryPointOfASphere) {
  Dice dice(3);
  std::vector<Vec3> points(400);
  for (Vec3& p : points) p = Vec3(10, -3, 2) + dice.vec(-1, 1).normalized();
  const ConvexHull hull = convex_hull(points);
  expect_hull(points, hull);
  EXPECT_EQ(hull.points.size(), 400u);
  EXPECT_NEAR(volume_of(points, hull), 4.18, 0.2);
}

TEST(ConvexHull, GridOfACubeHasItsVolumeWhateverLiesInAPlane) {
  for (const double turn : {0.0, 0.3}) {
    const Mat3 rotation = Eigen::AngleAxisd(turn, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    std::vector<Vec3> points;
    for (int x = 0; x < 6; ++x) {
      for (int y = 0; y < 6; ++y) {
        for (int z = 0; z < 6; ++z) points.emplace_back(rotation * Vec3(x, y, z));
      }
    }
    points.insert(points.end(), points.begin(), points.begin() + 50);  // doubled
    const ConvexHull hull = convex_hull(points);
    expect_hull(points, hull);
    EXPECT_NEAR(volume_of(points, hull), 125, 1e-6);
    EXPECT_LE(hull.points.size(), 152u);  // of the surface, rounded ones among them
  }
}

TEST(ConvexHull, ThinAndTinyThingsHaveHullsAndFlatOnesNone) {
  Dice dice(11);
  std::vector<Vec3> points(60), flat(60);
  for (std::size_t i = 0; i < points.size(); ++i) {
    const Vec3 p = dice.vec(-1e-6, 1e-6);
    points[i] = Vec3(1 + p.x(), p.y(), 1e-4 * p.z());
    flat[i] = Vec3(p.x(), p.y(), 2);
  }
  expect_hull(points, convex_hull(points));
  EXPECT_TRUE(convex_hull(flat).triangles.empty());
  EXPECT_TRUE(convex_hull({}).triangles.empty());
  EXPECT_TRUE(convex_hull(std::vector<Vec3>(9, Vec3(1, 1, 1))).triangles.empty());
  const std::vector<Vec3> line = {Vec3(0, 0, 0), Vec3(1, 1, 1), Vec3(2, 2, 2), Vec3(3, 3, 3), Vec3(4, 4, 4)};
  EXPECT_TRUE(convex_hull(line).triangles.empty());
}

}  // namespace
}  // namespace sunder
