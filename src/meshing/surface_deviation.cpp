#include "meshing/surface_deviation.h"

#include <algorithm>
#include <vector>

#include "core/parallel.h"
#include "geometry/triangle.h"

namespace sunder {

Deviation surface_deviation(std::span<const Vec3> points, std::span<const SoupFace> boundary,
                            const SurfaceDistance& solid, std::span<const SurfaceSample> samples, double far) {
  Deviation result;
  constexpr std::size_t batch = 128;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  for (const SoupFace& f : boundary) triangles.push_back(f.points);

  // There: area-weighted mean of the middles, and the largest of middles and corners.
  std::vector<double> middle(boundary.size()), corner(boundary.size());
  parallel_chunks(boundary.size(), batch, [&](std::size_t begin, std::size_t end) {
    for (std::size_t f = begin; f < end; ++f) {
      const auto& p = boundary[f].points;
      middle[f] = solid.tree().nearest((points[p[0]] + points[p[1]] + points[p[2]]) / 3).distance;
      corner[f] = 0;
      for (const std::uint32_t i : p) corner[f] = std::max(corner[f], solid.tree().nearest(points[i]).distance);
    }
  });
  double area = 0, filled = 0, weighted = 0;
  for (std::size_t f = 0; f < boundary.size(); ++f) {
    const auto& p = boundary[f].points;
    const double a = area_vector({points[p[0]], points[p[1]], points[p[2]]}).norm();
    area += a;
    if (std::max(middle[f], corner[f]) > far) {
      filled += a;
      continue;
    }
    weighted += a * middle[f];
    result.max = std::max({result.max, middle[f], corner[f]});
  }
  if (area > 0) result.filled = filled / area;
  if (area > filled) result.mean = weighted / (area - filled);

  // And back.
  const TriangleTree tree(points, triangles);
  std::vector<double> back(samples.size());
  parallel_chunks(samples.size(), batch, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) back[i] = tree.nearest(samples[i].point).distance;
  });
  std::size_t lost = 0;
  for (std::size_t i = 0; i < samples.size(); ++i) {
    result.back_mean += back[i] / static_cast<double>(samples.size());
    lost += back[i] > far ? 1 : 0;
    if (back[i] <= result.back_max) continue;
    result.back_max = back[i];
    result.back_place = samples[i].point;
  }
  if (!samples.empty()) result.lost = static_cast<double>(lost) / static_cast<double>(samples.size());
  return result;
}

}  // namespace sunder
