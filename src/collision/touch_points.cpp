#include "collision/touch_points.h"

#include <algorithm>
#include <cmath>

#include "collision/closed_surface.h"

namespace sunder {
namespace {

constexpr int kEdgeParts = 4;  // of a box's edge

std::vector<TouchPoint> points(const Collider&, const GroundCollider&) { return {}; }
std::vector<TouchPoint> points(const Collider&, const PlaneCollider&) { return {}; }

std::vector<TouchPoint> points(const Collider&, const SphereCollider& sphere) {
  return {{Vec3::Zero(), sphere.radius}};
}

// Balls of radius r at a distance s leave a groove of r - sqrt(r^2 - s^2 / 4), 0.8 % of r for s = r / 4.
std::vector<TouchPoint> points(const Collider&, const CapsuleCollider& capsule) {
  const double axis = 2 * capsule.half_axis();
  const int parts = std::clamp(static_cast<int>(std::ceil(std::min(1e3, 4 * axis / capsule.radius))), 1, 100);
  std::vector<TouchPoint> result;
  for (int i = 0; i <= parts; ++i) {
    result.push_back({Vec3(0, axis * (static_cast<double>(i) / parts - 0.5), 0), capsule.radius});
    if (axis == 0) break;
  }
  return result;
}

std::vector<TouchPoint> points(const Collider&, const BoxCollider& box) {
  std::vector<TouchPoint> result;
  for (int x = 0; x <= kEdgeParts; ++x) {
    for (int y = 0; y <= kEdgeParts; ++y) {
      for (int z = 0; z <= kEdgeParts; ++z) {
        const auto at_end = [](int i) { return i == 0 || i == kEdgeParts; };
        const auto in_middle = [](int i) { return 2 * i == kEdgeParts; };
        const int ends = at_end(x) + at_end(y) + at_end(z), middles = in_middle(x) + in_middle(y) + in_middle(z);
        if (ends < 2 && !(ends == 1 && middles == 2)) continue;
        result.push_back({(Vec3(x, y, z) / kEdgeParts - Vec3::Constant(0.5)).cwiseProduct(box.size)});
      }
    }
  }
  return result;
}

std::vector<TouchPoint> points(const Collider& collider, const MeshCollider&) {
  std::vector<TouchPoint> result;
  for (const Vec3& p : collider.surface->points()) result.push_back({p});
  return result;
}

}  // namespace

std::vector<TouchPoint> touch_points(const Collider& collider) {
  return std::visit([&](const auto& shape) { return points(collider, shape); }, collider.shape);
}

double sharing_points(const Collider& collider) {
  const auto all = static_cast<double>(touch_points(collider).size());
  if (std::holds_alternative<BoxCollider>(collider.shape)) return 8;  // of the 17 of a side: a corner must not be soft
  if (std::holds_alternative<MeshCollider>(collider.shape)) return std::max(1.0, std::sqrt(all) / 2);
  return std::max(1.0, all);
}

bool is_round(const Collider& collider) {
  return std::holds_alternative<SphereCollider>(collider.shape) ||
         std::holds_alternative<CapsuleCollider>(collider.shape);
}

}  // namespace sunder
