#include "sim/energy_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace sunder {
namespace {

constexpr double kExcess = 4;       // times the energy accounted for may come from nowhere
constexpr double kRoundOff = 1e-9;  // of the largest term of the books
constexpr double kStill = 1e-6;     // m/s: what nothing but round-off has moved, before anything happens, is slower

}  // namespace

std::optional<double> EnergyWatch::look(const Totals& t, const std::vector<Reaction>& reactions) {
  double work = 0;
  for (const Reaction& r : reactions) work += r.work;
  const double alive = t.kinetic + t.elastic + t.contact;
  const double books = alive + t.gravity + t.dissipated - work;
  if (!std::isfinite(books)) return std::numeric_limits<double>::infinity();
  if (!started_) books_ = books, gravity_ = t.gravity;
  started_ = true;
  const double excess = books - books_;
  const double turnover = std::max(
      {std::abs(t.gravity - gravity_), std::abs(work), alive - std::max(0.0, excess), 0.5 * t.mass * kStill * kStill});
  accounted_ = std::max(accounted_, turnover);
  cleared_ = std::max(2 * t.kinetic, accounted_);
  const double allowed = kExcess * accounted_ + kRoundOff * std::max(std::abs(t.gravity), std::abs(books_));
  if (excess > allowed) return excess;
  return std::nullopt;
}

}  // namespace sunder
