#include "fracture/toughness.h"

#include <fmt/format.h>

#include <cmath>

#include "core/lattice_noise.h"
#include "core/random.h"

namespace sunder {
namespace {

constexpr double kStrongest = 1e30;  // N or Pa

}  // namespace

double toughness_at(const Toughness& toughness, Uid node, const Vec3& material_position) {
  double noise = 0.5;
  if (toughness.noise == Toughness::Noise::node) noise = random_unit(toughness.seed, node);
  if (toughness.noise == Toughness::Noise::material) {
    noise = lattice_noise(toughness.seed, material_position / toughness.grain);
  }
  return toughness.value * (1 + toughness.spread * (2 * noise - 1));
}

void require_valid(const Toughness& t, const Place& place) {
  if (!(t.value > 0 && t.value < kStrongest)) {
    throw InputError(place, fmt::format("the toughness is {}", t.value),
                     fmt::format("Give more than 0 and less than {:g}.", kStrongest));
  }
  if (!(t.spread >= 0 && t.spread < 1)) {
    throw InputError(place, fmt::format("the spread of the toughness is {}", t.spread),
                     "Give a share from 0 (none) to less than 1.");
  }
  if (t.noise == Toughness::Noise::material && (!(t.grain > 0) || !std::isfinite(t.grain))) {
    throw InputError(place, fmt::format("the grain of the toughness is {}", t.grain), "Give a length above 0 m.");
  }
}

}  // namespace sunder
