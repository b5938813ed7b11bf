#pragma once
// What a body is made of: the constants of OH99 (7), (8) and Table 1.

#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "materials/anisotropy.h"

namespace sunder {

struct Material {
  double lambda = 0;     // Pa, first Lame constant
  double mu = 0;         // Pa, shear modulus
  double phi = 0;        // Pa s, viscosity that goes with lambda
  double psi = 0;        // Pa s, viscosity that goes with mu
  double density = 0;    // kg/m^3
  double toughness = 0;  // N, the force at which a node separates (OH99's tau); 0: cannot break
  double strength = 0;   // Pa, the stress at which it breaks, in the place of toughness; 0: toughness counts
  // Nodes differ by up to this share of the toughness or strength, up and down, in [0, 1) ...
  double toughness_spread = 0;
  // ... smoothly over this distance in the material, m; 0: each node by itself.
  double toughness_grain = 0;
  // Plastic flow (materials/plastic_flow.h): the true stress at which it begins, Pa; 0: never ...
  double yield_stress = 0;
  double hardening = 0;                                            // ... more per unit of plastic strain, Pa ...
  double plastic_limit = std::numeric_limits<double>::infinity();  // ... up to this much of it.

  // Stiffness that depends on direction; then lambda and mu are only its mean and take no part.
  std::optional<Anisotropy> anisotropy = std::nullopt;

  bool flows() const { return yield_stress > 0; }

  friend bool operator==(const Material&, const Material&) = default;
};

// Lame constants from Young's modulus E (Pa) and Poisson's ratio nu in (-1, 1/2).
struct Lame {
  double lambda, mu;
};
Lame lame_from_young(double young, double poisson);

struct MaterialPreset {
  std::string name;
  std::string about;
  Material material;
};

// Real materials with their real moduli, and the paper's, which are softer for the sake of the time step.
std::span<const MaterialPreset> material_presets();
const MaterialPreset* find_material_preset(std::string_view name);  // null if there is none
std::vector<std::string> material_preset_names();

}  // namespace sunder
