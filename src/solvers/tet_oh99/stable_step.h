#pragma once
// How long a step may be. Every mode of the assembled body obeys x'' = -w2 x - c x' with w2 and c no larger than the
// largest element eigenvalues, plus what contact adds; each scheme has its own limit for such an oscillator.

#include "solvers/tet_oh99/integrate.h"

namespace sunder::tet_oh99 {

struct Stiffness {
  double elastic = 0;         // w2, 1/s^2
  double viscous = 0;         // c, 1/s
  double smallest_ratio = 0;  // least c / w2 over the modes, s; the explicit schemes live off it
};

// Largest dt that keeps every mode bounded:
//   symplectic Euler   dt^2 w2 + 2 dt c <= 4
//   forward Euler      dt <= c / w2 (a mode without damping always grows), and dt c <= 1
//   Taylor             an undamped mode grows as (w dt)^4 / 8 a step; damping or slow growth (1/s) must make up for it
// 0 if there is no such step.
double stable_dt(Scheme scheme, const Stiffness& stiffness);

}  // namespace sunder::tet_oh99
