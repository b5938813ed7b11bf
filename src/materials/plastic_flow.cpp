#include "materials/plastic_flow.h"

#include <algorithm>
#include <cmath>

#include "geometry/symmetric_eigen.h"

namespace sunder {
namespace {

constexpr double kFlattest = 1e-6;    // square of the shortest axis: what is flatter is the crush barrier's affair
constexpr double kTolerance = 1e-13;  // of the stress that is borne
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

PlasticFlow::Step PlasticFlow::flow(const Mat3& c, double strain) const {
  if (!yields(c, strain)) return {};
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
  if (whole > 0) r = std::max(r, 1 - (m_.plastic_limit - strain) / whole);
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
