#pragma once
// What the fresh crack faces of a body shed: grains of dust.

#include <cstdint>

namespace sunder {

struct DustRules {
  double thickness = 0;  // m, of the material that each crack face sheds on average; 0: none
  // m, diameters; of grains in a range of sizes as many are in each octave.
  double smallest = 0.0005, largest = 0.002;
  double speed = 0.5;      // m/s at which the fastest leave the face
  double angle = 60;       // degrees from the face's normal, at most
  std::uint32_t most = 0;  // grains of a body; 0: kMostGrains
  std::uint64_t seed = 0;  // with the scene's
  static constexpr std::uint32_t kMostGrains = 100000;

  bool on() const { return thickness > 0; }
};

}  // namespace sunder
