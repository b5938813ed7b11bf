#pragma once
// Bars and beams against the continuum, whatever method they are of: what the table of docs/lattice.md and tests
// measure.
//
// Square bars, sixteen times as long as thick, free in space. Stiffness is read off the energy under a uniform pull;
// waves are followed as they run; frequencies are those of the first mode along the bar and of the first bending mode;
// the breaking load is that of a bar whose ends are drawn apart, slowly, until it fails.

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <memory>
#include <numbers>
#include <vector>

#include "core/vec.h"

namespace sunder::bars {

inline constexpr double kLength = 1.6, kThickness = 0.1;                 // m
inline constexpr double kYoung = 1e7, kPoisson = 0.25, kDensity = 1000;  // Pa, -, kg/m^3
inline constexpr double kStrength = 1e5;                                 // Pa: breaks at a strain of 0.01
inline const double kSpeed = std::sqrt(kYoung / kDensity);               // m/s, of waves along a thin bar

// How a bar starts: positions and velocities by the place s in [0, length] along it and y, z from its axis.
struct Start {
  std::function<Vec3(const Vec3&)> displacement = [](const Vec3&) { return Vec3(Vec3::Zero()); };
  std::function<Vec3(const Vec3&)> velocity = [](const Vec3&) { return Vec3(Vec3::Zero()); };
};

struct BarOptions {
  int cells = 1;        // through the thickness
  double strength = 0;  // Pa; 0: cannot break
  double scatter = 0;   // of it
  std::uint64_t seed = 1;
  double pull = 0;     // m/s, of each end, outwards; 0: free
  double damping = 0;  // ratio, of vibrations as short as a cell
};

class Bar {
 public:
  virtual ~Bar() = default;
  virtual void step() = 0;
  virtual double time() const = 0;
  virtual double elastic() const = 0;  // J
  virtual double load() const = 0;     // N, that its ends are drawn apart with
  virtual double mass(std::size_t node) const = 0;
  virtual Vec3 velocity(std::size_t node) const = 0;

