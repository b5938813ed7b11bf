#include "shapes/ring_chart.h"

#include <algorithm>
#include <cmath>

namespace sunder {

RingChart::RingChart(std::span<const double> s, std::span<const double> r)
    : r_(r.begin(), r.end()), pole_(r.front() == 0) {
  const std::size_t first = pole_ ? 1 : 0;
  log_rho_.assign(r_.size(), 0);  // rho is 1 on the first circle
  for (std::size_t i = first + 1; i < r_.size(); ++i) {
    // integral of ds / r over a piece with linear r
    const double ds = s[i] - s[i - 1], ratio = r_[i] / r_[i - 1];
    const double dr = r_[i] - r_[i - 1];
    log_rho_[i] =
        log_rho_[i - 1] + (std::abs(ratio - 1) > 1e-9 ? ds / dr * std::log(ratio) : 2 * ds / (r_[i] + r_[i - 1]));
  }
  rho_.resize(r_.size());
  for (std::size_t i = 0; i < r_.size(); ++i) rho_[i] = std::exp(std::min(log_rho_[i], 2 * kLongest));
  if (pole_) {
    rho_[0] = 0;
    pole_power_ = r_[1] / (s[1] - s[0]);
  }
}

RingChart::Place RingChart::locate(const Vec2& chart) const {
  const double rho = chart.norm(), angle = std::atan2(chart.y(), chart.x());
  const auto above = std::upper_bound(rho_.begin(), rho_.end(), rho);
  const std::size_t i = std::clamp<std::ptrdiff_t>(above - rho_.begin() - 1, 0, std::ssize(rho_) - 2);
  if (pole_ && i == 0) return {0, std::pow(rho / rho_[1], pole_power_), angle};
  const double t = std::clamp((std::log(rho) - log_rho_[i]) / (log_rho_[i + 1] - log_rho_[i]), 0.0, 1.0);
  const double ratio = r_[i + 1] / r_[i];
  const double fraction = std::abs(ratio - 1) > 1e-9 ? (std::pow(ratio, t) - 1) / (ratio - 1) : t;
  return {i, fraction, angle};
}

}  // namespace sunder
