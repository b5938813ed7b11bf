#include "render/weathering.h"

#include <algorithm>

#include "core/lattice_noise.h"

namespace sunder::render {
namespace {

constexpr std::uint64_t kShades = 1, kBumps = 2;  // two patterns that have nothing to do with each other
constexpr int kOctavesOfShades = 5, kOctavesOfBumps = 3;
constexpr double kFiner = 2.03;  // from octave to octave; not 2, or the lattices would show where they coincide

// Octaves that halve in height, in -1 .. 1. The lattice of whole numbers is turned out of the axes of models.
double octaves(std::uint64_t pattern, int count, const Vec3& x, double size) {
  double sum = 0, height = 1, all = 0;
  Vec3 p(0.8 * x.x() + 0.6 * x.y(), 0.8 * x.y() - 0.6 * x.x(), x.z());
  p = Vec3(p.x(), 0.8 * p.y() + 0.6 * p.z(), 0.8 * p.z() - 0.6 * p.y()) / size;
  for (int i = 0; i < count; ++i) {
    sum += height * (2 * lattice_noise(pattern + 16 * static_cast<std::uint64_t>(i), p) - 1);
    all += height;
    height /= 2;
    p *= kFiner;
  }
  return sum / all;
}

}  // namespace

float weathered_shade(const Weathering& weathering, const Vec3f& point) {
  const double noise = octaves(kShades, kOctavesOfShades, point.cast<double>(), static_cast<double>(weathering.size));
  // The sum of octaves keeps well within its bounds: twice it fills them.
  return 1 + weathering.mottle * static_cast<float>(std::clamp(2 * noise, -1.0, 1.0));
}

Vec3f weathered_normal(const Weathering& weathering, const Vec3f& point, const Vec3f& normal) {
  const double fine = static_cast<double>(weathering.size) / 8;  // bumps are finer than stains
  const double step = fine / 32;                                 // an eighth of the finest octave
  const Vec3 x = point.cast<double>();
  const auto height = [&](const Vec3& at) { return fine * octaves(kBumps, kOctavesOfBumps, at, fine); };
  const double here = height(x);
  Vec3 slope;
  for (int a = 0; a < 3; ++a) slope[a] = (height(x + step * Vec3::Unit(a)) - here) / step;
  const Vec3 n = normal.cast<double>();
  slope -= slope.dot(n) * n;
  return (n - static_cast<double>(weathering.grit) * slope).normalized().cast<float>();
}

}  // namespace sunder::render
