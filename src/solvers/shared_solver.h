#pragma once
// A solver whose bodies can share a scene with those of another method (mixed/mixed_solver.h): its step in three parts.
// Between them all agree how long the step is, push what they touch of each other, and add up what pushes rigid bodies.

#include <span>

#include "collision/collider_contacts.h"
#include "solvers/solver.h"
#include "solvers/touchable.h"

namespace sunder {

class SharedSolver : public Solver {
 public:
  StepReport step(double dt) final {
    dt = begin_step(dt);
    add_contact_forces(dt);
    return finish_step(dt);
  }

  // Forces within bodies, what breaks, who touches what. Returns how long the step may be with all that: `dt` at most.
  virtual double begin_step(double dt) = 0;
  // Forces between bodies, and between them and colliders, for a step of `dt`, at most what begin_step() has returned.
  virtual void add_contact_forces(double dt) = 0;
  // Moves everything by that.
  virtual StepReport finish_step(double dt) = 0;

  // s: for how long forces act on velocities in a step of `dt` that has begun.
  virtual double kick(double dt) const = 0;

  // As of now; what others add to its forces between the halves of a step is part of them.
  virtual Touchable touchable() = 0;
  // Something pushes these nodes in the step that is about to begin, or has begun: whoever sleeps or flies there wakes.
  virtual void disturb(std::span<const NodeId> nodes) = 0;
  // The same of rigid bodies, before begin_step().
  virtual void disturb_colliders(std::span<const std::uint32_t> colliders) = 0;

  virtual ColliderContacts& collider_contacts() = 0;
};

}  // namespace sunder
