#pragma once
// Interleaved rounds: in each, every contender runs for a moment, so that all meet the same moods of a shared machine.
// A round in which the machine's own peak fell by 10 % is dropped and run again.

#include <functional>
#include <string>
#include <vector>

namespace sunder::bench {

struct Contender {
  std::string name;
  double work_per_call = 1;  // what one call does, for example element-steps
  std::function<void()> call;
  double least_seconds = 0.1;  // per round; at least one call
};

struct Rates {
  double lower = 0, median = 0, upper = 0;  // work per second: quartiles over the rounds
};

struct RoundsResult {
  std::vector<Rates> rates;   // in the order of the contenders
  std::vector<double> probe;  // of the rounds that count, flop/s
  int dropped = 0;
};

RoundsResult run_rounds(const std::vector<Contender>& contenders, int rounds, const std::function<double()>& probe);

Rates quartiles(std::vector<double> values);

}  // namespace sunder::bench
