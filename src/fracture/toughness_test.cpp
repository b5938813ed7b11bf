#include "fracture/toughness.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {
namespace {

TEST(Toughness, WithoutNoiseItIsTheSameEverywhere) {
  const Toughness t{.value = 50, .spread = 0.4, .seed = 3};
  for (Uid uid = 0; uid < 100; ++uid) EXPECT_EQ(toughness_at(t, uid, Vec3(0.1 * static_cast<double>(uid), 2, 3)), 50);
}

TEST(Toughness, NoiseByNodeFillsItsRangeAndHasTheMean) {
  const Toughness t{.value = 50, .noise = Toughness::Noise::node, .spread = 0.4, .seed = 3};
  double sum = 0, low = 1e9, high = 0;
  for (Uid uid = 0; uid < 10000; ++uid) {
    const double x = toughness_at(t, uid, Vec3::Zero());
    sum += x;
    low = std::min(low, x);
    high = std::max(high, x);
  }
  EXPECT_NEAR(sum / 10000, 50, 0.5);
  EXPECT_NEAR(low, 30, 0.1);
  EXPECT_NEAR(high, 70, 0.1);
}

TEST(Toughness, NoiseInTheMaterialIsSmoothAndKnowsNoNodes) {
  const Toughness t{.value = 1, .noise = Toughness::Noise::material, .spread = 0.5, .grain = 0.1, .seed = 9};
  double low = 2, high = 0;
  for (int i = 0; i < 3000; ++i) {
    const Vec3 x(0.001 * i - 1.5, 0.3, -0.17);
    const double here = toughness_at(t, 1, x), there = toughness_at(t, 2, x + Vec3(1e-6, 0, 0));
    EXPECT_NEAR(here, there, 3e-5);  // no steeper than 1.5 spread 2 / grain
    low = std::min(low, here);
    high = std::max(high, here);
  }
  EXPECT_GE(low, 0.5);
  EXPECT_LE(high, 1.5);
  EXPECT_GT(high - low, 0.3);
}

TEST(Toughness, TheSeedDecides) {
  Toughness a{.value = 1, .noise = Toughness::Noise::node, .spread = 0.5, .seed = 1}, b = a;
  EXPECT_EQ(toughness_at(a, 7, Vec3::Zero()), toughness_at(b, 7, Vec3::Zero()));
  b.seed = 2;
  EXPECT_NE(toughness_at(a, 7, Vec3::Zero()), toughness_at(b, 7, Vec3::Zero()));
}

TEST(Toughness, FarAwayItIsTheMeanInsteadOfNonsense) {
  const Toughness t{.value = 8, .noise = Toughness::Noise::material, .spread = 0.5, .grain = 1e-3};
  EXPECT_EQ(toughness_at(t, 1, Vec3(1e300, 0, 0)), 8);
}

TEST(Toughness, ImpossibleValuesAreRefused) {
  const Place place{"a.toml", 3, 4};
  const double nan = std::numeric_limits<double>::quiet_NaN(), huge = std::numeric_limits<double>::infinity();
  EXPECT_NO_THROW(require_valid(Toughness{.value = 1}, place));
  for (const double value : {0.0, -1.0, nan, huge})
    EXPECT_THROW(require_valid(Toughness{.value = value}, place), InputError);
  for (const double spread : {-0.1, 1.0, nan}) {
    EXPECT_THROW(require_valid(Toughness{.value = 1, .spread = spread}, place), InputError);
  }
  const auto grain = [](double g) { return Toughness{.value = 1, .noise = Toughness::Noise::material, .grain = g}; };
  for (const double g : {0.0, -1.0, nan, huge}) EXPECT_THROW(require_valid(grain(g), place), InputError);
}

}  // namespace
}  // namespace sunder
