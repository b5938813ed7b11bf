#pragma once
// The benchmark's results as a Markdown page, the same on the terminal and in docs/performance.md.

#include <string>
#include <vector>

#include "bench/rounds.h"

namespace sunder::bench {

struct Row {
  std::string what;  // "ours, 100k"
  std::size_t tets = 0;
  std::string order;  // natural, shuffled
  int threads = 1;
  Rates rates;  // element-steps per second
};

struct Report {
  std::string machine;
  int threads = 1;
  int rounds = 0, dropped = 0;
  Rates peak;   // flop/s, one thread
  Rates triad;  // bytes/s, one thread
  std::vector<Row> rows;
  double hot_bytes_per_tet = 0;
  double instructions_per_tet_step = 0;  // callgrind, AVX2; 0: valgrind was not there
};

// One tet-step: Green strain, rate, elastic and viscous stress, four corner forces, its share of the node update.
inline constexpr double kFlopPerTetStep = 328;

std::string markdown(const Report& report);

}  // namespace sunder::bench
