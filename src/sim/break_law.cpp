#include "sim/break_law.h"

#include <algorithm>
#include <array>
#include <cmath>

namespace sunder {
namespace {

// Found by trying, on a torus, a bracket and a tube, thin ones on a cup, a mug, a goblet and a teapot: docs/drops.md
// has what came of it.
constexpr double kMach = 0.05;  // of a fall of one size
constexpr double kLeastMach = 0.03, kMostMach = 0.08;
constexpr double kViscosity = 0.04, kCompactViscosity = 0.08;        // of the time in which a wave crosses the model
constexpr double kSpread = 0.3;                                      // of strength, from node to node
constexpr std::array<double, 3> kStrength = {1.1, 0.8, 0.58};        // s of few, some, many ...
constexpr std::array<double, 3> kCompactStrength = {1.2, 1.0, 1.0};  // ... beside the weak walls of a compact thing
constexpr std::array<double, 3> kShellStrength = {0.9, 0.74, 0.54};  // ... of a cup, whose walls are thin
constexpr double kShell = 0.065, kNoShell = 0.1;                     // thickness over size: up to, from where on not

// Found by trying, on a ball and a cube.
constexpr double kThin = 0.12, kCompact = 0.2;  // thickness over size: from where on there are flaws, all
constexpr double kWeakest = 0.08;               // of the strength, in a wall
constexpr double kTipShare = 0.8, kCompactTipShare = 0.4;
constexpr double kResidual = 0.5;
constexpr std::array<int, 3> kCells = {6, 12, 30};

double young_of(const Material& m) { return m.mu * (3 * m.lambda + 2 * m.mu) / (m.lambda + m.mu); }

}  // namespace

double fall_in_sizes(const Blow& blow) { return blow.speed * blow.speed / (2 * blow.gravity * blow.size); }

Material material_for(const Material& real, const Blow& blow, Pieces pieces, double thickness) {
  const double compact = compactness(thickness);
  const double shell = std::clamp((kNoShell - thickness) / (kNoShell - kShell), 0.0, 1.0);
  const double mach = std::clamp(kMach * std::sqrt(fall_in_sizes(blow)), kLeastMach, kMostMach);
  const double wanted = real.density * std::pow(blow.speed / mach, 2);  // Pa, E = rho c^2
  const double softer = std::min(1.0, wanted / young_of(real));
  Material m = real;
  m.lambda *= softer;
  m.mu *= softer;
  m.anisotropy.reset();  // lambda and mu are its mean
  const double c = std::sqrt(young_of(m) / m.density);
  const double viscosity = std::lerp(kViscosity, kCompactViscosity, compact) * blow.size / c;
  m.phi = viscosity * std::max(0.0, m.lambda);
  m.psi = viscosity * m.mu;
  m.toughness = 0;
  if (real.toughness > 0) {
    const auto word = static_cast<std::size_t>(pieces);
    const double thicker = std::lerp(kStrength[word], kCompactStrength[word], compact);
    m.strength = std::lerp(thicker, kShellStrength[word], shell) * m.density * c * blow.speed;
    m.toughness_spread = kSpread;
  }
  if (real.flows()) {
    constexpr double preset_edge = 0.02;  // m, for which presets give toughness as strength times its square
    const double share = m.strength / (real.toughness / (preset_edge * preset_edge));
    m.yield_stress *= share;
    m.hardening *= share;
  }
  return m;
}

double compactness(double thickness) { return std::clamp((thickness - kThin) / (kCompact - kThin), 0.0, 1.0); }

Flaws flaws_for(double compact, Pieces pieces) {
  Flaws flaws;
  if (compact > 0) flaws.cells = kCells[static_cast<std::size_t>(pieces)];
  flaws.factor = std::pow(kWeakest, compact);
  flaws.tip_share = std::lerp(kTipShare, kCompactTipShare, compact);
  flaws.residual = kResidual * compact;
  return flaws;
}

double mach_of(const Material& material, const Blow& blow) {
  return blow.speed / std::sqrt(young_of(material) / material.density);
}

double time_to_rest(const Blow& blow) {
  return std::clamp(2.5 * std::sqrt(fall_in_sizes(blow)), 2.2, 5.0) * std::sqrt(blow.size / blow.gravity);
}

double frame_rate_for(double duration) {
  constexpr double frames = 60;
  constexpr std::array<double, 10> usual = {12, 24, 30, 48, 60, 120, 240, 480, 960, 1920};
  for (const double fps : usual) {
    if (fps * duration >= frames) return fps;
  }
  return usual.back();
}

}  // namespace sunder
