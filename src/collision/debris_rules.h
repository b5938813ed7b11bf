#pragma once
// What becomes of pieces that have left the world or are too small to matter.

#include <optional>

namespace sunder {

enum class DebrisAction {
  keep,    // as any other
  freeze,  // it stands still for good where it is, and others may lie against it
  remove,  // it leaves the simulation
};

struct DebrisRules {
  // Outside is a piece all of which is below `lowest`, or further than `farthest` from the origin.
  std::optional<double> lowest, farthest;  // m
  DebrisAction outside = DebrisAction::keep;
  // Small is a piece that has broken off and whose volume is below the cube of this, m. To be frozen, it must first
  // have come to rest: nothing stops in mid-air.
  double smallest = 0;
  DebrisAction small = DebrisAction::keep;

  bool on() const { return outside != DebrisAction::keep || small != DebrisAction::keep; }
  bool removes() const { return outside == DebrisAction::remove || small == DebrisAction::remove; }
};

}  // namespace sunder
