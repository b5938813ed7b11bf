#pragma once
// The sums and reactions a run reports with every frame.

#include <cstdint>
#include <string>

#include "core/vec.h"

namespace sunder {

// One row of stats.csv, as far as a solver knows it. Energies in joules. Their sum, less the work that supports and
// loads did, stays constant: that is a test, not a definition. Mass, momentum, kinetic and gravity energy are those of
// the bodies, the dynamic colliders and the dust together.
struct Totals {
  std::size_t nodes = 0, elements = 0, fragments = 0;
  double crack_area = 0;                                                  // m^2, both sides counted once
  std::uint64_t splits = 0, refused_splits = 0, hard_snapped_splits = 0;  // of nodes, since the start (crack_log.h)
  std::uint64_t removed_pieces = 0, frozen_pieces = 0;                    // as debris, since the start
  double removed_mass = 0;                                                // kg, with them
  std::uint64_t grains = 0;                                               // of dust
  double dust_mass = 0;                                                   // kg, counted in:
  double mass = 0;                                                        // kg
  Vec3 momentum = Vec3::Zero();
  double kinetic = 0, elastic = 0, gravity = 0, contact = 0;
  // By viscosity, plastic flow, friction, contact damping and ropes that come taut since the start; also what debris
  // took along ...
  double dissipated = 0;
  double plastic = 0;  // ... of it by plastic flow
};

// The force that a support, load or collider exerts on the bodies; a collider's also on other colliders, a rope's on
// the collider it holds.
struct Reaction {
  std::string name;
  std::string kind;             // hold, move, force, pressure, collider, rope
  Vec3 force = Vec3::Zero();    // N, in the last step
  Vec3 impulse = Vec3::Zero();  // N s, since the last frame
  double peak = 0;              // N, largest magnitude since the last frame
  double work = 0;              // J, done since the start; of colliders, only those that go by keyframes do any
};

// A collider or rigid body as it stands at a frame.
struct RigidPose {
  std::string name;
  std::string kind;
  Vec3 position = Vec3::Zero();
  Mat3 rotation = Mat3::Identity();
  Vec3 velocity = Vec3::Zero();
  Vec3 spin = Vec3::Zero();
};

}  // namespace sunder
