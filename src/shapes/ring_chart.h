#pragma once
// The angle-preserving chart of a surface of circles: a curve with arc length s from circle to circle, and their radii
// r(s). With rho = exp(integral ds / r) the metric ds^2 + r^2 dtheta^2 becomes (r / rho)^2 (drho^2 + rho^2 dtheta^2),
// so that triangles well shaped in the chart are well shaped in the world, and a closed end of the surface is an
// ordinary point of the chart.

#include <span>
#include <vector>

#include "core/vec.h"

namespace sunder {

class RingChart {
 public:
  // Vertices of the curve: s ascends, r > 0 but for the first, which may be 0. Both are linear in between.
  RingChart(std::span<const double> s, std::span<const double> r);

  // Widths of log(rho) above this one are out of reach of double precision.
  static constexpr double kLongest = 300;
  double length() const { return log_rho_.back() - log_rho_.front(); }  // of the integral of ds / r, the pole left out

  double radius(std::size_t vertex) const { return rho_[vertex]; }

  struct Place {
    std::size_t vertex;  // start of the piece of the curve
    double fraction;     // from there to the next vertex, 0 to 1
    double angle;        // radians
  };
  Place locate(const Vec2& chart) const;

 private:
  std::vector<double> r_, rho_, log_rho_;
  double pole_power_ = 1;  // s ~ rho^power next to the pole
  bool pole_ = false;
};

}  // namespace sunder
