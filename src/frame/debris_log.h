#pragma once
// Pieces that were frozen or removed since the last frame, and dust that was shed: none is, without a line here.

#include <cstdint>
#include <string>
#include <vector>

#include "core/vec.h"

namespace sunder {

struct DebrisEvent {
  enum class Kind : std::uint8_t { frozen, removed, shed };
  enum class Reason : std::uint8_t { outside, small };

  double time = 0;  // s
  Kind kind = Kind::removed;
  Reason reason = Reason::outside;
  std::uint32_t fragment = 0;
  std::uint32_t grains = 0;  // of dust that all crack faces of a body have shed
  std::string body;
  double volume = 0;             // of the material, m^3
  double mass = 0;               // kg
  Vec3 position = Vec3::Zero();  // of the centre of mass, m
  Vec3 velocity = Vec3::Zero();  // m/s
};

using DebrisLog = std::vector<DebrisEvent>;

// Since the start.
struct DebrisCounts {
  std::uint64_t removed = 0, frozen = 0;  // pieces
  double removed_mass = 0;                // kg
};

}  // namespace sunder
