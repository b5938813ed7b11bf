#include "bench/machine_limits.h"

#include <chrono>
#include <cstring>
#include <vector>

namespace sunder::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point start) { return std::chrono::duration<double>(Clock::now() - start).count(); }

#if defined(__AVX512F__)
constexpr std::size_t kLanes = 8;
#else
constexpr std::size_t kLanes = 4;
#endif
// The compiler's vector extension: no intrinsics, still one instruction each.
using Vector = double __attribute__((vector_size(kLanes * sizeof(double))));

// Two pipes with a latency of four need eight chains; sixteen leave room.
constexpr std::size_t kChains = 16;

}  // namespace

double multiply_add_peak(double seconds) {
  Vector chain[kChains];
  Vector factor, addend;
  for (std::size_t i = 0; i < kLanes; ++i) factor[i] = 0.999999, addend[i] = 1e-9;
  for (auto& c : chain) c = addend;
  constexpr int kInner = 20000;
  double flop = 0;
  const auto start = Clock::now();
  while (seconds_since(start) < seconds) {
    for (int i = 0; i < kInner; ++i) {
#pragma GCC unroll 16
      for (auto& c : chain) c = c * factor + addend;
    }
    flop += 2.0 * kLanes * kChains * kInner;
  }
  const double elapsed = seconds_since(start);
  volatile double sink = 0;  // the chains must not be optimised away
  for (const auto& c : chain) sink = sink + c[0];
  return flop / elapsed;
}

double triad_bandwidth() {
  constexpr std::size_t kSize = std::size_t{16} << 20;  // 128 MB an array
  static std::vector<double> a(kSize, 1.0), b(kSize, 2.0), c(kSize, 3.0);
  const double s = 0.5;
  const auto start = Clock::now();
  for (std::size_t i = 0; i < kSize; ++i) a[i] = b[i] + s * c[i];
  const double elapsed = seconds_since(start);
  volatile double sink = a[kSize / 2];
  (void)sink;
  return 3.0 * kSize * sizeof(double) / elapsed;
}

}  // namespace sunder::bench
