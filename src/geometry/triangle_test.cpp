#include "geometry/triangle.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace sunder {
namespace {

const TriangleCorners kTriangle = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0)};

TEST(Triangle, ClosestPointLiesInsideOnAnEdgeOrAtACorner) {
  EXPECT_EQ(closest_point(kTriangle, Vec3(0.25, 0.25, 3)).point, Vec3(0.25, 0.25, 0));
  EXPECT_EQ(closest_point(kTriangle, Vec3(0.5, -1, 1)).point, Vec3(0.5, 0, 0));
  EXPECT_EQ(closest_point(kTriangle, Vec3(1, 1, 0)).point, Vec3(0.5, 0.5, 0));
  EXPECT_EQ(closest_point(kTriangle, Vec3(3, -1, 0)).point, Vec3(1, 0, 0));
  EXPECT_EQ(closest_point(kTriangle, Vec3(3, -1, 0)).weights, Vec3(0, 1, 0));
}

TEST(Triangle, WithoutAreaItIsASegmentOrAPoint) {
  const TriangleCorners segment = {Vec3(0, 0, 0), Vec3(2, 0, 0), Vec3(1, 0, 0)};
  EXPECT_EQ(closest_point(segment, Vec3(1.5, 1, 0)).point, Vec3(1.5, 0, 0));
  const TriangleCorners point = {Vec3(1, 2, 3), Vec3(1, 2, 3), Vec3(1, 2, 3)};
  EXPECT_EQ(closest_point(point, Vec3(0, 0, 0)).point, Vec3(1, 2, 3));
  EXPECT_NEAR(closest_point(point, Vec3(0, 0, 0)).weights.sum(), 1, 1e-15);
}

TEST(Triangle, AnOctantIsSeenUnderAnEighthOfTheSphere) {
  const TriangleCorners octant = {Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  EXPECT_NEAR(solid_angle(octant, Vec3::Zero()), std::numbers::pi / 2, 1e-14);  // from behind
  EXPECT_NEAR(solid_angle(octant, Vec3(1e-9, 1e-9, 0) + Vec3(1, 1, 1) / 3), -2 * std::numbers::pi, 1e-6);
  EXPECT_EQ(solid_angle(kTriangle, Vec3(2, 2, 0)), 0);
}

TEST(Triangle, RaysHitWithinOnly) {
  EXPECT_EQ(ray_hit(kTriangle, Vec3(0.2, 0.2, 2), Vec3(0, 0, -1)), 2);
  EXPECT_LT(ray_hit(kTriangle, Vec3(0.2, 0.2, 2), Vec3(0, 0, 1)), 0);
  EXPECT_LT(ray_hit(kTriangle, Vec3(0.8, 0.8, 2), Vec3(0, 0, -1)), 0);
  EXPECT_LT(ray_hit(kTriangle, Vec3(-1, 0.2, 0), Vec3(1, 0, 0)), 0);  // along its plane
}

}  // namespace
}  // namespace sunder
