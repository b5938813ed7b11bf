#pragma once
// How bodies and their fragments touch each other.

#include <cmath>
#include <optional>

#include "core/vec.h"

namespace sunder {

enum class ContactCriterion { node_penetration, overlap_volume };

// When pieces at rest fall asleep (collision/asleep.h).
struct SleepRules {
  bool on = true;
  std::optional<double> speed;  // m/s; unset: automatic
  double after = 0.25;          // s
};

// m/s: a hundredth of what a fall by an edge length gives, but for a factor of 1.4. 0 without gravity: what floats is
// not at rest, only slow.
inline double automatic_sleep_speed(const Vec3& gravity, double edge) {
  return std::isfinite(edge) ? 0.01 * std::sqrt(gravity.norm() * edge) : 0;
}

struct ContactRules {
  bool on = true;
  ContactCriterion criterion = ContactCriterion::node_penetration;
  double friction = 0.4;  // Coulomb's coefficient
  double damping = 0.2;   // as a ratio to critical
  double stiffness = 1;   // of the contact, over that of the two sides one behind the other
  double gap = 0.01;      // in edges: crack faces that have come so far apart are armed
  double play = 0.05;     // in edges: overlap of unarmed crack faces that is without force
  SleepRules sleep;
  bool cull = true;  // false: every pair of node and face is looked at in every step, to the same end
};

}  // namespace sunder
