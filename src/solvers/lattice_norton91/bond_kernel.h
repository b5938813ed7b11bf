#pragma once
// The forces of bonds by SIMD: the part of BondForces that is compiled once for every instruction set.

#include <cstddef>
#include <cstdint>

#include "solvers/lattice_norton91/bond_rows.h"

namespace sunder::lattice_norton91 {

struct BondTask {
  const BondRows* rows;
  const LiveBonds* live;
  const double* position;  // x0 y0 z0 x1 ...
  const double* velocity;
  const double* damping_time;   // s, by node, eight more than there are: d = damping_time k
  double stiffness, length;     // factors of all bonds
  EightNumbers* slot_force;     // written, by block: x of all its slots, y, z, then what of that is damping, x, y, z
  std::uint8_t* overstretched;  // written, by entry: a bit for each bond that is longer than it can bear
  std::uint8_t* any;            // written, by block: whether any is
};

// For blocks begin .. end-1. One call runs on one thread; calls for different blocks may run at once.
void bond_forces(const BondTask& task, std::size_t begin, std::size_t end);

// Adds up the slots of the nodes of blocks begin .. end-1.
struct BondSumTask {
  const BondRows* rows;
  const LiveBonds* live;
  const EightNumbers* slot_force;
  double* force;    // written: x0 y0 z0 x1 ..., N
  double* damping;  // written: the part of it that is damping
};
void add_up_bond_forces(const BondSumTask& task, std::size_t begin, std::size_t end);

}  // namespace sunder::lattice_norton91
