#pragma once
// A solver whose bodies can share a scene with those of another method (mixed/mixed_solver.h): its step in two halves.
// Between them all agree how long the step is.

#include "solvers/solver.h"

namespace sunder {

class SharedSolver : public Solver {
 public:
  StepReport step(double dt) final { return finish_step(begin_step(dt)); }

  // Forces within bodies, what breaks, who touches what. Returns how long the step may be with all that: `dt` at most.
  virtual double begin_step(double dt) = 0;
  // Moves everything by `dt`, at most what begin_step() has returned.
  virtual StepReport finish_step(double dt) = 0;
};

}  // namespace sunder
