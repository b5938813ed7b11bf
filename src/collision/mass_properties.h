#pragma once
// Mass, centre of mass and inertia of colliders, exactly for every shape.

#include "collision/collider.h"
#include "core/vec.h"

namespace sunder {

struct MassProperties {
  double mass = 0;              // kg; the volume for a density of 1
  Vec3 centre = Vec3::Zero();   // m, in the collider's axes
  Mat3 inertia = Mat3::Zero();  // kg m^2, about the centre, in the collider's axes
};

// Of a solid of that density. Zeros for ground and plane, which have no end.
MassProperties solid_of_density(const Collider& collider, double density);

// By the collider's own mass or density.
MassProperties mass_properties(const Collider& collider);

}  // namespace sunder
