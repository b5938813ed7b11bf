#include "meshing/wall_thickness.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "core/random.h"
#include "geometry/triangle.h"
#include "meshing/curve_tree.h"

namespace sunder {
namespace {

constexpr double kTiny = 1e-6;      // of the model: walls below that are sheets
constexpr double kParallel = 0.97;  // cosine: these face each other
constexpr double kFacing = 0.7;     // these do, too, if no sharp edge is near (a wedge is thin at its tip)
constexpr int kMostHits = 16;       // buried faces that a ray may pass

bool measure(const RepairedSurface& surface, const SurfaceDistance& solid, const CurveTree& curves,
             SurfaceSample& sample) {
  const auto& c = surface.triangles[sample.triangle];
  const Vec3 normal = area_vector({surface.points[c[0]], surface.points[c[1]], surface.points[c[2]]}).normalized();
  const bool behind = solid.inside(sample.point - kTiny * normal), before = solid.inside(sample.point + kTiny * normal);
  if (behind == before) return false;
  sample.inward = behind ? Vec3(-normal) : normal;
  double from = 2 * kTiny;
  for (int hits = 0; hits < kMostHits; ++hits) {
    const TriangleTree::Hit hit = solid.tree().first_hit(sample.point, sample.inward, from);
    if (hit.triangle == TriangleTree::kNone) return false;  // through a hole
    if (!solid.inside(sample.point + (hit.at + kTiny) * sample.inward)) {
      const auto& h = surface.triangles[hit.triangle];
      const Vec3 opposite =
          area_vector({surface.points[h[0]], surface.points[h[1]], surface.points[h[2]]}).normalized();
      const double facing = std::abs(opposite.dot(sample.inward));
      sample.thickness = hit.at;
      sample.wall = facing > kParallel ||
                    (facing > kFacing && curves.nearest(sample.point, 4 * hit.at).triangle == TriangleTree::kNone);
      return true;
    }
    from = hit.at + kTiny;
  }
  return false;
}

}  // namespace

std::vector<SurfaceSample> sample_thickness(const RepairedSurface& surface, const SurfaceDistance& solid,
                                            const Features& features, double spacing, std::size_t most) {
  std::vector<double> area_before(surface.triangles.size() + 1, 0);
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const auto& c = surface.triangles[t];
    area_before[t + 1] =
        area_before[t] + area_vector({surface.points[c[0]], surface.points[c[1]], surface.points[c[2]]}).norm();
  }
  const double wanted = area_before.back() / (spacing * spacing);
  constexpr double least = 500;
  const auto count = static_cast<std::size_t>(std::clamp(wanted, least, static_cast<double>(most)));
  std::vector<SurfaceSample> samples(count);
  std::vector<std::uint8_t> good(count, 0);
  const CurveTree curves(features);
  constexpr std::size_t batch = 64;
  parallel_chunks(count, batch, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
      const double at = area_before.back() * (static_cast<double>(i) + 0.5) / static_cast<double>(count);
      const auto found = std::upper_bound(area_before.begin() + 1, area_before.end() - 1, at);
      SurfaceSample& sample = samples[i];
      sample.triangle = static_cast<std::uint32_t>(found - area_before.begin() - 1);
      const auto& c = surface.triangles[sample.triangle];
      // Uniform in the triangle.
      const double root = std::sqrt(random_unit(1, i, 0)), v = random_unit(1, i, 1);
      sample.point =
          (1 - root) * surface.points[c[0]] + root * (1 - v) * surface.points[c[1]] + root * v * surface.points[c[2]];
      good[i] = measure(surface, solid, curves, sample) ? 1 : 0;
    }
  });
  std::vector<SurfaceSample> kept;
  for (std::size_t i = 0; i < count; ++i) {
    if (good[i] != 0) kept.push_back(samples[i]);
  }
  return kept;
}

}  // namespace sunder
