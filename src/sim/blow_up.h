#pragma once
// What to tell a user whose simulation went wrong.

#include <cstdint>
#include <optional>
#include <string>

#include "scene/scene.h"
#include "solvers/solver.h"

namespace sunder {

struct BlowUp {
  std::uint64_t step = 0;
  double time = 0;                       // s
  double dt = 0;                         // s, of the last step
  double first_limit = 0;                // s, the step that was safe at the start
  std::optional<double> missing_energy;  // J that came from nowhere; unset: numbers are no longer finite
  std::size_t inverted = 0;              // elements turned inside out at the moment
  int good_frame = 1;                    // last one written
};

// Step, time, body, place, the likely cause, and a setting that helps.
std::string describe(const BlowUp& blow_up, const FastestNode& where, const Scene& scene);

}  // namespace sunder
