#include "core/lattice_noise.h"

#include <array>
#include <cmath>

#include "core/random.h"

namespace sunder {

double lattice_noise(std::uint64_t seed, const Vec3& x) {
  constexpr double kFarthest = 1e15;
  if (!(x.cwiseAbs().maxCoeff() < kFarthest)) return 0.5;
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

Vec3 lattice_noise_vector(std::uint64_t seed, const Vec3& x) {
  Vec3 result;
  for (int a = 0; a < 3; ++a) {
    result[a] = 2 * lattice_noise(random_bits(seed, static_cast<std::uint64_t>(a)), x) - 1;
  }
  return result;
}

}  // namespace sunder
