#pragma once
// What every solver tells: where its colliders stand, and what they, supports and loads did.

#include <vector>

#include "collision/rigid_bodies.h"
#include "frame/totals.h"

namespace sunder {

std::vector<RigidPose> poses_of(const RigidBodies& rigid);

// Adds a step's force to a reaction.
void book(Reaction& reaction, const Vec3& force, double work, double dt);

}  // namespace sunder
