#pragma once
// Rigid things that bodies bounce off: the ground, planes, spheres, boxes, capsules, closed surfaces of triangles. Some
// stand still, some move as they are told, some are thrown about by what they hit.

#include <Eigen/Geometry>
#include <algorithm>
#include <filesystem>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/vec.h"

namespace sunder {

class ClosedSurface;

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
struct CapsuleCollider {
  double radius = 0.1, height = 0.4;  // m, along y, both ends included
  friend bool operator==(const CapsuleCollider&, const CapsuleCollider&) = default;

  // From the middle to the centre of an end.
  double half_axis() const { return std::max(0.0, 0.5 * height - radius); }
};
struct MeshCollider {
  std::filesystem::path path;  // of a closed surface; Collider::surface holds what was read from it
  double scale = 1;            // metres per unit of the file
  friend bool operator==(const MeshCollider&, const MeshCollider&) = default;
};
using ColliderShape =
    std::variant<GroundCollider, PlaneCollider, SphereCollider, BoxCollider, CapsuleCollider, MeshCollider>;

const char* kind_name(const ColliderShape& shape);

enum class ColliderMotion {
  fixed,      // stands still
  kinematic,  // goes by its keyframes, whatever it meets
  dynamic,    // has a mass: gravity, contact and its rope move it
};

// Where a kinematic collider's origin is, and how it is turned, at a time.
struct ColliderKeyframe {
  double time = 0;  // s
  Vec3 position = Vec3::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
};

// Keeps a point of a dynamic collider within a length of a fixed point. It only pulls, and weighs nothing.
struct Rope {
  Vec3 point = Vec3::Zero();     // m, where it hangs from, in the world
  Vec3 attach = Vec3::Zero();    // m, where it is tied to, in the collider's axes
  std::optional<double> length;  // m; unset: the distance at the start
  friend bool operator==(const Rope&, const Rope&) = default;
};

struct Collider {
  std::string name;
  ColliderShape shape;
  Vec3 position = Vec3::Zero();      // m
  Mat3 rotation = Mat3::Identity();  // collider axes -> world axes
  double friction = 0.4;             // Coulomb's coefficient
  double damping = 0.2;              // of the contact, as a ratio to critical
  std::optional<double> stiffness;   // N/m at every touching node; unset: the node's own elastic stiffness

  ColliderMotion motion = ColliderMotion::fixed;
  std::optional<double> mass, density;      // kg, kg/m^3; a dynamic collider has one of them
  Vec3 velocity = Vec3::Zero();             // m/s, of a dynamic one's centre of mass at the start
  Vec3 spin = Vec3::Zero();                 // rad/s
  std::vector<ColliderKeyframe> keyframes;  // of a kinematic one, at least one, times ascending
  std::optional<Rope> rope;

  std::shared_ptr<const ClosedSurface> surface;  // of a MeshCollider, in the collider's axes
};

// The nearest surface point's view of a position: how deep inside it lies and which way is out.
struct Penetration {
  double depth = 0;  // m, > 0 inside; outside, less the distance to the surface
  Vec3 normal = Vec3::Zero();
};
// Who only asks for what is nearer than `within` spares the search for the rest: the depth of what is further outside
// is then some number below -within.
Penetration penetration(const Collider& collider, const Vec3& position,
                        double within = std::numeric_limits<double>::infinity());

// Its least thickness and the radius about its origin that holds it, m; infinite for ground and plane.
double smallest_extent(const Collider& collider);
double reach_of(const Collider& collider);

}  // namespace sunder
