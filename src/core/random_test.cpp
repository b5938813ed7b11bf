#include "core/random.h"

#include <gtest/gtest.h>

#include <array>
#include <bit>
#include <cmath>
#include <set>

namespace sunder {
namespace {

TEST(Random, MixIsTheFinaliserOfSplitMix64) {
  // The first outputs of SplitMix64 from the seed 0.
  EXPECT_EQ(mix64(0x9e3779b97f4a7c15ull), 0xe220a8397b1dcdafull);
  EXPECT_EQ(mix64(2 * 0x9e3779b97f4a7c15ull), 0x6e789e6aa1b965f4ull);
}

TEST(Random, IsAPureFunctionOfItsThreeNumbers) {
  static_assert(random_bits(1, 2, 3) != 0);  // known to the compiler: it depends on nothing else
  std::set<std::uint64_t> seen;
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    for (std::uint64_t key = 0; key < 100; ++key) {
      for (std::uint64_t draw = 0; draw < 10; ++draw) seen.insert(random_bits(seed, key, draw));
    }
  }
  EXPECT_EQ(seen.size(), 10'000u);  // 1, 2, 3 is not 2, 1, 3, and so on
}

TEST(Random, UnitNumbersAreUniform) {
  constexpr int n = 100'000, bins = 20;
  for (const std::uint64_t seed : {0ull, 1ull, 123456789ull}) {
    std::array<int, bins> histogram{};
    double sum = 0;
    for (std::uint64_t key = 0; key < n; ++key) {
      const double u = random_unit(seed, key);
      ASSERT_GE(u, 0);
      ASSERT_LT(u, 1);
      sum += u;
      ++histogram[static_cast<std::size_t>(u * bins)];
    }
    EXPECT_NEAR(sum / n, 0.5, 5 / std::sqrt(12.0 * n));  // five standard deviations
    double chi_squared = 0;
    const double expected = static_cast<double>(n) / bins;
    for (const int count : histogram) chi_squared += std::pow(count - expected, 2) / expected;
    EXPECT_LT(chi_squared, 56);  // 19 degrees of freedom: less than 1 in 50,000 is larger
  }
}

TEST(Random, NeighbouringKeysDrawsAndSeedsAreUncorrelated) {
  constexpr int n = 100'000;
  double by_key = 0, by_draw = 0, by_seed = 0;
  for (std::uint64_t key = 0; key < n; ++key) {
    const double u = random_unit(7, key) - 0.5;
    by_key += u * (random_unit(7, key + 1) - 0.5);
    by_draw += u * (random_unit(7, key, 1) - 0.5);
    by_seed += u * (random_unit(8, key) - 0.5);
  }
  const double five_deviations = 5.0 / 12 / std::sqrt(n);
  EXPECT_NEAR(by_key / n, 0, five_deviations);
  EXPECT_NEAR(by_draw / n, 0, five_deviations);
  EXPECT_NEAR(by_seed / n, 0, five_deviations);
}

TEST(Random, EveryInputBitReachesHalfOfTheOutput) {
  for (int bit = 0; bit < 64; ++bit) {
    double flips = 0;
    for (std::uint64_t key = 0; key < 200; ++key) {
      flips += std::popcount(random_bits(3, key) ^ random_bits(3, key ^ (1ull << bit)));
    }
    EXPECT_NEAR(flips / 200, 32, 2) << "bit " << bit;
  }
}

}  // namespace
}  // namespace sunder
