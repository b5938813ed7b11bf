#pragma once
// Random numbers of one light path. The samples of a pixel share an Owen-scrambled Sobol sequence, so that they fill
// every pair of dimensions evenly; every pixel and every pair is scrambled by its own hash. A pure function of (seed,
// pixel, sample, dimension): threads and their order never matter.

#include <cstdint>

#include "core/random.h"
#include "render/light_types.h"

namespace sunder::render {

class Sampler {
 public:
  Sampler(std::uint64_t seed, std::uint64_t pixel, std::uint32_t sample)
      : key_(random_bits(seed, pixel)), sample_(sample) {}

  float next() {
    const Seeds seeds = next_seeds();
    return unit(scrambled(reversed(scrambled(sample_, seeds.order)), seeds.first));
  }

  Vec2f next2() {
    const Seeds seeds = next_seeds();
    const std::uint32_t index = scrambled(sample_, seeds.order);
    return {unit(scrambled(reversed(index), seeds.first)), unit(scrambled(second_sobol(index), seeds.second))};
  }

 private:
  // Every dimension sees the samples in an order of its own, or dimensions would move in step. The scrambling leaves
  // blocks of 2^n samples together, and with them their evenness.
  struct Seeds {
    std::uint32_t order, first, second;
  };
  Seeds next_seeds() {
    key_ += 0x9e3779b97f4a7c15ull;
    const std::uint64_t a = mix64(key_), b = mix64(a + 0x632be59bd9b4e019ull);
    return {static_cast<std::uint32_t>(a), static_cast<std::uint32_t>(a >> 32), static_cast<std::uint32_t>(b)};
  }

  static float unit(std::uint32_t bits) { return static_cast<float>(bits >> 8) * 0x1p-24f; }

  static std::uint32_t reversed(std::uint32_t x) {
    x = (x >> 16) | (x << 16);
    x = ((x & 0xff00ff00u) >> 8) | ((x & 0x00ff00ffu) << 8);
    x = ((x & 0xf0f0f0f0u) >> 4) | ((x & 0x0f0f0f0fu) << 4);
    x = ((x & 0xccccccccu) >> 2) | ((x & 0x33333333u) << 2);
    return ((x & 0xaaaaaaaau) >> 1) | ((x & 0x55555555u) << 1);
  }

  // The second dimension of Sobol's sequence: its direction numbers are the rows of Pascal's triangle modulo 2.
  static std::uint32_t second_sobol(std::uint32_t index) {
    std::uint32_t result = 0;
    for (std::uint32_t v = 1u << 31; index != 0; index >>= 1, v ^= v >> 1) result ^= (index & 1) != 0 ? v : 0;
    return result;
  }

  // Owen's scrambling: each bit flips or not by a hash of the bits above it. On reversed bits that is a hash in which
  // information moves up only: adding, and multiplying by even numbers, do so (Laine and Karras 2011).
  static std::uint32_t scrambled(std::uint32_t x, std::uint32_t seed) {
    x = reversed(x);
    x += seed;
    x ^= x * 0x9e6c63d2u;
    x ^= x * ((seed >> 7) | 1u) * 0x2b5ae44eu;
    x *= (seed >> 16) | 1u;
    x ^= x * 0x74d1f61cu;
    x ^= x * 0x5a2be1c6u;
    return reversed(x);
  }

  std::uint64_t key_;
  std::uint32_t sample_;
};

}  // namespace sunder::render
