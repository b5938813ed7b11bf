#include "meshing/surface_texture.h"

#include <algorithm>

#include "geometry/triangle.h"

namespace sunder {

Vec2 SurfaceTexture::at(Index t, const Vec3& weights) const {
  Vec2 sum = Vec2::Zero();
  if (uvs_.empty()) return sum;
  for (std::size_t k = 0; k < 3; ++k) sum += weights[static_cast<int>(k)] * uvs_[t][k];
  return sum;
}

Vec2 SurfaceTexture::going_on(Index home, const Vec3& x) const {
  const auto& c = triangles_[home];
  const Vec3 &a = points_[c[0]], &b = points_[c[1]], &d = points_[c[2]];
  const Vec3 area = area_vector({a, b, d});
  if (!(area.squaredNorm() > 0)) return at(home, Vec3::Constant(1.0 / 3));
  // Barycentric coordinates of the foot in the triangle's plane, beyond 0 and 1 outside.
  const double second = area_vector({a, x, d}).dot(area) / area.squaredNorm();
  const double third = area_vector({a, b, x}).dot(area) / area.squaredNorm();
  return at(home, {1 - second - third, second, third});
}

Vec2 SurfaceTexture::beside(Index home, const Vec3& corner, const Vec2& found) const {
  constexpr double stretch = 3;  // beside the home triangle's own, which the next ones may exceed
  if (uvs_.empty()) return found;
  const auto& c = triangles_[home];
  const Vec3 &a = points_[c[0]], &b = points_[c[1]], &d = points_[c[2]];
  if (!(area_vector({a, b, d}).squaredNorm() > 0)) return found;
  const Vec2 beyond = going_on(home, corner);
  const double step = std::max((b - a).norm(), (d - a).norm()) + (corner - (a + b + d) / 3).norm();
  const auto& uv = uvs_[home];
  const double per_length = std::max({(uv[1] - uv[0]).norm() / (b - a).norm(), (uv[2] - uv[0]).norm() / (d - a).norm(),
                                      (uv[2] - uv[1]).norm() / (d - b).norm()});
  return (found - beyond).norm() > stretch * per_length * step ? beyond : found;
}

}  // namespace sunder
