#include "collision/collider.h"

#include <cmath>

namespace sunder {
namespace {

Penetration inside(const Collider&, const GroundCollider& ground, const Vec3& x) {
  return {ground.height - x.y(), Vec3::UnitY()};
}

Penetration inside(const Collider& collider, const PlaneCollider& plane, const Vec3& x) {
  const Vec3 normal = collider.rotation * plane.normal.normalized();
  return {normal.dot(collider.position - x), normal};
}

Penetration inside(const Collider& collider, const SphereCollider& sphere, const Vec3& x) {
  const Vec3 out = x - collider.position;
  const double distance = out.norm();
  return {sphere.radius - distance, distance > 0 ? Vec3(out / distance) : Vec3::UnitY()};
}

Penetration inside(const Collider& collider, const BoxCollider& box, const Vec3& x) {
  const Vec3 local = collider.rotation.transpose() * (x - collider.position);
  const Vec3 depths = 0.5 * box.size - local.cwiseAbs();
  int axis = 0;
  const double depth = depths.minCoeff(&axis);
  Vec3 normal = Vec3::Zero();
  normal[axis] = std::copysign(1.0, local[axis]);
  return {depth, collider.rotation * normal};
}

}  // namespace

Penetration penetration(const Collider& collider, const Vec3& position) {
  return std::visit([&](const auto& shape) { return inside(collider, shape, position); }, collider.shape);
}

}  // namespace sunder
