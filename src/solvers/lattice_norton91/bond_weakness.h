#pragma once
// Patterns of weakness (fracture/toughness_field.h) on bonds. A bond's threshold is what it has drawn times the field
// at its middle, where it is in the material, for cracks across it: a bond along the normal of a weak plane feels the
// whole factor, one that lies in the plane only what the plane's `pull` leaves.

#include <span>
#include <vector>

#include "fracture/toughness_field.h"
#include "solvers/lattice_norton91/lattice.h"

namespace sunder::lattice_norton91 {

class BondWeakness {
 public:
  BondWeakness() = default;
  // The lattice as it was made of the bodies.
  BondWeakness(std::span<const LatticeBody> bodies, const Lattice& lattice);

  // Gives the bonds the thresholds of a time, a pure function of it. False if they are those they had.
  bool set(double time, Lattice& lattice);
  // Whether they stay as they are at that time.
  bool settled(double time) const;

 private:
  std::vector<ToughnessField> fields_;        // by body; none if no body has a pattern
  std::vector<std::vector<double>> factors_;  // of their layers, by body, as last set
  bool is_settled_ = false;                   // those factors are, for good
  std::vector<double> drawn_;                 // by bond, strain
};

}  // namespace sunder::lattice_norton91
