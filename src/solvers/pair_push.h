#pragma once
// How two masses that touch push each other: a spring along the line between them, damping that never pulls, and
// Coulomb friction. Neither damping nor friction ever turns a motion round within a step.

#include <algorithm>
#include <cmath>

#include "core/vec.h"

namespace sunder {

struct PairTouch {
  Vec3 normal;           // from one to the other
  Vec3 velocity;         // m/s, of the other against the one
  double depth = 0;      // m, by which the spring is compressed
  double stiffness = 0;  // N/m
  double mass = 0;       // kg, that the pair moves: beyond m v / dt a force would turn the motion round
};

struct PairPush {
  Vec3 force;  // N, on the other
  Vec3 loss;   // N, what of it is damping and friction
};

// `damping` is a ratio to critical, `friction` Coulomb's coefficient, `dt` how long the force acts, s.
inline PairPush pair_push(const PairTouch& touch, double damping, double friction, double dt) {
  const double c = std::min(2 * damping * std::sqrt(touch.stiffness * touch.mass), touch.mass / dt);
  const double elastic = touch.stiffness * touch.depth, rate = touch.velocity.dot(touch.normal);
  const double push = std::max(0.0, elastic - c * rate);
  const Vec3 slip = touch.velocity - rate * touch.normal;
  const double speed = slip.norm();
  Vec3 force = push * touch.normal;
  if (speed > 0) force -= std::min(friction * push / speed, touch.mass / dt) * slip;
  return {force, force - elastic * touch.normal};
}

}  // namespace sunder
