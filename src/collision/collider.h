#pragma once
// Rigid things that do not move and that bodies bounce off: the ground, planes, spheres, boxes.

#include <optional>
#include <string>
#include <variant>

#include "core/vec.h"

namespace sunder {

struct GroundCollider {
  double height = 0;  // m; solid below it
  friend bool operator==(const GroundCollider&, const GroundCollider&) = default;
};
struct PlaneCollider {
  Vec3 normal = Vec3::UnitY();  // points out of the solid side; the plane passes through `position`
  friend bool operator==(const PlaneCollider&, const PlaneCollider&) = default;
};
struct SphereCollider {
  double radius = 0.5;  // m
  friend bool operator==(const SphereCollider&, const SphereCollider&) = default;
};
struct BoxCollider {
  Vec3 size = Vec3::Ones();  // m
  friend bool operator==(const BoxCollider&, const BoxCollider&) = default;
};
using ColliderShape = std::variant<GroundCollider, PlaneCollider, SphereCollider, BoxCollider>;

struct Collider {
  std::string name;
  ColliderShape shape;
  Vec3 position = Vec3::Zero();      // m
  Mat3 rotation = Mat3::Identity();  // collider axes -> world axes
  double friction = 0.4;             // Coulomb's coefficient
  double damping = 0.2;              // of the contact, as a ratio to critical
  std::optional<double> stiffness;   // N/m at every touching node; unset: the node's own elastic stiffness
};

// The nearest surface point's view of a position: how deep inside it lies and which way is out.
struct Penetration {
  double depth = 0;  // m, > 0 inside
  Vec3 normal = Vec3::Zero();
};
Penetration penetration(const Collider& collider, const Vec3& position);

}  // namespace sunder
