#include "fracture/toughness.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "core/random.h"

namespace sunder {
namespace {

// A random number for each point of a lattice, blended between its eight nearest with a smooth step: in [0, 1).
double lattice_noise(std::uint64_t seed, const Vec3& x) {
  std::array<std::int64_t, 3> corner;
  std::array<double, 3> blend;
  for (std::size_t a = 0; a < 3; ++a) {
    const double floor = std::floor(x[static_cast<Eigen::Index>(a)]);
    const double t = x[static_cast<Eigen::Index>(a)] - floor;
    corner[a] = static_cast<std::int64_t>(floor);
    blend[a] = t * t * (3 - 2 * t);
  }
  double sum = 0;
  for (unsigned c = 0; c < 8; ++c) {
    double weight = 1;
    std::uint64_t key = 0;
    for (unsigned a = 0; a < 3; ++a) {
      const unsigned upper = c >> a & 1u;
      weight *= upper != 0 ? blend[a] : 1 - blend[a];
      key = mix64(key + static_cast<std::uint64_t>(corner[a]) + upper + 0x9e3779b97f4a7c15ull);
    }
    sum += weight * random_unit(seed, key);
  }
  return sum;
}

constexpr double kStrongest = 1e30;  // N
constexpr double kFarthest = 1e15;   // grains from the origin; beyond, lattice points cannot be told apart

}  // namespace

double toughness_at(const Toughness& toughness, Uid node, const Vec3& material_position) {
  double noise = 0.5;
  if (toughness.noise == Toughness::Noise::node) noise = random_unit(toughness.seed, node);
  if (toughness.noise == Toughness::Noise::material) {
    const Vec3 x = material_position / toughness.grain;
    if (x.cwiseAbs().maxCoeff() < kFarthest) noise = lattice_noise(toughness.seed, x);
  }
  return toughness.value * (1 + toughness.spread * (2 * noise - 1));
}

void require_valid(const Toughness& t, const Place& place) {
  if (!(t.value > 0 && t.value < kStrongest)) {
    throw InputError(place, fmt::format("the toughness is {}", t.value),
                     fmt::format("It is a force: give more than 0 N and less than {:g} N.", kStrongest));
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