  std::vector<Vec3> at;  // by node: s, y, z
};

using MakeBar = std::function<std::unique_ptr<Bar>(const BarOptions&, const Start&)>;

// Young's modulus, Pa: twice the energy under a small uniform strain, with the contraction across that it brings.
inline double young(const MakeBar& make, int cells) {
  constexpr double kStrain = 1e-5;
  Start start;
  start.displacement = [](const Vec3& x) {
    return Vec3(kStrain * x.x(), -kPoisson * kStrain * x.y(), -kPoisson * kStrain * x.z());
  };
  return 2 * make({.cells = cells}, start)->elastic() / (kLength * kThickness * kThickness * kStrain * kStrain);
}

// m/s: how far the middle of a pulse gets in a time. It runs to the right: velocity -c times strain.
inline double wave_speed(const MakeBar& make, int cells) {
  constexpr double kWidth = 2.5 * kThickness, kFrom = 0.3 * kLength;
  const auto strain = [](double s) { return 1e-5 * std::exp(-std::pow((s - kFrom) / kWidth, 2)); };
  Start start;
  start.displacement = [&](const Vec3& x) {
    const double root = std::sqrt(std::numbers::pi) / 2 * kWidth;
    return Vec3(1e-5 * root * std::erf((x.x() - kFrom) / kWidth), -kPoisson * strain(x.x()) * x.y(),
                -kPoisson * strain(x.x()) * x.z());
  };
  start.velocity = [&](const Vec3& x) { return Vec3(-kSpeed * strain(x.x()), 0, 0); };
  const std::unique_ptr<Bar> bar = make({.cells = cells}, start);
  const auto middle = [&] {
    double sum = 0, moment = 0;
    for (std::size_t i = 0; i < bar->at.size(); ++i) {
      const double weight = bar->mass(i) * std::pow(bar->velocity(i).x(), 2);
      sum += weight, moment += weight * bar->at[i].x();
    }
    return moment / sum;
  };
  // Between two moments under way: velocities lag half a step behind, at both alike.
  while (bar->time() < 0.05 * kLength / kSpeed) bar->step();
  const double from = middle(), start_time = bar->time();
  while (bar->time() < 0.4 * kLength / kSpeed) bar->step();
  return (middle() - from) / (bar->time() - start_time);
}

// 1/s, of the mode that the bar starts in, with velocities of that shape.
inline double frequency(const MakeBar& make, int cells, const std::function<Vec3(const Vec3&)>& shape) {
  Start start;
  start.velocity = [&](const Vec3& x) { return Vec3(1e-5 * shape(x)); };
  const std::unique_ptr<Bar> bar = make({.cells = cells}, start);
  const auto amplitude = [&] {
    double sum = 0;
    for (std::size_t i = 0; i < bar->at.size(); ++i) sum += bar->mass(i) * bar->velocity(i).dot(shape(bar->at[i]));
    return sum;
  };
  std::vector<double> zeros;
  for (double before = amplitude(); zeros.size() < 3;) {
    const double last = bar->time();
    bar->step();
    const double now = amplitude();
    if (before * now < 0) zeros.push_back(bar->time() - (bar->time() - last) * now / (now - before));
    before = now;
  }
  return 1 / (zeros[2] - zeros[0]);
}

inline double along_frequency(const MakeBar& make, int cells) {
  return frequency(make, cells, [](const Vec3& x) {
    const double wave = std::numbers::pi * x.x() / kLength;
    // what is pulled gets thinner
    return Vec3(std::cos(wave), kPoisson * std::numbers::pi / kLength * std::sin(wave) * x.y(),
                kPoisson * std::numbers::pi / kLength * std::sin(wave) * x.z());
  });
}

inline double bending_frequency(const MakeBar& make, int cells) {
  return frequency(make, cells, [](const Vec3& x) {
    constexpr double kBeta = 4.730040744862704, kSigma = 0.982502214576238;  // of a free beam's first mode
    const double b = kBeta * x.x() / kLength;
    const double deflection = std::cosh(b) + std::cos(b) - kSigma * (std::sinh(b) + std::sin(b));
    const double slope = kBeta / kLength * (std::sinh(b) - std::sin(b) - kSigma * (std::cosh(b) + std::cos(b)));
    return Vec3(-slope * x.y(), deflection, 0);
  });
}

// Of a free square bar with shear and rotation of its sections, the formula of ASTM E1876 (Pickett's) solved for f:
//   E = 0.9465 (m f^2 / b) (L / t)^3 T
inline double bending_frequency_of_continuum() {
  constexpr double kRatio = (kThickness / kLength) * (kThickness / kLength), nu = kPoisson;
  const double t = 1 + 6.585 * (1 + 0.0752 * nu + 0.8109 * nu * nu) * kRatio - 0.868 * kRatio * kRatio -
                   8.340 * (1 + 0.2023 * nu + 2.173 * nu * nu) * kRatio * kRatio /
                       (1 + 6.338 * (1 + 0.1408 * nu + 1.536 * nu * nu) * kRatio);
  const double mass = kDensity * kLength * kThickness * kThickness;
  return std::sqrt(kYoung * kThickness / (0.9465 * mass * std::pow(kLength / kThickness, 3) * t));
}

// Pa: the largest load over the section, of a bar drawn apart until it bears next to nothing.
inline double breaking_stress(const MakeBar& make, const BarOptions& how) {
  BarOptions options = how;
  options.strength = kStrength, options.damping = 0.1;
  options.pull = 0.01 * kStrength / kYoung * kSpeed;  // a wave crosses the bar a hundred times
  Start start;
  start.velocity = [&](const Vec3& x) { return Vec3(options.pull * (2 * x.x() / kLength - 1), 0, 0); };
  const std::unique_ptr<Bar> bar = make(options, start);
  constexpr double kFailed = 0.3;
  const double longest = 3 * kStrength / kYoung * kLength / (2 * options.pull);
  double most = 0, load = 0;
  for (int step = 0; bar->time() < longest; ++step) {
    bar->step();
    if (step % 10 != 0) continue;  // loads change slowly
    load = bar->load();
    most = std::max(most, load);
    if (most > 0.1 * kStrength * kThickness * kThickness && load < kFailed * most) break;
  }
  return most / (kThickness * kThickness);
}

}  // namespace sunder::bars
