#pragma once
// Parts of space by which a scene selects parts of bodies.

#include <variant>

#include "core/vec.h"

namespace sunder {

struct BoxSelection {
  Vec3 min = Vec3::Zero(), max = Vec3::Zero();
};
struct SphereSelection {
  Vec3 center = Vec3::Zero();
  double radius = 0;
};
struct HalfSpaceSelection {
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitY();  // selects where (x - point) . normal >= 0
};
struct EverywhereSelection {};
using Selection = std::variant<BoxSelection, SphereSelection, HalfSpaceSelection, EverywhereSelection>;

}  // namespace sunder
