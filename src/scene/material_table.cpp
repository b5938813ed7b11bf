#include "scene/material_table.h"

#include <fmt/format.h>

#include "core/suggest.h"

namespace sunder {
namespace {

using PlaceOf = std::function<Place(const std::string&)>;

Lame elastic_constants(const MaterialTable& table, const Material& base, const PlaceOf& place) {
  const bool lame = table.lambda || table.mu;
  const bool engineering = table.young || table.poisson;
  if (lame && engineering) {
    throw InputError(place(table.young ? "young" : "poisson"), "`lambda`, `mu` and `young`, `poisson` are both given",
                     "keep one pair; each follows from the other");
  }
  if (!table.preset.empty()) {
    // A preset brings the half of a pair that is not given.
    if (!engineering) return {table.lambda.value_or(base.lambda), table.mu.value_or(base.mu)};
    const double young = base.mu * (3 * base.lambda + 2 * base.mu) / (base.lambda + base.mu);
    const double poisson = base.lambda / (2 * (base.lambda + base.mu));
    return lame_from_young(table.young.value_or(young), table.poisson.value_or(poisson));
  }
  if (!lame && !engineering) {
    throw InputError(place(""), "the material has no stiffness",
                     "add `lambda` and `mu`, or `young` and `poisson`, or a `preset`");
  }
  const auto need = [&](const std::optional<double>& value, const char* key, const char* partner) {
    if (value) return *value;
    throw InputError(place(partner), fmt::format("`{}` needs `{}` beside it", partner, key),
                     fmt::format("add `{}`, or a `preset` to take it from", key));
  };
  if (lame) return {need(table.lambda, "lambda", "mu"), need(table.mu, "mu", "lambda")};
  const double young = need(table.young, "young", "poisson");
  return lame_from_young(young, need(table.poisson, "poisson", "young"));
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
  const Lame lame = elastic_constants(table, base, place);
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
  const Material material{.lambda = lame.lambda,
                          .mu = lame.mu,
                          .phi = table.phi.value_or(base.phi),
                          .psi = table.psi.value_or(base.psi),
                          .density = need(table.density, "density", base.density),
                          .toughness = by_strength ? 0 : need(table.toughness, "toughness", base.toughness),
                          .strength = by_strength ? *table.strength : 0,
                          .toughness_spread = table.toughness_spread.value_or(base.toughness_spread),
                          .toughness_grain = table.toughness_grain.value_or(base.toughness_grain)};

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
  MaterialTable table{.lambda = material.lambda,
                      .mu = material.mu,
                      .phi = material.phi,
                      .psi = material.psi,
                      .density = material.density,
                      .toughness = material.toughness,
                      .strength = material.strength,
                      .toughness_spread = material.toughness_spread,
                      .toughness_grain = material.toughness_grain};
  if (find_material_preset(material_name) != nullptr) table.preset = material_name;
  return table;
}

}  // namespace sunder
