#pragma once
// What every solver tells: where its colliders stand, and what they, supports and loads did.

#include <vector>

#include "collision/rigid_bodies.h"
#include "core/byte_stream.h"
#include "frame/totals.h"

namespace sunder {

std::vector<RigidPose> poses_of(const RigidBodies& rigid);

// Adds a step's force to a reaction.
void book(Reaction& reaction, const Vec3& force, double work, double dt);

// Who goes on with other supports, loads or colliders takes over those of the same name and kind.
void save_reactions(Writer& out, const std::vector<Reaction>& reactions);
void load_reactions(Reader& in, std::vector<Reaction>& reactions);

}  // namespace sunder
