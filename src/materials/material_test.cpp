#include "materials/material.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <cmath>
#include <set>

#include "materials/preset_strength.h"

namespace sunder {
namespace {

TEST(Material, LameConstantsGiveBackYoungAndPoisson) {
  for (const double poisson : {-0.9, -0.2, 0.0, 0.22, 0.4999}) {
    const auto [lambda, mu] = lame_from_young(70e9, poisson);
    EXPECT_NEAR(mu * (3 * lambda + 2 * mu) / (lambda + mu), 70e9, 1e-3);
    EXPECT_NEAR(lambda / (2 * (lambda + mu)), poisson, 1e-12);
  }
}

TEST(Material, LameConstantsOfATextbookExample) {
  const auto [lambda, mu] = lame_from_young(200e9, 0.25);  // lambda = mu = 2/5 E at nu = 1/4
  EXPECT_DOUBLE_EQ(lambda, 80e9);
  EXPECT_DOUBLE_EQ(mu, 80e9);
}

TEST(MaterialPresets, NamesAreUniqueAndFindTheirPreset) {
  std::set<std::string> seen;
  for (const MaterialPreset& preset : material_presets()) {
    EXPECT_TRUE(seen.insert(preset.name).second) << preset.name;
    EXPECT_FALSE(preset.about.empty()) << preset.name;
    EXPECT_EQ(find_material_preset(preset.name), &preset);
  }
  EXPECT_EQ(material_preset_names().size(), seen.size());
  EXPECT_EQ(find_material_preset("Glass"), nullptr);
  EXPECT_EQ(find_material_preset(""), nullptr);
}

TEST(MaterialPresets, AreStableSolids) {
  for (const MaterialPreset& preset : material_presets()) {
    const Material& m = preset.material;
    EXPECT_GT(m.mu, 0) << preset.name;
    EXPECT_GT(3 * m.lambda + 2 * m.mu, 0) << preset.name;
    EXPECT_GT(m.density, 0) << preset.name;
    EXPECT_GE(m.phi, 0) << preset.name;
    EXPECT_GT(m.psi, 0) << preset.name;
    EXPECT_GE(m.toughness, 0) << preset.name;
  }
}

TEST(MaterialPresets, OnlyRubberAndJellyCannotBreak) {
  for (const MaterialPreset& preset : material_presets()) {
    EXPECT_EQ(preset.material.toughness == 0, preset.name == "rubber" || preset.name == "jelly") << preset.name;
  }
}

TEST(MaterialPresets, RealViscosityIsTheSameSmallTimeForBothConstants) {
  for (const char* name : {"glass", "steel", "ice", "jelly"}) {
    const Material& m = find_material_preset(name)->material;
    const double b = m.psi / m.mu;
    EXPECT_NEAR(m.phi / m.lambda, b, 1e-12 * b) << name;
    // Damping ratio b omega / 2 of the shortest wave on 2 cm elements, omega = 2 c / h.
    EXPECT_NEAR(b * std::sqrt((m.lambda + 2 * m.mu) / m.density) / 0.02, 0.1, 1e-12) << name;
  }
}

TEST(MaterialPresets, WhatFlowsYieldsBeforeItBreaks) {
  for (const MaterialPreset& preset : material_presets()) {
    const Material& m = preset.material;
    if (!m.flows()) continue;
    EXPECT_LT(m.yield_stress * 0.02 * 0.02, m.toughness) << preset.name;
    EXPECT_FALSE(m.anisotropy) << preset.name;
    EXPECT_GT(m.plastic_limit, 0) << preset.name;
  }
  for (const char* name : {"tin", "copper", "lead", "modelling-clay"}) {
    EXPECT_TRUE(find_material_preset(name)->material.flows()) << name;
  }
}

TEST(MaterialPresets, PineIsStiffestAlongItsGrain) {
  const Material& pine = find_material_preset("pine")->material;
  ASSERT_TRUE(pine.anisotropy);
  const VoigtMatrix stiffness = voigt_matrix(pine.anisotropy->stiffness);
  EXPECT_GT(smallest_eigenvalue(stiffness), 0);
  EXPECT_NEAR(1 / stiffness.inverse()(0, 0), 10e9, 1);
  EXPECT_NEAR(1 / stiffness.inverse()(1, 1), 1.1e9, 1);
}

TEST(MaterialPresets, GlassBreaksAtItsStrengthOnTwoCentimetreElements) {
  EXPECT_NEAR(find_material_preset("glass")->material.toughness, 45e6 * 0.02 * 0.02, 1e-6);
}

TEST(MaterialPresets, StrengthIsTheHandbooksAndNoneOfThePapers) {
  EXPECT_NEAR(preset_strength("glass"), 45e6, 1);
  EXPECT_NEAR(preset_strength("adobe"), 0.3e6, 1e-2);
  EXPECT_EQ(preset_strength("rubber"), 0);
  EXPECT_EQ(preset_strength("paper-glass"), 0);
  EXPECT_EQ(preset_strength("custom"), 0);
}

TEST(MaterialPresets, ThePapersAreTableOne) {
  const auto expect = [](const char* name, const Material& table) {
    const MaterialPreset* preset = find_material_preset(name);
    ASSERT_NE(preset, nullptr) << name;
    EXPECT_EQ(preset->material, table) << name;
  };
  expect("paper-glass", {1.04e8, 1.04e8, 0, 6760, 2588, 10140});
  expect("paper-adobe", {6.03e8, 1.21e8, 3015, 6030, 2309, 6030});
  expect("paper-adobe-heavy", {0, 1.81e8, 0, 18090, 2309, 6030});
  expect("paper-ceramic", {2.65e6, 3.97e6, 264, 397, 1013, 13.2});
  expect("paper-ceramic-edge", {0, 5.29e7, 0, 198, 1013, 106});
  expect("paper-the-end", {0, 9.21e6, 0, 9.2, 705, 73.6});
}

}  // namespace
}  // namespace sunder
