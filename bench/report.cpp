#include "bench/report.h"

#include <fmt/format.h>

namespace sunder::bench {
namespace {

std::string count(std::size_t tets) {
  return tets >= 1000000 ? fmt::format("{:.1f}M", 1e-6 * static_cast<double>(tets))
                         : fmt::format("{:.1f}k", 1e-3 * static_cast<double>(tets));
}

const Row* find(const Report& report, const std::string& what, double tets, const std::string& order, int threads) {
  for (const Row& row : report.rows) {
    const double size = static_cast<double>(row.tets);
    if (row.what == what && size > 0.7 * tets && size < 1.6 * tets && row.order == order && row.threads == threads) {
      return &row;
    }
  }
  return nullptr;
}

std::string ratio_line(const std::string& what, const Row* a, const Row* b, const std::string& goal) {
  if (a == nullptr || b == nullptr || b->rates.median <= 0) return "";
  return fmt::format("| {} | {:.2f} | {} |\n", what, a->rates.median / b->rates.median, goal);
}

}  // namespace

std::string markdown(const Report& r) {
  std::string text = "# Speed\n\n";
  text += fmt::format(
      "Written by `make bench` on {}, {} threads: {} interleaved rounds, {} dropped because the machine's own peak "
      "fell by "
      "10 %. Rates are medians with quartiles, in million tet-steps per second (force, stress, node update: a whole "
      "step "
      "of the solver). Take ratios from one run only: the machines are shared.\n\n",
      r.machine, r.threads, r.rounds, r.dropped);
  text += fmt::format(
      "Multiply-add peak of one thread, f64: {:.1f} Gflop/s. Triad bandwidth of one thread: {:.1f} GB/s.\n\n",
      1e-9 * r.peak.median, 1e-9 * r.triad.median);
  text += "| what | tets | order | threads | Mtet/s | quartiles | of peak |\n|---|---|---|---|---|---|---|\n";
  for (const Row& row : r.rows) {
    text += fmt::format("| {} | {} | {} | {} | {:.1f} | {:.1f} - {:.1f} | {:.0f} % |\n", row.what, count(row.tets),
                        row.order, row.threads, 1e-6 * row.rates.median, 1e-6 * row.rates.lower, 1e-6 * row.rates.upper,
                        100 * row.rates.median * kFlopPerTetStep / (r.peak.median * row.threads));
  }
  text += fmt::format("\nOf peak: rate times {} flop, over the multiply-add peak of that many threads.\n\n",
                      kFlopPerTetStep);

  text += "| ratio | value | goal |\n|---|---|---|\n";
  const int all = r.threads;
  for (const double size : {8e3, 1e5}) {
    const std::string at = size < 1e5 ? " at 8k" : " at 100k";
    text += ratio_line("ours over plain Eigen, one thread" + at, find(r, "sunder", size, "natural", 1),
                       find(r, "plain Eigen", size, "natural", 1), "4");
    text += ratio_line("ours over Bullet, one thread" + at, find(r, "sunder", size, "natural", 1),
                       find(r, "Bullet", size, "natural", 1), "10");
  }
  for (const auto& [size, goal] : {std::pair{1e5, "1.85"}, std::pair{8e3, "1.5"}, std::pair{1e3, "1"}}) {
    text += ratio_line(fmt::format("{} threads over one at {}", all, count(static_cast<std::size_t>(size))),
                       find(r, "sunder", size, "natural", all), find(r, "sunder", size, "natural", 1), goal);
  }
  text += ratio_line("1M over 100k, one thread", find(r, "sunder", 1e6, "natural", 1),
                     find(r, "sunder", 1e5, "natural", 1), "0.75");
  text += ratio_line("shuffled over natural at 100k", find(r, "sunder", 1e5, "shuffled", 1),
                     find(r, "sunder", 1e5, "natural", 1), "0.95");
  text += ratio_line("shuffled over natural at 1M", find(r, "sunder", 1e6, "shuffled", 1),
                     find(r, "sunder", 1e6, "natural", 1), "0.95");
  text += fmt::format("\nHot data: {:.0f} bytes a tet (goal: at most 130).", r.hot_bytes_per_tet);
  if (r.instructions_per_tet_step > 0) {
    text += fmt::format(" Instructions a tet-step under callgrind, AVX2 forced: {:.0f}.", r.instructions_per_tet_step);
  }
  return text + "\n";
}

}  // namespace sunder::bench
