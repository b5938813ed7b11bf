#include "solvers/tet_oh99/stable_step.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder::tet_oh99 {

double stable_dt(Scheme scheme, const Stiffness& s) {
  if (s.elastic <= 0 && s.viscous <= 0) return std::numeric_limits<double>::infinity();
  switch (scheme) {
    case Scheme::symplectic_euler:
      // dt = 4 / (c + sqrt(c^2 + 4 w2)): the positive root, in the form that does not cancel
      return 4 / (s.viscous + std::sqrt(s.viscous * s.viscous + 4 * s.elastic));
    case Scheme::forward_euler:
      return std::min(s.smallest_ratio, s.viscous > 0 ? 1 / s.viscous : std::numeric_limits<double>::infinity());
    case Scheme::taylor2: {
      // |1 + z + z^2/2|^2 <= 1 with z = (-c/2 +- i w) dt: for small z, (w dt)^4 / 4 <= c dt. With c = b w2 the fastest
      // mode is the strictest: dt^3 <= 4 b / w2; an amplitude growth of 1/s is granted on top: dt^3 <= 8 / w2^2.
      const double damped = std::cbrt(4 * s.smallest_ratio / s.elastic);
      const double slow_growth = std::cbrt(8 / (s.elastic * s.elastic));
      const double oscillation = std::min(std::max(damped, slow_growth), 1 / std::sqrt(s.elastic));
      return s.viscous > 0 ? std::min(oscillation, 1 / s.viscous) : oscillation;
    }
  }
  return 0;
}

}  // namespace sunder::tet_oh99
