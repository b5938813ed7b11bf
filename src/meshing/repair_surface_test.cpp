#include "meshing/repair_surface.h"

#include <gtest/gtest.h>

#include "meshing/features.h"
#include "meshing/model_testing.h"
#include "meshing/split_hinges.h"
#include "meshing/wall_thickness.h"

namespace sunder {
namespace {

using namespace model_testing;

TEST(RepairSurface, CountsWhatItMends) {
  const TriangleMesh clean = torus(1, 0.4, 12);
  const RepairedSurface good = repair_surface(clean, "ring");
  EXPECT_EQ(good.turned + good.dropped + good.doubled + good.open_edges, 0u);
  EXPECT_EQ(good.shells, 1u);
  EXPECT_NEAR(good.volume * std::pow(good.scale, 3), volume_of(clean), 1e-12);

  TriangleMesh dirty = unwelded(clean);
  for (std::size_t t = 0; t < 5; ++t) std::swap(dirty.triangles[7 * t][0], dirty.triangles[7 * t][1]);
  dirty.triangles.push_back(dirty.triangles[3]);
  dirty.triangles.push_back({0, 0, 1});
  const RepairedSurface mended = repair_surface(dirty, "ring");
  EXPECT_EQ(mended.turned, 5u);
  EXPECT_EQ(mended.doubled, 1u);
  EXPECT_EQ(mended.dropped, 1u);
  EXPECT_EQ(mended.open_edges, 0u);
  EXPECT_NEAR(mended.volume, good.volume, 1e-12);
  for (std::size_t t = 0; t < mended.triangles.size(); ++t) EXPECT_EQ(mended.source[t], t);
}

TEST(RepairSurface, PointsThatAreNearlyEqualAreWelded) {
  TriangleMesh shaken = unwelded(model_testing::sphere(1, 12));
  for (std::size_t p = 0; p < shaken.points.size(); ++p) {
    for (std::uint64_t k = 0; k < 3; ++k) {
      shaken.points[p][static_cast<int>(k)] += 2e-10 * (random_unit(1, p, k) - 0.5);
    }
  }
  const RepairedSurface mended = repair_surface(shaken, "ball");
  EXPECT_EQ(mended.open_edges, 0u);
  EXPECT_EQ(mended.shells, 1u);
}

TEST(Features, ABoxHasEightCornersAndTwelveCurves) {
  const RepairedSurface surface = repair_surface(subdivided(subdivided(box({1, 2, 3}))), "box");
  const TriangleTree tree(surface.points, surface.triangles);
  const SurfaceDistance solid(tree);
  const Features features = find_features(surface, solid, 0.7, 0.05);
  EXPECT_EQ(features.corners.size(), 8u);
  EXPECT_EQ(features.curves.size(), 12u);
  EXPECT_EQ(features.patches, 6u);
  double length = 0;
  for (const FeatureCurve& c : features.curves) length += c.length() * surface.scale;
  EXPECT_NEAR(length, 24, 1e-9);
}

TEST(Features, RimsAreClosedCurvesAndSmoothModelsHaveNone) {
  for (const auto& [model, curves] : {std::pair(cylinder(0.5, 1, 32), 2u), std::pair(torus(1, 0.3, 24), 0u)}) {
    const RepairedSurface surface = repair_surface(model, "model");
    const TriangleTree tree(surface.points, surface.triangles);
    const Features features = find_features(surface, SurfaceDistance(tree), 0.7, 0.05);
    EXPECT_EQ(features.curves.size(), curves);
    for (const FeatureCurve& c : features.curves) {
      EXPECT_TRUE(c.closed());
      EXPECT_NEAR(c.nearest(c.at(0.3 * c.length())), 0.3 * c.length(), 1e-12);
    }
  }
}

TEST(Features, EdgesBuriedInAnotherShellDoNotCount) {
  const TriangleMesh nested = joined(box({3, 3, 3}), moved(box({1, 1, 1}), Mat3::Identity(), {1, 1, 1}));
  const RepairedSurface surface = repair_surface(nested, "boxes");
  const TriangleTree tree(surface.points, surface.triangles);
  EXPECT_EQ(find_features(surface, SurfaceDistance(tree), 0.7, 0.05).curves.size(), 12u);
}

TEST(WallThickness, OfAPlateIsItsThickness) {
  const RepairedSurface surface = repair_surface(box({1, 1, 0.1}), "plate");
  const TriangleTree tree(surface.points, surface.triangles);
  const SurfaceDistance solid(tree);
  const auto samples = sample_thickness(surface, solid, find_features(surface, solid, 0.7, 0.05), 0.02, 5000);
  ASSERT_GT(samples.size(), 400u);
  double thinnest = 1e300;
  for (const SurfaceSample& s : samples) thinnest = std::min(thinnest, s.wall ? s.thickness * surface.scale : 1e300);
  EXPECT_NEAR(thinnest, 0.1, 1e-9);
}

TEST(SplitHinges, PartsThatTouchGetPointsOfTheirOwn) {
  TetSoup soup;  // two tets that share one point, and a third that shares an edge with the second
  soup.points = {{0, 0, 0},  {1, 0, 0},  {0, 1, 0},    {0, 0, 1},  {-1, 0, 0},
                 {0, -1, 0}, {0, 0, -1}, {-1, -1, -3}, {-2, 0, -1}};
  soup.tets = {{0, 1, 2, 3}, {0, 4, 6, 5}, {4, 6, 7, 8}};
  EXPECT_EQ(split_hinges(soup), (std::vector<std::uint32_t>{0, 4, 6}));
  EXPECT_EQ(soup.points.size(), 12u);
  std::size_t pieces = 0;
  EXPECT_EQ(soup_pieces(soup, pieces), (std::vector<std::uint32_t>{0, 1, 2}));
  EXPECT_EQ(pieces, 3u);
  EXPECT_TRUE(split_hinges(soup).empty());
}

}  // namespace
}  // namespace sunder
