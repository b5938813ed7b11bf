#pragma once
// Notices a motion that blows up before its numbers leave the range: energy that rises although nothing does work.
//
// Kinetic, elastic, gravity and contact energy and what was dissipated, less the work of supports and loads, stay
// constant. That sum costs a few force evaluations, so it is only taken when the kinetic energy (cheap) has grown
// beyond what was last found in order: an energy that grows without bound passes that mark again and again, a sound
// motion only now and then.
//
// How much may be missing: at the stability limit the energy of a stable oscillation swings by a factor of
// 1 / (1 - (omega dt / 2)^2), 2.8 at safety 0.8. Five times what can be accounted for is beyond that, and a motion that
// blows up passes it some steps later.

#include <optional>
#include <vector>

#include "frame/totals.h"

namespace sunder {

class EnergyWatch {
 public:
  // Steps between two looks at the kinetic energy: the cost vanishes, and a blow-up is seen well within 100 steps.
  static constexpr int kInterval = 16;

  // Call at the start and whenever totals are at hand. Returns the energy that came from nowhere, J, if it is too much.
  std::optional<double> look(const Totals& totals, const std::vector<Reaction>& reactions);

  // Whether a kinetic energy calls for a look at the totals.
  bool suspects(double kinetic) const { return !(kinetic <= cleared_); }

 private:
  bool started_ = false;
  double books_ = 0;      // the sum at the start, J
  double gravity_ = 0;    // at the start, J
  double accounted_ = 0;  // largest energy of motion and stretch that the books explain, J
  double cleared_ = 0;    // kinetic energy up to which all is known to be well, J
};

}  // namespace sunder
