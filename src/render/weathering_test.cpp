#include "render/weathering.h"

#include <gtest/gtest.h>

#include <algorithm>

namespace sunder::render {
namespace {

TEST(Weathering, ShadesStayWithinTheirShareAndUseIt) {
  const Weathering weathering{.mottle = 0.3f, .grit = 0, .size = 0.1f};
  float darkest = 1, lightest = 1;
  double sum = 0;
  for (int i = 0; i < 10000; ++i) {
    const Vec3f at(0.013f * static_cast<float>(i % 100), 0, 0.017f * static_cast<float>(i / 100));
    const float shade = weathered_shade(weathering, at);
    darkest = std::min(darkest, shade), lightest = std::max(lightest, shade);
    sum += static_cast<double>(shade) / 10000;
  }
  EXPECT_GE(darkest, 0.7f);
  EXPECT_LE(lightest, 1.3f);
  EXPECT_LT(darkest, 0.8f);
  EXPECT_GT(lightest, 1.2f);
  EXPECT_NEAR(sum, 1, 0.05);  // the paint keeps its colour
}

TEST(Weathering, NormalsLeanByTheGritAndStayOneLong) {
  const Vec3f up = Vec3f(0.2f, 1, -0.1f).normalized();
  Weathering weathering{.mottle = 0, .grit = 0, .size = 0.1f};
  const auto lean = [&] {
    float mean = 0;
    for (int i = 0; i < 1000; ++i) {
      const Vec3f n = weathered_normal(weathering, Vec3f(0.0137f * static_cast<float>(i), 0.3f, 0.2f), up);
      EXPECT_NEAR(n.norm(), 1, 1e-5f);
      mean += std::acos(std::min(1.0f, n.dot(up))) / 1000;
    }
    return mean;
  };
  EXPECT_LT(lean(), 1e-3f);
  weathering.grit = 0.2f;
  const float some = lean();
  EXPECT_GT(some, 0.03f);
  EXPECT_LT(some, 0.5f);
  weathering.grit = 0.4f;
  EXPECT_GT(lean(), 1.5f * some);
}

}  // namespace
}  // namespace sunder::render
