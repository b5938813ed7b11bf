#pragma once
// The points by which a rigid body feels for others, each against the other's signed distance.

#include <vector>

#include "collision/collider.h"
#include "core/vec.h"

namespace sunder {

struct TouchPoint {
  Vec3 at = Vec3::Zero();  // m, in the collider's axes
  double radius = 0;       // m, of the ball round it that touches
};

// A sphere's centre; the axis of a capsule, close enough that the balls' envelope is smooth to 1 % of the radius; the
// corners of a box, three points of each edge between them, and the middles of its sides; a mesh's vertices. None for
// ground and plane.
std::vector<TouchPoint> touch_points(const Collider& collider);

// About how many of them touch at once where the body lies flat: they share the stiffness of a contact.
double sharing_points(const Collider& collider);

// Whether its points alone find every contact with another collider, whatever that one's shape.
bool is_round(const Collider& collider);

}  // namespace sunder
