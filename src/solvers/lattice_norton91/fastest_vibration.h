#pragma once
// How fast a lattice can vibrate: what the time step and the damping go by.

#include <vector>

#include "solvers/lattice_norton91/lattice.h"

namespace sunder::lattice_norton91 {

// By body, the square of the highest angular frequency at rest, 1/s^2: found by power iteration and raised by 5 %;
// where that has not settled, or is above it, Gershgorin's bound max over nodes of 2 sum k / m. Breaking only lowers
// it.
std::vector<double> fastest_vibrations(const Lattice& lattice, std::size_t bodies);

// max over the body's nodes of 2 sum k / m, 1/s^2
std::vector<double> gershgorin_bounds(const Lattice& lattice, std::size_t bodies);

// s, the largest step at which a vibration of angular frequency omega, damped by `ratio` of critical, does not grow.
//   symplectic Euler    omega dt <= 2 (sqrt(1 + ratio^2) - ratio)
//   forward Euler       the same, and dt <= the damping time: without damping no step is stable
double largest_step(double omega, double ratio);

}  // namespace sunder::lattice_norton91
