#include "collision/collider.h"

#include <array>
#include <cmath>

#include "collision/closed_surface.h"

namespace sunder {
namespace {

Penetration inside(const Collider&, const GroundCollider& ground, const Vec3& x, double) {
  return {ground.height - x.y(), Vec3::UnitY()};
}

Penetration inside(const Collider& collider, const PlaneCollider& plane, const Vec3& x, double) {
  const Vec3 normal = collider.rotation * plane.normal.normalized();
  return {normal.dot(collider.position - x), normal};
}

Penetration round(double radius, const Vec3& out) {
  const double distance = out.norm();
  return {radius - distance, distance > 0 ? Vec3(out / distance) : Vec3::UnitY()};
}

Penetration inside(const Collider& collider, const SphereCollider& sphere, const Vec3& x, double) {
  return round(sphere.radius, x - collider.position);
}

Penetration inside(const Collider& collider, const BoxCollider& box, const Vec3& x, double) {
  const Vec3 local = collider.rotation.transpose() * (x - collider.position);
  const Vec3 depths = 0.5 * box.size - local.cwiseAbs();
  int axis = 0;
  const double depth = depths.minCoeff(&axis);
  Vec3 normal = Vec3::Zero();
  if (depth < 0) {
    const Vec3 beyond = (-depths).cwiseMax(0.0);  // from the nearest point of the box
    const double distance = beyond.stableNorm();
    for (int i = 0; i < 3; ++i) normal[i] = std::copysign(beyond[i] / distance, local[i]);
    return {-distance, collider.rotation * normal};
  }
  normal[axis] = std::copysign(1.0, local[axis]);
  return {depth, collider.rotation * normal};
}

Penetration inside(const Collider& collider, const CapsuleCollider& capsule, const Vec3& x, double) {
  const Vec3 axis = collider.rotation.col(1);
  const Vec3 out = x - collider.position;
  const double along = std::clamp(out.dot(axis), -capsule.half_axis(), capsule.half_axis());
  Penetration p = round(capsule.radius, out - along * axis);
  if (p.depth == capsule.radius) p.normal = collider.rotation.col(0);  // on the axis, any way across it is out
  return p;
}

Penetration inside(const Collider& collider, const MeshCollider&, const Vec3& x, double within) {
  Penetration p = collider.surface->penetration(collider.rotation.transpose() * (x - collider.position), within);
  p.normal = collider.rotation * p.normal;
  return p;
}

}  // namespace

const char* kind_name(const ColliderShape& shape) {
  static constexpr std::array names = {"ground", "plane", "sphere", "box", "capsule", "mesh"};
  static_assert(names.size() == std::variant_size_v<ColliderShape>);
  return names[shape.index()];
}

Penetration penetration(const Collider& collider, const Vec3& position, double within) {
  return std::visit([&](const auto& shape) { return inside(collider, shape, position, within); }, collider.shape);
}

double smallest_extent(const Collider& collider) {
  if (const auto* sphere = std::get_if<SphereCollider>(&collider.shape)) return 2 * sphere->radius;
  if (const auto* box = std::get_if<BoxCollider>(&collider.shape)) return box->size.minCoeff();
  if (const auto* capsule = std::get_if<CapsuleCollider>(&collider.shape)) return 2 * capsule->radius;
  if (collider.surface) return collider.surface->bounds().extent().minCoeff();
  return std::numeric_limits<double>::infinity();
}

double reach_of(const Collider& collider) {
  if (const auto* sphere = std::get_if<SphereCollider>(&collider.shape)) return sphere->radius;
  if (const auto* box = std::get_if<BoxCollider>(&collider.shape)) return 0.5 * box->size.norm();
  if (const auto* capsule = std::get_if<CapsuleCollider>(&collider.shape)) return 0.5 * capsule->height;
  if (collider.surface) return collider.surface->reach();
  return std::numeric_limits<double>::infinity();
}

}  // namespace sunder
