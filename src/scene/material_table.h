#pragma once
// A material as a scene file writes it: constants, or a preset with changes. Stiffness in one of four forms: Lame's
// constants, Young's modulus and Poisson's ratio, these along three axes, or all 21.

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "core/error.h"
#include "core/vec.h"
#include "materials/material.h"

namespace sunder {

struct MaterialTable {
  std::string preset = "";  // "": none, then the constants must be given
  std::optional<double> lambda = {}, mu = {};
  std::optional<double> young = {}, poisson = {};
  std::optional<double> phi = {}, psi = {};
  std::optional<double> density = {};
  std::optional<double> toughness = {}, strength = {}, toughness_spread = {}, toughness_grain = {};
  std::vector<double> stiffness_matrix = {};  // 21, or none
  std::optional<Vec3> young_axes = {}, poisson_axes = {}, shear_axes = {};
  std::optional<Vec3> axes = {};
  std::optional<double> yield_stress = {}, hardening = {}, plastic_limit = {};
};

inline constexpr const char* kCustomMaterial = "custom";  // material_name of a body whose material has no preset

// The largest modulus a scene may ask for, Pa; diamond has 1.2e12.
inline constexpr double kLargestModulus = 1e13;

// The constants a table stands for; `place` finds a key of the table for error messages.
Material material_from(const MaterialTable& table, const std::function<Place(const std::string&)>& place);

// Every constant written out.
MaterialTable table_of(const Material& material, const std::string& material_name);

}  // namespace sunder
