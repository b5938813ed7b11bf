#include "render/bsdf.h"

#include <gtest/gtest.h>

#include "render/sampler.h"

namespace sunder::render {
namespace {

struct Named {
  const char* name;
  Paint paint;
};

// Every kind of paint, white, from smooth to dull.
std::vector<Named> white_paints() {
  const Color white = Color::Ones();
  return {{"diffuse", {.kind = PaintKind::diffuse, .color = white}},
          {"ceramic", {.kind = PaintKind::coated, .color = white, .roughness = 0.06f}},
          {"glossy", {.kind = PaintKind::coated, .color = white, .roughness = 0.3f}},
          {"dull coat", {.kind = PaintKind::coated, .color = white, .roughness = 0.9f}},
          {"mirror", {.kind = PaintKind::metal, .color = white, .roughness = 0}},
          {"metal", {.kind = PaintKind::metal, .color = white, .roughness = 0.3f}},
          {"dull metal", {.kind = PaintKind::metal, .color = white, .roughness = 1}},
          {"clear glass", {.kind = PaintKind::glass, .color = white, .roughness = 0}},
          {"frosted glass", {.kind = PaintKind::glass, .color = white, .roughness = 0.3f}},
          {"very rough glass", {.kind = PaintKind::glass, .color = white, .roughness = 0.8f}},
          {"diamond", {.kind = PaintKind::glass, .color = white, .roughness = 0.2f, .index = 2.4f}}};
}

Vec3f towards(float cosine) { return {std::sqrt(1 - cosine * cosine), 0, cosine}; }

// Share of light that comes back, over all directions it is scattered to.
double returned(const Bsdf& bsdf, const Vec3f& out, int samples = 16384) {
  double sum = 0;
  for (int i = 0; i < samples; ++i) {
    Sampler sampler(5, 7, static_cast<std::uint32_t>(i));
    const float choice = sampler.next();
    if (const auto light = bsdf.sample(out, Color::Ones(), choice, sampler.next2())) {
      sum += static_cast<double>(light->weight.mean());
    }
  }
  return sum / samples;
}

TEST(Bsdf, WhitePaintsReturnAllLight) {
  for (const auto& [name, paint] : white_paints()) {
    const Bsdf bsdf(paint);
    for (const float cosine : {0.1f, 0.25f, 0.5f, 0.75f, 0.99f}) {
      EXPECT_NEAR(returned(bsdf, towards(cosine)), 1, 0.02) << name << " at cosine " << cosine;
      if (paint.kind == PaintKind::glass) {  // from inside, too
        EXPECT_NEAR(returned(bsdf, -towards(cosine)), 1, 0.02) << name << " from inside at cosine " << cosine;
      }
    }
  }
}

TEST(Bsdf, BlackCoatedBaseReturnsOnlyTheCoat) {
  const Bsdf bsdf({.kind = PaintKind::coated, .color = Color::Zero(), .roughness = 0.1f});
  double sum = 0;
  const Vec3f out = towards(1);
  for (int i = 0; i < 4096; ++i) {
    Sampler sampler(5, 7, static_cast<std::uint32_t>(i));
    const float choice = sampler.next();
    if (const auto light = bsdf.sample(out, Color::Zero(), choice, sampler.next2())) {
      sum += static_cast<double>(light->weight.mean()) / 4096;
    }
  }
  EXPECT_NEAR(sum, 0.04, 0.004);  // ((1.5 - 1) / (1.5 + 1))^2
}

// The densities that samples report are those of evaluate(), and f cos / pdf is the weight.
TEST(Bsdf, SamplesAndValuesAgree) {
  for (const auto& [name, paint] : white_paints()) {
    const Bsdf bsdf(paint);
    if (!bsdf.has_density()) continue;
    for (const float cosine : {0.2f, 0.7f, -0.2f, -0.7f}) {
      if (cosine < 0 && paint.kind != PaintKind::glass) continue;
      const Vec3f out = cosine > 0 ? towards(cosine) : Vec3f(-towards(-cosine));
      for (std::uint32_t i = 0; i < 200; ++i) {
        Sampler sampler(1, 2, i);
        const float choice = sampler.next();
        const auto light = bsdf.sample(out, Color::Ones(), choice, sampler.next2());
        if (!light) continue;
        const Scattering s = bsdf.evaluate(out, light->direction, Color::Ones());
        EXPECT_NEAR(s.pdf / light->pdf, 1, 0.02) << name << " at cosine " << cosine;
        EXPECT_NEAR((s.value / s.pdf / light->weight).mean(), 1, 0.02) << name << " at cosine " << cosine;
      }
    }
  }
}

// The density integrates, by even points over the sphere, to the share of samples that do not fall below the horizon.
TEST(Bsdf, DensitiesIntegrateToTheShareOfSamples) {
  for (const auto& [name, paint] : white_paints()) {
    const Bsdf bsdf(paint);
    if (!bsdf.has_density() || paint.roughness < 0.25f) continue;  // needle-like lobes slip between even points
    for (const float cosine : {0.4f, 0.9f}) {
      constexpr int points = 100000;
      double sum = 0;
      for (int i = 0; i < points; ++i) {
        const double z = 1 - 2 * (i + 0.5) / points, phi = i * 2.399963229728653;
        const double r = std::sqrt(1 - z * z);
        const Vec3f in = Eigen::Vector3d(r * std::cos(phi), r * std::sin(phi), z).cast<float>();
        sum += static_cast<double>(bsdf.evaluate(towards(cosine), in, Color::Ones()).pdf);
      }
      const double integral = sum * 4 * std::numbers::pi / points;
      int scattered = 0;
      for (std::uint32_t i = 0; i < 4096; ++i) {
        Sampler sampler(1, 3, i);
        const float choice = sampler.next();
        scattered += bsdf.sample(towards(cosine), Color::Ones(), choice, sampler.next2()) ? 1 : 0;
      }
      EXPECT_NEAR(integral, scattered / 4096.0, 0.015) << name << " at cosine " << cosine;
    }
  }
}

TEST(Bsdf, ClearGlassBendsLightAfterSnell) {
  const Bsdf bsdf({.kind = PaintKind::glass, .roughness = 0, .index = 1.5f});
  const Vec3f out = towards(0.5f);
  const auto light = bsdf.sample(out, Color::Ones(), 0.99f, {0.5f, 0.5f});
  ASSERT_TRUE(light && light->transmitted && light->certain);
  EXPECT_NEAR(light->direction.x(), -out.x() / 1.5f, 1e-5f);
  EXPECT_LT(light->direction.z(), 0);
  // From inside beyond the critical angle, all light is reflected.
  const auto inside = bsdf.sample(-towards(0.5f), Color::Ones(), 0.9999f, {0.5f, 0.5f});
  ASSERT_TRUE(inside);
  EXPECT_FALSE(inside->transmitted);
}

TEST(Sampler, FillsTheSquareEvenly) {
  // 64 samples of a pixel: one in each cell of 8 x 8, and in each of 64 x 1, for every pair of dimensions.
  for (int pair = 0; pair < 4; ++pair) {
    std::array<int, 64> cells{}, strips{};
    for (std::uint32_t i = 0; i < 64; ++i) {
      Sampler sampler(3, 99, i);
      Vec2f u;
      for (int k = 0; k <= pair; ++k) u = sampler.next2();
      ++cells[static_cast<std::size_t>(u.x() * 8) * 8 + static_cast<std::size_t>(u.y() * 8)];
      ++strips[static_cast<std::size_t>(u.x() * 64)];
    }
    for (const int count : cells) EXPECT_EQ(count, 1);
    for (const int count : strips) EXPECT_EQ(count, 1);
  }
}

TEST(Sampler, PixelsDiffer) {
  Sampler a(3, 1, 0), b(3, 2, 0);
  EXPECT_NE(a.next(), b.next());
}

}  // namespace
}  // namespace sunder::render
