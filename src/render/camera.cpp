#include "render/camera.h"

#include <algorithm>

#include "core/check.h"

namespace sunder::render {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

}  // namespace

Mat3 Camera::axes() const {
  const Vec3 forward = (target - position).stableNormalized();
  const Vec3 helper = std::abs(forward.y()) > 0.999 ? Vec3(0, 0, forward.y() > 0 ? 1 : -1) : Vec3(Vec3::UnitY());
  const Vec3 right = forward.cross(helper).normalized();
  Mat3 result;
  result << right, right.cross(forward), forward;
  return result;
}

Lens::Lens(const Camera& camera) {
  const Mat3 axes = camera.axes();
  const double half = std::tan(camera.view_angle * kDegree / 2);
  origin_ = camera.position.cast<float>();
  right_ = (axes.col(0) * half * camera.aspect).cast<float>();
  up_ = (axes.col(1) * half).cast<float>();
  forward_ = axes.col(2).cast<float>();
}

Ray Lens::ray(float x, float y, float time) const {
  return {origin_, (forward_ + (2 * x - 1) * right_ + (1 - 2 * y) * up_).normalized(), time};
}

Vec3 project(const Camera& camera, const Vec3& point) {
  const Vec3 local = camera.axes().transpose() * (point - camera.position);
  const double half = std::tan(camera.view_angle * kDegree / 2) * local.z();
  return {0.5 + 0.5 * local.x() / (half * camera.aspect), 0.5 - 0.5 * local.y() / half, local.z()};
}

Vec3 view_direction(double azimuth, double height) {
  const double a = azimuth * kDegree, h = height * kDegree;
  return {-std::sin(a) * std::cos(h), -std::sin(h), -std::cos(a) * std::cos(h)};
}

// In the camera's axes a point (x, z) is inside the picture if |x - cx| <= t (z - cz), t the tangent of the half angle.
// With a = max(x - t z) and b = max(-x - t z) the tightest choice is cx = (a - b) / 2, cz = -(a + b) / (2 t); the same
// for y. The smaller of the two cz sees everything.
Camera frame_points(std::span<const Vec3> points, const Vec3& direction, double view_angle, double aspect,
                    double margin) {
  SUNDER_CHECK(!points.empty(), "nothing to frame");
  Camera camera{.position = Vec3::Zero(), .target = direction, .view_angle = view_angle, .aspect = aspect};
  const Mat3 axes = camera.axes();
  const double up = std::tan(view_angle * kDegree / 2) * (1 - 2 * margin), right = up * aspect;
  const double none = -std::numeric_limits<double>::infinity();
  double right_end = none, left_end = none, upper_end = none, lower_end = none;
  double nearest = -none, farthest = none;
  for (const Vec3& point : points) {
    const Vec3 p = axes.transpose() * point;
    right_end = std::max(right_end, p.x() - right * p.z());
    left_end = std::max(left_end, -p.x() - right * p.z());
    upper_end = std::max(upper_end, p.y() - up * p.z());
    lower_end = std::max(lower_end, -p.y() - up * p.z());
    nearest = std::min(nearest, p.z());
    farthest = std::max(farthest, p.z());
  }
  const double by_width = -(right_end + left_end) / (2 * right), by_height = -(upper_end + lower_end) / (2 * up);
  double back = std::min({by_width, by_height, nearest - 1e-3 * (farthest - nearest) - 1e-6});
  const Vec3 at((right_end - left_end) / 2, (upper_end - lower_end) / 2, back);
  camera.position = axes * at;
  camera.target = axes * Vec3(at.x(), at.y(), (nearest + farthest) / 2);
  return camera;
}

std::vector<Vec3> without_runaways(std::span<const Vec3> points) {
  Vec3 middle = Vec3::Zero();
  std::vector<double> coordinate(points.size());
  const auto quantile = [&](double share) {
    const auto at = static_cast<std::ptrdiff_t>(share * static_cast<double>(coordinate.size() - 1));
    std::nth_element(coordinate.begin(), coordinate.begin() + at, coordinate.end());
    return coordinate[static_cast<std::size_t>(at)];
  };
  if (points.empty()) return {};
  for (int axis = 0; axis < 3; ++axis) {
    std::transform(points.begin(), points.end(), coordinate.begin(), [&](const Vec3& p) { return p[axis]; });
    middle[axis] = quantile(0.5);
  }
  std::transform(points.begin(), points.end(), coordinate.begin(), [&](const Vec3& p) { return (p - middle).norm(); });
  const double reach = 1.5 * quantile(0.99);
  std::vector<Vec3> kept;
  std::copy_if(points.begin(), points.end(), std::back_inserter(kept),
               [&](const Vec3& p) { return (p - middle).norm() <= reach; });
  return kept;
}

}  // namespace sunder::render
