#include "materials/material.h"

#include <Eigen/LU>
#include <cmath>

#include "core/check.h"
#include "materials/preset_strength.h"

namespace sunder {
namespace {

// Edge length for which the real materials' toughness and viscosity are set, m.
constexpr double kReferenceEdge = 0.02;

// A real material. OH99's toughness is a force that grows with the square of the edge (on a regular grid the separation
// tensor is stress * edge^2): here strength * (2 cm)^2, so a scene with another edge scales it by (edge / 2 cm)^2.
// Viscosity is phi = b lambda, psi = b mu with b = 0.1 * 2 cm / c, c the speed of pressure waves: a tenth of critical
// damping for the shortest waves on elements of 2 cm, next to nothing for waves as long as the body.
Material real(double young, double poisson, double density, double strength) {
  const auto [lambda, mu] = lame_from_young(young, poisson);
  const double wave_speed = std::sqrt((lambda + 2 * mu) / density);
  const double b = 0.1 * kReferenceEdge / wave_speed;
  return {.lambda = lambda,
          .mu = mu,
          .phi = b * lambda,
          .psi = b * mu,
          .density = density,
          .toughness = strength * kReferenceEdge * kReferenceEdge};
}

// One that yields before it breaks: `strength` is the true stress at which it tears.
Material ductile(double young, double poisson, double density, double strength, double yield_stress, double hardening,
                 double limit) {
  Material material = real(young, poisson, density, strength);
  material.yield_stress = yield_stress;
  material.hardening = hardening;
  material.plastic_limit = limit;
  return material;
}

// One with a grain along its x axis, seen as `strength` along it; viscosity for the speed of waves along the grain.
Material grained(const Orthotropy& orthotropy, double density, double strength) {
  const VoigtMatrix stiffness = compliance(orthotropy).inverse();
  const auto [lambda, mu] = mean_moduli(stiffness);
  const double b = 0.1 * kReferenceEdge / std::sqrt(stiffness(0, 0) / density);
  return {.lambda = lambda,
          .mu = mu,
          .phi = b * lambda,
          .psi = b * mu,
          .density = density,
          .toughness = strength * kReferenceEdge * kReferenceEdge,
          .anisotropy = Anisotropy{constants_of(stiffness)}};
}

std::vector<MaterialPreset> make_presets() {
  return {
      // Typical handbook values: Young's modulus (Pa), Poisson's ratio, density (kg/m^3), tensile strength (Pa).
      {"glass", "window glass", real(70e9, 0.22, 2500, 45e6)},
      {"ceramic", "stoneware, fired clay", real(60e9, 0.20, 2300, 40e6)},
      {"porcelain", "hard porcelain", real(70e9, 0.20, 2400, 50e6)},
      {"concrete", "plain concrete", real(30e9, 0.20, 2400, 3e6)},
      {"brick", "fired brick", real(15e9, 0.20, 1900, 2.5e6)},
      {"adobe", "sun-dried mud brick", real(1.5e9, 0.20, 1700, 0.3e6)},
      {"plaster", "gypsum plaster", real(4.5e9, 0.22, 1200, 2e6)},
      {"granite", "granite", real(55e9, 0.25, 2700, 10e6)},
      {"marble", "marble", real(55e9, 0.25, 2700, 8e6)},
      {"sandstone", "sandstone", real(18e9, 0.22, 2300, 4e6)},
      {"ice", "fresh-water ice at -10 C", real(9e9, 0.33, 917, 1e6)},
      {"wood", "pine, as if it had no grain", real(10e9, 0.30, 500, 40e6)},
      {"steel", "structural steel, without its plastic flow", real(200e9, 0.29, 7850, 400e6)},
      {"aluminium", "aluminium alloy, without its plastic flow", real(69e9, 0.33, 2700, 300e6)},
      // And the true stress that it bears before it flows, what that gains per unit of plastic strain (Pa), the largest
      // plastic strain.
      {"tin", "soft tin; flows before it tears", ductile(50e9, 0.36, 7290, 40e6, 12e6, 30e6, 0.5)},
      {"copper", "annealed copper; flows before it tears", ductile(120e9, 0.34, 8940, 400e6, 60e6, 500e6, 0.45)},
      {"lead", "soft lead; flows before it tears", ductile(16e9, 0.44, 11340, 30e6, 8e6, 20e6, 0.5)},
      {"modelling-clay", "soft modelling clay; dents", ductile(2e6, 0.40, 1700, 80e3, 30e3, 10e3, 2)},
      // Ratios of the Wood Handbook for a pine; 1 along the grain, 2 radial, 3 tangential.
      {"pine", "pine with its grain along x",
       grained({{10e9, 1.1e9, 0.8e9}, {0.33, 0.38, 0.023}, {0.82e9, 0.13e9, 0.81e9}}, 500, 40e6)},
      {"clay", "dry, unfired clay", real(1e9, 0.25, 1800, 0.5e6)},
      {"chocolate", "dark chocolate, cold", real(1e9, 0.33, 1300, 1e6)},
      {"wax", "candle wax", real(0.2e9, 0.35, 900, 1e6)},
      {"rubber", "soft rubber; cannot break", real(1e6, 0.45, 1100, 0)},
      {"jelly", "firm jelly; cannot break", real(6e4, 0.40, 1000, 0)},
      // OH99 Table 1: lambda, mu, phi, psi, density, toughness.
      {"paper-glass", "OH99 figure 1, the glass plate", {1.04e8, 1.04e8, 0, 6760, 2588, 10140}},
      {"paper-adobe", "OH99 figure 9, the wall and the light ball", {6.03e8, 1.21e8, 3015, 6030, 2309, 6030}},
      {"paper-adobe-heavy", "OH99 figure 9, the wall and the heavy ball", {0, 1.81e8, 0, 18090, 2309, 6030}},
      {"paper-ceramic", "OH99 figure 11, the bowl of lowest toughness", {2.65e6, 3.97e6, 264, 397, 1013, 13.2}},
      {"paper-ceramic-edge", "OH99 figure 13, the bowl on its edge", {0, 5.29e7, 0, 198, 1013, 106}},
      {"paper-the-end", "OH99 figure 14, The End", {0, 9.21e6, 0, 9.2, 705, 73.6}},
  };
}

}  // namespace

Lame lame_from_young(double young, double poisson) {
  SUNDER_CHECK(poisson > -1 && poisson < 0.5, "Poisson's ratio outside (-1, 1/2)");
  return {.lambda = young * poisson / ((1 + poisson) * (1 - 2 * poisson)), .mu = young / (2 * (1 + poisson))};
}

std::span<const MaterialPreset> material_presets() {
  static const std::vector<MaterialPreset> presets = make_presets();
  return presets;
}

const MaterialPreset* find_material_preset(std::string_view name) {
  for (const MaterialPreset& preset : material_presets()) {
    if (preset.name == name) return &preset;
  }
  return nullptr;
}

double preset_strength(std::string_view name) {
  const MaterialPreset* preset = find_material_preset(name);
  if (preset == nullptr || name.starts_with("paper-")) return 0;
  return preset->material.toughness / (kReferenceEdge * kReferenceEdge);
}

std::vector<std::string> material_preset_names() {
  std::vector<std::string> names;
  for (const MaterialPreset& preset : material_presets()) names.push_back(preset.name);
  return names;
}

}  // namespace sunder
