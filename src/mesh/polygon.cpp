#include "mesh/polygon.h"

#include <Eigen/Geometry>
#include <cstddef>

namespace sunder {
namespace {

// Ears are looked for in all corners left, so the work goes with the square: no honest polygon is longer.
constexpr std::size_t kMostCorners = 1000;

// Newell's normal: twice the area vector, for polygons that are not quite flat too.
Vec3 area_vector(std::span<const Vec3> x) {
  Vec3 sum = Vec3::Zero();
  for (std::size_t i = 0; i < x.size(); ++i) sum += (x[i] - x[0]).cross(x[(i + 1) % x.size()] - x[0]);
  return sum;
}

bool holds(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p, const Vec3& normal) {
  const auto left = [&](const Vec3& from, const Vec3& to) { return (to - from).cross(p - from).dot(normal) >= 0; };
  return left(a, b) && left(b, c) && left(c, a);
}

}  // namespace

std::vector<std::array<std::uint32_t, 3>> triangulate_polygon(std::span<const Vec3> corners) {
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::uint32_t> left;
  for (std::uint32_t i = 0; i < corners.size(); ++i) left.push_back(i);
  const Vec3 normal = area_vector(corners);

  const auto is_ear = [&](std::size_t i) {
    const std::size_t n = left.size(), before = (i + n - 1) % n, after = (i + 1) % n;
    const Vec3 &a = corners[left[before]], &b = corners[left[i]], &c = corners[left[after]];
    if ((b - a).cross(c - b).dot(normal) <= 0) return false;
    for (std::size_t k = 0; k < n; ++k) {
      if (k != i && k != before && k != after && holds(a, b, c, corners[left[k]], normal)) return false;
    }
    return true;
  };
  while (left.size() > 3 && corners.size() <= kMostCorners) {
    std::size_t ear = 0;
    while (ear < left.size() && !is_ear(ear)) ++ear;
    if (ear == left.size()) break;
    const std::size_t n = left.size();
    triangles.push_back({left[(ear + n - 1) % n], left[ear], left[(ear + 1) % n]});
    left.erase(left.begin() + static_cast<std::ptrdiff_t>(ear));
  }
  for (std::size_t i = 1; i + 1 < left.size(); ++i) triangles.push_back({left[0], left[i], left[i + 1]});
  return triangles;
}

}  // namespace sunder
