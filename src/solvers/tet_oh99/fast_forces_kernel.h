#pragma once
// The forces of whole blocks by SIMD: the part of FastForces that is compiled once for every instruction set.

#include <cstddef>
#include <cstdint>

#include "solvers/tet_oh99/element_blocks.h"

namespace sunder::tet_oh99 {

struct KernelMaterial {
  double lambda = 0, mu = 0;   // Pa
  double phi = 0, psi = 0;     // Pa s
  double density = 0;          // kg/m^3
  double barrier_modulus = 0;  // Pa, 0: no barrier
  double barrier_share = 0;    // J0
};

// A force on a node in one block, N; the last number means nothing.
struct alignas(32) SlotForce {
  double x, y, z, unused;
};

struct BlockReport {
  double viscous_power = 0;  // sum vol S_viscous : dE/dt, W
  double elastic_eigen = 0;  // largest, if measured, 1/s^2
  double viscous_eigen = 0;  // 1/s
  std::size_t inverted = 0;
  bool flagged = false;  // any tet
};

struct KernelTask {
  const ElementBlocks* blocks;
  const KernelMaterial* materials;
  const double* position;  // x0 y0 z0 x1 ...
  const double* velocity;
  bool measure;            // bounds too
  std::uint16_t* flagged;  // written if not null, by group: bit 8 i + lane, tet i of the lane may be near breaking
  SlotForce* slot_force;   // written: by slot
  BlockReport* report;     // written: by block
};

// For blocks begin .. end-1. One call runs on one thread; calls for different blocks may run at once.
void block_forces(const KernelTask& task, std::size_t begin, std::size_t end);

// Adds up the slots of every node in chunks begin .. end-1 (ElementBlocks::chunk_first_run): the node's force.
struct SlotSumTask {
  const ElementBlocks* blocks;
  const SlotForce* slot_force;
  double* force;  // written: x0 y0 z0 x1 ..., N
};
void add_up_slots(const SlotSumTask& task, std::size_t begin, std::size_t end);

// A step of symplectic Euler for nodes begin .. end-1: v += kick (f/m + g), p += dt v.
struct KickDriftTask {
  const double* force;         // x0 y0 z0 x1 ..., N
  const double* inverse_mass;  // 1/kg
  double gravity[3];           // m/s^2
  double kick, dt;             // s
  double* velocity;
  double* position;
};
void kick_and_drift(const KickDriftTask& task, std::size_t begin, std::size_t end);

}  // namespace sunder::tet_oh99
