#include "bench/rounds.h"

#include <algorithm>
#include <chrono>
#include <cmath>

namespace sunder::bench {
namespace {

using Clock = std::chrono::steady_clock;

double rate(const Contender& contender) {
  const auto start = Clock::now();
  double calls = 0, seconds = 0;
  do {
    contender.call();
    ++calls;
    seconds = std::chrono::duration<double>(Clock::now() - start).count();
  } while (seconds < contender.least_seconds);
  return calls * contender.work_per_call / seconds;
}

}  // namespace

Rates quartiles(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  const auto at = [&](double share) {
    return values[static_cast<std::size_t>(std::lround(share * static_cast<double>(values.size() - 1)))];
  };
  return {at(0.25), at(0.5), at(0.75)};
}

RoundsResult run_rounds(const std::vector<Contender>& contenders, int rounds, const std::function<double()>& probe) {
  RoundsResult result;
  std::vector<std::vector<double>> rates(contenders.size());
  for (const Contender& c : contenders) c.call();  // warm up: pages, caches, threads
  double best = probe();
  const int most_tries = 3 * rounds;
  for (int tries = 0; static_cast<int>(result.probe.size()) < rounds && tries < most_tries; ++tries) {
    const double before = probe();
    std::vector<double> round;
    for (const Contender& c : contenders) round.push_back(rate(c));
    const double after = probe();
    best = std::max({best, before, after});
    if (std::min(before, after) < 0.9 * best) {
      ++result.dropped;
      continue;
    }
    for (std::size_t i = 0; i < contenders.size(); ++i) rates[i].push_back(round[i]);
    result.probe.push_back(std::min(before, after));
  }
  for (auto& r : rates) result.rates.push_back(r.empty() ? Rates{} : quartiles(r));
  return result;
}

}  // namespace sunder::bench
