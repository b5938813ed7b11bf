#pragma once
// Counter-based random numbers: a pure function of (seed, what, which), so the order in which things are asked for,
// and the thread that asks, never matter.

#include <cstdint>

namespace sunder {

// The finaliser of SplitMix64: every input bit reaches every output bit.
constexpr std::uint64_t mix64(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ull;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebull;
  x ^= x >> 31;
  return x;
}

constexpr std::uint64_t random_bits(std::uint64_t seed, std::uint64_t key, std::uint64_t draw = 0) {
  constexpr std::uint64_t golden = 0x9e3779b97f4a7c15ull;
  return mix64(mix64(mix64(seed + golden) + key * golden + golden) + draw * golden + golden);
}

// Uniform in [0, 1), 53 random bits.
constexpr double random_unit(std::uint64_t seed, std::uint64_t key, std::uint64_t draw = 0) {
  return static_cast<double>(random_bits(seed, key, draw) >> 11) * 0x1p-53;
}

}  // namespace sunder
