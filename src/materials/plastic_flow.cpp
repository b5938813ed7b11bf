#include "materials/plastic_flow.h"

#include <algorithm>
#include <cmath>

#include "geometry/symmetric_eigen.h"

namespace sunder {
namespace {

constexpr double kFlattest = 1e-6;    // square of the shortest axis: what is flatter is the crush barrier's affair
constexpr double kTolerance = 1e-12;  // of the stress that is borne
constexpr int kMostIterations = 60;   // of which a handful are needed

// 3/2 |dev M|^2 from the diagonal of M in its own axes.
double von_mises_square(const Vec3& m) {
  const double a = m[0] - m[1], b = m[1] - m[2], c = m[2] - m[0];
  return 0.5 * (a * a + b * b + c * c);
}

}  // namespace

// M = Ce S = (lambda tr(E) - mu) Ce + mu Ce^2. With Ce = m I + D, tr D = 0,
//
//   dev M = k D + mu dev(D^2),  k = lambda tr(E) - mu + 2 mu m,
//
// and for such a D  |dev(D^2)|^2 = |D|^4 / 6,  D : D^2 = 3 det D.
double PlasticFlow::equivalent_stress_square(const Mat3& c) const {
  const double trace = c(0, 0) + c(1, 1) + c(2, 2), m = trace / 3;
  const double x = c(0, 0) - m, y = c(1, 1) - m, z = c(2, 2) - m, yz = c(2, 1), xz = c(2, 0), xy = c(1, 0);
  const double square = x * x + y * y + z * z + 2 * (yz * yz + xz * xz + xy * xy);
  const double determinant = x * (y * z - yz * yz) - xy * (xy * z - yz * xz) + xz * (xy * yz - y * xz);
  const double k = 0.5 * m_.lambda * (trace - 3) - m_.mu + 2 * m_.mu * m;
  return 1.5 * (k * k * square + 6 * k * m_.mu * determinant + m_.mu * m_.mu * square * square / 6);
}

double PlasticFlow::equivalent_stress(const Mat3& c) const {
  return std::sqrt(std::max(0.0, equivalent_stress_square(c)));  // round-off may make it negative
}

// lambda/2 tr(E)^2 + mu E:E
double PlasticFlow::energy_density(const Mat3& c) const {
  const double trace = 0.5 * (c.trace() - 3);
  return 0.5 * m_.lambda * trace * trace + 0.25 * m_.mu * (c - Mat3::Identity()).squaredNorm();
}

bool PlasticFlow::yields(const Mat3& c, double strain) const {
  if (strain >= m_.plastic_limit) return false;
  const double bound = bears(strain);
  return equivalent_stress_square(c) > bound * bound;
}

// Of r: what the limit leaves, if all of d were the strain `whole`.
double PlasticFlow::least_share(double strain, double whole) const {
  return whole > 0 ? 1 - (m_.plastic_limit - strain) / whole : 1;
}

PlasticFlow::Step PlasticFlow::flow(const Mat3& c, double strain) const {
  if (!yields(c, strain)) return {};
  Step step;
  return flow_a_little(c, strain, step) ? step : flow_far(c, strain);
}

// Without the axes of Ce, where its strains and what flows are small, as in nearly every step: with Ce = m (I + x),
// tr x = 0,  d = 1/2 dev ln(I + x) = 1/2 dev(x - x^2/2 + x^3/3 - ...), and since x^3 = |x|^2/2 x + det x I, every power
// is a x + b x^2 + c I. False if anything is not small.
bool PlasticFlow::flow_a_little(const Mat3& c, double strain, Step& step) const {
  constexpr double kSmall = 0.2;       // |x|: 24 terms leave 1e-18
  constexpr double kSmallStep = 0.03;  // |(r - 1) d|: six terms of the exponential leave 1e-14
  const double m = c.trace() / 3;
  const Mat3 x = c / m - Mat3::Identity();
  const double square = x.squaredNorm();
  if (!(square < kSmall * kSmall)) return false;
  const double determinant = x(0, 0) * (x(1, 1) * x(2, 2) - x(2, 1) * x(2, 1)) -
                             x(1, 0) * (x(1, 0) * x(2, 2) - x(2, 1) * x(2, 0)) +
                             x(2, 0) * (x(1, 0) * x(2, 1) - x(1, 1) * x(2, 0));
  double a = 1, b = 0, e = 0, first = 0, second = 0;  // x^k = a x + b x^2 + e I; the sums of the series
  for (int k = 1; k <= 24; ++k) {
    const double weight = (k % 2 == 1 ? 0.5 : -0.5) / k;
    first += weight * a, second += weight * b;
    const double next = 0.5 * square * b + e;
    e = determinant * b, b = a, a = next;
  }
  const Mat3 d = first * x + second * (x * x - square / 3 * Mat3::Identity());
  const double norm = d.norm(), whole = std::sqrt(2.0 / 3) * norm;

  const auto back = [&](double r) -> Mat3 {
    const Mat3 z = (r - 1) * d, one = Mat3::Identity();
    return one + z * (one + z / 2 * (one + z / 3 * (one + z / 4 * (one + z / 5 * (one + z / 6)))));
  };
  const auto excess = [&](const Mat3& shrink, double r) {
    return equivalent_stress(shrink * c * shrink) - bears(strain + (1 - r) * whole);
  };
  // q is nearly in proportion to r: a first guess, then the secant.
  const double now = equivalent_stress(c), borne = bears(strain);
  const double least = least_share(strain, whole);
  double r = 1 - (now - borne) / (now + m_.hardening * whole), last = 1, at_last = now - borne;
  for (int i = 0; i < 8; ++i) {
    r = std::max(r, least);
    if (!((1 - r) * norm < kSmallStep && r > 0.2 && r < 1)) return false;
    step.back = back(r), step.strain = (1 - r) * whole;
    const double here = excess(step.back, r);
    if (std::abs(here) <= kTolerance * borne || r == least || here == at_last) break;
    const double next = r - here * (r - last) / (here - at_last);
    last = r, at_last = here, r = next;
  }
  return true;
}

PlasticFlow::Step PlasticFlow::flow_far(const Mat3& c, double strain) const {
  const SymmetricEigen axes = symmetric_eigen(c);
  const Vec3 squares(axes.values[0], axes.values[1], axes.values[2]);
  if (!(squares[2] > kFlattest)) return {};
  const Vec3 h = 0.5 * squares.array().log();
  const double mean = h.mean();
  const Vec3 d = h.array() - mean;
  const double whole = std::sqrt(2.0 / 3) * d.norm();  // da, if all of d went

  // q - what is borne, at a share r of d
  const auto excess = [&](double r) {
    const Vec3 e = (2 * (mean + r * d.array())).exp();
    const double trace = 0.5 * (e.sum() - 3);
    const Vec3 mandel = e.array() * (m_.lambda * trace + m_.mu * (e.array() - 1));
    return std::sqrt(von_mises_square(mandel)) - bears(strain + (1 - r) * whole);
  };
  // Between nothing, where q is zero, and everything, where it is too much; nearly a straight line. False position,
  // where the end that stays put counts half (Illinois).
  double low = 0, high = 1, at_low = excess(0), at_high = excess(1);
  double r = 1;
  for (int i = 0, last = 0; i < kMostIterations && at_high > 0; ++i) {
    r = high - at_high * (high - low) / (at_high - at_low);
    const double here = excess(r);
    if (std::abs(here) <= kTolerance * bears(strain)) break;
    if (here > 0) {
      high = r, at_high = here;
      if (last == 1) at_low /= 2;
      last = 1;
    } else {
      low = r, at_low = here;
      if (last == -1) at_high /= 2;
      last = -1;
    }
  }
  r = std::max(r, least_share(strain, whole));
  if (!(r < 1)) return {};

  Step step;
  const Vec3 shrink = ((r - 1) * d.array()).exp();
  step.back = axes.vectors * shrink.asDiagonal() * axes.vectors.transpose();
  // A strongly crushed element gains energy on its way to a mere change of volume: it stays as it is.
  if (energy_density(step.back * c * step.back) > energy_density(c)) return {};
  step.strain = (1 - r) * whole;
  return step;
}

}  // namespace sunder
