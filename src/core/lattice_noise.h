#pragma once
// Smooth noise over space, a pure function of seed and place.

#include <cstdint>

#include "core/vec.h"

namespace sunder {

// In [0, 1): a random number for each point of the lattice of whole numbers, blended between the eight nearest of x
// with a smooth step. 1/2 where lattice points cannot be told apart any more.
double lattice_noise(std::uint64_t seed, const Vec3& x);

// Three such numbers, each in [-1, 1).
Vec3 lattice_noise_vector(std::uint64_t seed, const Vec3& x);

}  // namespace sunder
