#pragma once
// A solver whose bodies can share a scene with those of another method (mixed/mixed_solver.h): its step in two halves.
// Between them all agree how long the step is, and push what they touch of each other.

#include <span>

#include "solvers/solver.h"
#include "solvers/touchable.h"

namespace sunder {

class SharedSolver : public Solver {
 public:
  StepReport step(double dt) final { return finish_step(begin_step(dt)); }

  // Forces within bodies, what breaks, who touches what. Returns how long the step may be with all that: `dt` at most.
  virtual double begin_step(double dt) = 0;
  // Moves everything by `dt`, at most what begin_step() has returned.
  virtual StepReport finish_step(double dt) = 0;

  // s: for how long forces act on velocities in a step of `dt` that has begun.
  virtual double kick(double dt) const = 0;

  // As of now; what others add to its forces between the halves of a step is part of them.
  virtual Touchable touchable() = 0;
  // Something pushes these nodes in the step that is about to begin: whoever sleeps there wakes.
  virtual void disturb(std::span<const NodeId> nodes) = 0;
};

}  // namespace sunder
