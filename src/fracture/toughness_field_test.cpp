#include "fracture/toughness_field.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/random.h"
#include "core/rotation.h"
#include "fracture/toughness_patterns.h"

namespace sunder {
namespace {

ToughnessField field_of(std::vector<ToughnessLayer> layers) {
  ToughnessField field;
  field.base.value = 10;
  field.layers = std::move(layers);
  return field;
}

ToughnessLayer layer(ToughnessPattern pattern, double factor, double pull = 0) {
  ToughnessLayer result;
  result.pattern = std::move(pattern);
  result.factor = {{0, factor}};
  result.pull = pull;
  return result;
}

// What a plane bears.
double bears(const ToughnessField& field, const Vec3& x, const Vec3& normal, double time = 0) {
  const Resistance r = field.at(1, x, field.factors(time));
  return r.value * (r.planes ? r.planes->of(normal) : 1);
}

TEST(ToughnessField, LayersMultiply) {
  const ToughnessField field =
      field_of({layer(uniform_pattern(), 0.5), layer(plane_pattern(Vec3::Zero(), Vec3::UnitX(), 0.02), 0.2),
                layer(plane_pattern(Vec3::Zero(), Vec3::UnitY(), 0.02), 0.1, 1)});
  const Vec3 x = Vec3::UnitX(), y = Vec3::UnitY();
  EXPECT_NEAR(bears(field, Vec3(1, 1, 0), x), 5, 1e-12);
  EXPECT_NEAR(bears(field, Vec3(0.009, 1, 0), x), 1, 1e-12);
  EXPECT_NEAR(bears(field, Vec3(0.011, 1, 0), x), 5, 1e-12);
  EXPECT_NEAR(bears(field, Vec3(0, 0, 0), y), 0.1, 1e-12);
  EXPECT_NEAR(bears(field, Vec3(0, 0, 0), x), 1, 1e-12) << "a pull of 1 leaves other planes as they are";
}

TEST(ToughnessField, PullSharesTheFactorBetweenAPlaneAndTheOthers) {
  const ToughnessField field = field_of({layer(plane_pattern(Vec3::Zero(), Vec3::UnitX(), 0.02), 0.25, 0.5)});
  EXPECT_NEAR(bears(field, Vec3::Zero(), Vec3::UnitX()), 2.5, 1e-12);
  EXPECT_NEAR(bears(field, Vec3::Zero(), Vec3::UnitY()), 5, 1e-12);
}

TEST(ToughnessField, PatternsGoWithTheBody) {
  ToughnessField field = field_of({layer(plane_pattern(Vec3(0.1, 0, 0), Vec3::UnitX(), 0.02), 0.1, 1)});
  field.rotation = rotation_matrix(Vec3(0, 0, 90));  // x becomes y
  field.origin = Vec3(5, 0, 0);
  EXPECT_NEAR(bears(field, Vec3(5, 0.1, 0.3), Vec3::UnitY()), 1, 1e-12);
  EXPECT_NEAR(bears(field, Vec3(5, 0.1, 0.3), Vec3::UnitX()), 10, 1e-12);
  EXPECT_NEAR(bears(field, Vec3(5.1, 0, 0.3), Vec3::UnitY()), 10, 1e-12);
}

TEST(ToughnessField, NothingBreaksWhereTheFactorIsInfinite) {
  ToughnessLayer never = layer(uniform_pattern(), std::numeric_limits<double>::infinity());
  never.where = [](const Vec3& x) { return x.x() > 0; };
  const ToughnessField field = field_of({never, layer(uniform_pattern(), 0.5)});
  EXPECT_TRUE(std::isinf(field.at(1, Vec3(1, 0, 0), field.factors(0)).value));
  EXPECT_NEAR(bears(field, Vec3(-1, 0, 0), Vec3::UnitX()), 5, 1e-12);
}

TEST(ToughnessField, ASeamOpensWhenItsKeyframesSaySo) {
  ToughnessLayer seam = layer(plane_pattern(Vec3::Zero(), Vec3::UnitX(), 0.02), 1);
  seam.factor = {{0.5, 1}, {0.6, 0.01}};
  const ToughnessField field = field_of({seam});
  EXPECT_EQ(bears(field, Vec3::Zero(), Vec3::UnitX(), 0.4), 10);
  EXPECT_NEAR(bears(field, Vec3::Zero(), Vec3::UnitX(), 0.55), 1, 0.05);
  EXPECT_NEAR(bears(field, Vec3::Zero(), Vec3::UnitX(), 0.7), 0.1, 1e-12);
  EXPECT_EQ(bears(field, Vec3(1, 0, 0), Vec3::UnitX(), 0.7), 10);
  // In steps: who keeps what it found need not look at every time step.
  int changes = 0;
  for (int i = 1; i <= 10000; ++i) changes += field.factors(0.7 * i / 10000) != field.factors(0.7 * (i - 1) / 10000);
  EXPECT_EQ(changes, kFactorSteps);
}

TEST(ToughnessPatterns, BricksStandInARunningBond) {
  const ToughnessPattern mortar = brick_pattern(Vec3(0.2, 0.06, 0.1), 0.02, Vec3::Zero());
  const auto in_mortar = [&](double x, double y) { return mortar(Vec3(x, y, 0.05), 1).weight == 1; };
  EXPECT_FALSE(in_mortar(0.1, 0.03));
  EXPECT_TRUE(in_mortar(0.21, 0.03)) << "between the first two bricks";
  EXPECT_TRUE(in_mortar(0.1, 0.07)) << "under the second row";
  EXPECT_FALSE(in_mortar(0.21, 0.11)) << "the second row is shifted";
  EXPECT_TRUE(in_mortar(0.1, 0.11));
  EXPECT_TRUE(in_mortar(0.21, 0.19)) << "the third is not";
  EXPECT_EQ(mortar(Vec3(0.21, 0.03, 0.05), 1).direction, Vec3(Vec3::UnitX()));
  EXPECT_EQ(mortar(Vec3(0.1, 0.07, 0.05), 1).direction, Vec3(Vec3::UnitY()));
  int inside = 0;
  const int grid = 220;
  for (int i = 0; i < grid; ++i) {
    for (int j = 0; j < grid; ++j) inside += in_mortar(0.44 * (i + 0.5) / grid, 0.16 * (j + 0.5) / grid) ? 1 : 0;
  }
  EXPECT_NEAR(inside / double(grid * grid), 1 - 0.2 * 0.06 / (0.22 * 0.08), 0.01);
}

TEST(ToughnessPatterns, GridHasNoLinesAtTheEndsOfTheBody) {
  const ToughnessPattern lines = grid_pattern(Vec3(0.1, 0, 0), 0.02, Vec3(-0.2, 0, 0));
  EXPECT_EQ(lines(Vec3(-0.2, 0, 0), 1).weight, 0);
  EXPECT_EQ(lines(Vec3(-0.105, 0, 0), 1).weight, 1);
  EXPECT_EQ(lines(Vec3(-0.15, 0, 0), 1).weight, 0);
}

TEST(ToughnessPatterns, VoronoiWallsLieBetweenTheTwoNearestSites) {
  const double width = 0.02;
  const ToughnessPattern walls = voronoi_pattern(20, width, 5, {Vec3::Zero(), Vec3::Ones()});
  int found = 0;
  for (int i = 0; i < 2000; ++i) {
    const auto key = static_cast<std::uint64_t>(i);
    const Vec3 x(random_unit(9, key, 0), random_unit(9, key, 1), random_unit(9, key, 2));
    const PatternPoint here = walls(x, 1);
    if (here.weight == 0) continue;
    ++found;
    // Across the wall, and a width further, it ends.
    EXPECT_EQ(walls(x + 1e-9 * here.direction, 1).direction.dot(here.direction) > 0.999, true);
    const Vec3 on = x + 3 * width * here.direction, back = x - 3 * width * here.direction;
    const auto same = [&](const Vec3& y) {
      const PatternPoint there = walls(y, 1);
      return there.weight > 0 && std::abs(there.direction.dot(here.direction)) > 0.999;
    };
    EXPECT_FALSE(same(on) && same(back));
  }
  EXPECT_GT(found, 50);
  EXPECT_LT(found, 1000);
}

TEST(ToughnessPatterns, GrainWandersSmoothlyAboutItsDirection) {
  const double wobble = 0.2;
  const ToughnessPattern grain = direction_pattern(PatternPoint::Planes::along, Vec3::UnitX(), wobble, 0.1, 3);
  double largest = 0;
  for (int i = 0; i < 1000; ++i) {
    const Vec3 x(0.013 * i, 0.007 * i, 0);
    const Vec3 d = grain(x, 1).direction;
    EXPECT_NEAR(d.norm(), 1, 1e-12);
    EXPECT_LT((grain(x + Vec3(1e-4, 0, 0), 2).direction - d).norm(), 0.01);
    largest = std::max(largest, std::acos(d.x()));
  }
  EXPECT_GT(largest, 0.5 * wobble);
  EXPECT_LT(largest, std::sqrt(2.0) * wobble);
}

TEST(ToughnessPatterns, JointIsTheSurfaceOfTheFirstSolidWithinTheSecond) {
  const auto ball = [](double centre) {
    return [=](const Vec3& x) { return (x - centre * Vec3::UnitX()).norm() - 1; };
  };
  const ToughnessPattern joint = joint_pattern(ball(-0.8), ball(0.8), 0.1);  // at x = 0.2, up to y = 0.6 about
  EXPECT_EQ(joint(Vec3(0.16, 0, 0), 1).weight, 1);
  EXPECT_EQ(joint(Vec3(0.24, 0, 0), 1).weight, 1);
  EXPECT_EQ(joint(Vec3(0.14, 0, 0), 1).weight, 0);
  EXPECT_EQ(joint(Vec3(0.26, 0, 0), 1).weight, 0);
  const Vec3 aside = Vec3(-0.8 + 0.96, 0.28, 0);
  EXPECT_EQ(joint(aside, 1).weight, 1);
  EXPECT_LT((joint(aside, 1).direction - Vec3(0.96, 0.28, 0)).norm(), 1e-6) << "the first solid's normal";
  EXPECT_EQ(joint(Vec3(-0.8, 1, 0), 1).weight, 0) << "the surface of the first, far from the second";
  EXPECT_EQ(joint(Vec3(-0.2, 0, 0), 1).weight, 0) << "the surface of the second";
}

}  // namespace
}  // namespace sunder
