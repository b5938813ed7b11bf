#include "collision/closed_surface.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

namespace sunder {
namespace {

double angle_between(const Vec3& a, const Vec3& b) { return std::atan2(a.cross(b).norm(), a.dot(b)); }

}  // namespace

ClosedSurface::ClosedSurface(std::vector<Vec3> points, std::vector<std::array<std::uint32_t, 3>> triangles)
    : points_(std::move(points)),
      triangles_(std::move(triangles)),
      corner_normal_(points_.size(), Vec3::Zero()),
      tree_(points_, triangles_) {
  std::map<std::pair<std::uint32_t, std::uint32_t>, Vec3> edges;
  const auto edge = [&](std::uint32_t a, std::uint32_t b) -> Vec3& {
    return edges.try_emplace({std::min(a, b), std::max(a, b)}, Vec3::Zero()).first->second;
  };
  for (const auto& t : triangles_) {
    const TriangleCorners x = {points_[t[0]], points_[t[1]], points_[t[2]]};
    const Vec3 normal = area_vector(x).stableNormalized();
    face_normal_.push_back(normal);
    for (std::size_t i = 0; i < 3; ++i) {
      const std::size_t j = (i + 1) % 3, k = (i + 2) % 3;
      corner_normal_[t[i]] += angle_between(x[j] - x[i], x[k] - x[i]) * normal;
      edge(t[j], t[k]) += normal;
      bounds_.add(x[i]);
      reach_ = std::max(reach_, x[i].norm());
    }
  }
  for (const auto& t : triangles_) {
    edge_normal_.push_back({edge(t[1], t[2]), edge(t[2], t[0]), edge(t[0], t[1])});
  }
}

Vec3 ClosedSurface::normal_at(std::uint32_t triangle, const Vec3& weights) const {
  const auto& corners = triangles_[triangle];
  for (int i = 0; i < 3; ++i) {
    if (weights[i] == 1) return corner_normal_[corners[static_cast<std::size_t>(i)]];
  }
  for (int i = 0; i < 3; ++i) {
    if (weights[i] == 0) return edge_normal_[triangle][static_cast<std::size_t>(i)];
  }
  return face_normal_[triangle];
}

Penetration ClosedSurface::penetration(const Vec3& x, double within) const {
  const Vec3 beyond = (bounds_.lower - x).cwiseMax(x - bounds_.upper).cwiseMax(0.0);  // from the bounding box
  const double from_box = beyond.norm();
  if (from_box > within) return {-from_box, beyond / from_box};
  // Inside the surface nothing is further from it than the bounding box's sides are.
  const double deepest = from_box > 0 ? 0 : (x - bounds_.lower).cwiseMin(bounds_.upper - x).minCoeff();
  const TriangleTree::Nearest nearest = tree_.nearest(x, std::max(within, deepest) * (1 + 1e-9) + 1e-300);
  if (nearest.triangle == TriangleTree::kNone) return {-std::numeric_limits<double>::infinity(), Vec3::UnitY()};
  const Vec3 normal = normal_at(nearest.triangle, nearest.at.weights);
  const Vec3 out = x - nearest.at.point;
  const bool outside = out.dot(normal) > 0;
  const double distance = nearest.distance;
  const double size = bounds_.extent().maxCoeff();
  if (!(distance > 1e-12 * size)) return {0, normal.stableNormalized()};  // on it: the way there means nothing
  return {outside ? -distance : distance, (outside ? 1 : -1) / distance * out};
}

}  // namespace sunder
