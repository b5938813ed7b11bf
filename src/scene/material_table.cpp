#include "scene/material_table.h"

#include <fmt/format.h>

#include <Eigen/LU>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "core/suggest.h"

namespace sunder {
namespace {

using PlaceOf = std::function<Place(const std::string&)>;

// lambda, mu and, where it depends on direction, the whole stiffness.
void set_isotropic(const Lame& lame, Material& material) {
  material.lambda = lame.lambda, material.mu = lame.mu;
  material.anisotropy.reset();
}
void set_anisotropic(const VoigtMatrix& stiffness, Material& material) {
  const MeanModuli mean = mean_moduli(stiffness);
  material.lambda = mean.lambda, material.mu = mean.mu;
  material.anisotropy = Anisotropy{constants_of(stiffness)};
}

double needed(const std::optional<double>& value, const char* key, const char* partner, const PlaceOf& place) {
  if (value) return *value;
  throw InputError(place(partner), fmt::format("`{}` needs `{}` beside it", partner, key),
                   fmt::format("add `{}`, or a `preset` to take it from", key));
}

// A preset brings the half of a pair that is not given.
Lame lame_constants(const MaterialTable& table, const Material& base, const PlaceOf& place) {
  if (!table.preset.empty()) return {table.lambda.value_or(base.lambda), table.mu.value_or(base.mu)};
  return {needed(table.lambda, "lambda", "mu", place), needed(table.mu, "mu", "lambda", place)};
}

Lame engineering_constants(const MaterialTable& table, const Material& base, const PlaceOf& place) {
  if (!table.preset.empty()) {
    const double young = base.mu * (3 * base.lambda + 2 * base.mu) / (base.lambda + base.mu);
    const double poisson = base.lambda / (2 * (base.lambda + base.mu));
    return lame_from_young(table.young.value_or(young), table.poisson.value_or(poisson));
  }
  const double young = needed(table.young, "young", "poisson", place);
  return lame_from_young(young, needed(table.poisson, "poisson", "young", place));
}

VoigtMatrix orthotropic_stiffness(const MaterialTable& table, const PlaceOf& place) {
  for (const auto& [value, key] :
       {std::pair(table.young_axes, "young_axes"), std::pair(table.poisson_axes, "poisson_axes"),
        std::pair(table.shear_axes, "shear_axes")}) {
    if (!value) {
      throw InputError(place(table.young_axes     ? "young_axes"
                             : table.poisson_axes ? "poisson_axes"
                                                  : "shear_axes"),
                       fmt::format("there is no `{}`", key),
                       "`young_axes`, `poisson_axes` and `shear_axes` go together");
    }
  }
  const VoigtMatrix soft = compliance({*table.young_axes, *table.poisson_axes, *table.shear_axes});
  const double least = smallest_compliance(soft);
  if (!(least > 1e-14 * soft.cwiseAbs().maxCoeff())) {
    throw InputError(place("poisson_axes"),
                     fmt::format("the solid would collapse: the smallest eigenvalue of its compliance is {:.4g} 1/Pa, "
                                 "which must be above 0",
                                 least),
                     "Poisson's ratios are too large; |nu_ij| must be below sqrt(E_i / E_j), and all together smaller "
                     "than that");
  }
  const VoigtMatrix stiffness = soft.inverse();
  if (!(stiffness.cwiseAbs().maxCoeff() <= kLargestModulus)) {
    throw InputError(place("poisson_axes"),
                     fmt::format("the stiffness reaches {:.4g} Pa: the limit is {} Pa", stiffness.cwiseAbs().maxCoeff(),
                                 kLargestModulus),
                     "lower `young_axes`, or Poisson's ratios");
  }
  return stiffness;
}

VoigtMatrix whole_stiffness(const MaterialTable& table, const PlaceOf& place) {
  std::array<double, 21> constants;
  std::copy(table.stiffness_matrix.begin(), table.stiffness_matrix.end(), constants.begin());
  const VoigtMatrix stiffness = voigt_matrix(constants);
  const double least = smallest_eigenvalue(stiffness);
  if (!(least > 1e-14 * stiffness.cwiseAbs().maxCoeff())) {
    throw InputError(
        place("stiffness_matrix"),
        fmt::format("the solid would collapse: the smallest eigenvalue of its stiffness is {:.4g} Pa, which "
                    "must be above 0",
                    least),
        "the order is C11 C12 C13 C14 C15 C16 C22 C23 C24 C25 C26 C33 C34 C35 C36 C44 C45 C46 C55 C56 C66");
  }
  return stiffness;
}

void set_stiffness(const MaterialTable& table, const PlaceOf& place, Material& material) {
  const bool lame = table.lambda || table.mu;
  const bool engineering = table.young || table.poisson;
  const bool orthotropic = table.young_axes || table.poisson_axes || table.shear_axes;
  const bool whole = !table.stiffness_matrix.empty();
  if (lame && engineering) {
    throw InputError(place(table.young ? "young" : "poisson"), "`lambda`, `mu` and `young`, `poisson` are both given",
                     "keep one pair; each follows from the other");
  }
  if (int{lame || engineering} + int{orthotropic} + int{whole} > 1) {
    throw InputError(place(whole ? "stiffness_matrix" : "young_axes"), "the stiffness is given in more than one form",
                     "keep one: `lambda` and `mu`, `young` and `poisson`, the three `..._axes`, or `stiffness_matrix`");
  }
  if (table.preset.empty() && !lame && !engineering && !orthotropic && !whole) {
    throw InputError(place(""), "the material has no stiffness",
                     "add `lambda` and `mu`, or `young` and `poisson`, or a `preset`");
  }
  if (lame) set_isotropic(lame_constants(table, material, place), material);
  if (engineering) set_isotropic(engineering_constants(table, material, place), material);
  if (orthotropic) set_anisotropic(orthotropic_stiffness(table, place), material);
  if (whole) set_anisotropic(whole_stiffness(table, place), material);
  if (table.axes) {
    if (!material.anisotropy) {
      throw InputError(place("axes"), "`axes` turns a stiffness that is the same in all directions",
                       "leave it out, or give `young_axes`, `poisson_axes` and `shear_axes`");
    }
    material.anisotropy->axes = *table.axes;
  }
}

void check_flow(const Material& material, const MaterialTable& table, const PlaceOf& place) {
  if (!material.flows()) {
    for (const auto& [value, key] :
         {std::pair(table.hardening, "hardening"), std::pair(table.plastic_limit, "plastic_limit")}) {
      if (value && *value > 0) {
        throw InputError(place(key), fmt::format("`{}` is of a material that never flows", key), "add `yield_stress`");
      }
    }
  } else if (material.anisotropy) {
    throw InputError(place("yield_stress"), "plastic flow needs a stiffness that is the same in all directions",
                     "give `young` and `poisson` in the place of the three `..._axes` or `stiffness_matrix`");
  }
}

}  // namespace

Material material_from(const MaterialTable& table, const PlaceOf& place) {
  Material base;
  if (!table.preset.empty()) {
    const MaterialPreset* preset = find_material_preset(table.preset);
    if (preset == nullptr) {
      throw InputError(place("preset"), fmt::format("there is no material `{}`", table.preset),
                       suggestion(table.preset, material_preset_names()));
    }
    base = preset->material;
  }
  Material material = base;
  set_stiffness(table, place, material);
  const auto need = [&](const std::optional<double>& value, const char* key, double from_preset) {
    if (value) return *value;
    if (!table.preset.empty()) return from_preset;
    throw InputError(place(""), fmt::format("the material has no `{}`", key),
                     fmt::format("add `{}`, or a `preset`", key));
  };
  const bool by_strength = table.strength.value_or(0) > 0;
  if (by_strength && table.toughness.value_or(0) > 0) {
    throw InputError(place("strength"), "`toughness` and `strength` are both given",
                     "keep one: a force that depends on the elements, or a stress that does not");
  }
  material.phi = table.phi.value_or(base.phi);
  material.psi = table.psi.value_or(base.psi);
  material.density = need(table.density, "density", base.density);
  material.toughness = by_strength ? 0 : need(table.toughness, "toughness", base.toughness);
  material.strength = by_strength ? *table.strength : 0;
  material.toughness_spread = table.toughness_spread.value_or(base.toughness_spread);
  material.toughness_grain = table.toughness_grain.value_or(base.toughness_grain);
  material.yield_stress = table.yield_stress.value_or(base.yield_stress);
  material.hardening = table.hardening.value_or(base.hardening);
  material.plastic_limit = table.plastic_limit.value_or(base.plastic_limit);
  check_flow(material, table, place);
  if (!material.flows()) material.hardening = Material{}.hardening, material.plastic_limit = Material{}.plastic_limit;
  if (material.anisotropy) return material;

  const Place stiffness = place(table.poisson ? "poisson" : table.young ? "young" : table.lambda ? "lambda" : "mu");
  if (!(3 * material.lambda + 2 * material.mu > 0)) {  // the bulk modulus, times three
    throw InputError(stiffness, fmt::format("lambda = {} Pa is not above -2/3 mu = {} Pa: the solid would collapse",
                                            material.lambda, -2 * material.mu / 3));
  }
  if (material.lambda > kLargestModulus || material.mu > kLargestModulus) {
    throw InputError(
        stiffness,
        fmt::format("lambda = {} Pa, mu = {} Pa: the limit is {} Pa", material.lambda, material.mu, kLargestModulus),
        "lower `young`, or keep `poisson` further from -1 and 1/2");
  }
  return material;
}

MaterialTable table_of(const Material& material, const std::string& material_name) {
  MaterialTable table{.phi = material.phi,
                      .psi = material.psi,
                      .density = material.density,
                      .toughness = material.toughness,
                      .strength = material.strength,
                      .toughness_spread = material.toughness_spread,
                      .toughness_grain = material.toughness_grain,
                      .yield_stress = material.yield_stress,
                      .hardening = material.hardening};
  if (material.anisotropy) {
    const std::array<double, 21>& constants = material.anisotropy->stiffness;
    table.stiffness_matrix.assign(constants.begin(), constants.end());
    table.axes = material.anisotropy->axes;
  } else {
    table.lambda = material.lambda, table.mu = material.mu;
  }
  if (material.flows() && std::isfinite(material.plastic_limit)) table.plastic_limit = material.plastic_limit;
  if (find_material_preset(material_name) != nullptr) table.preset = material_name;
  return table;
}

}  // namespace sunder
