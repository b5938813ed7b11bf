#pragma once
// What the machine can do at best: the yardsticks of the benchmark.

#include <cstddef>

namespace sunder::bench {

// Double-precision multiply-adds on one thread, the widest vectors, enough independent chains to fill the pipes; flop/s
// over about `seconds`.
double multiply_add_peak(double seconds);

// a = b + s c over arrays far larger than any cache; bytes/s, all three arrays counted.
double triad_bandwidth();

}  // namespace sunder::bench
