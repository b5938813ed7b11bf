// Bars and beams, by lattices and by tetrahedra, against the continuum: the table of docs/lattice.md. One thread.
//
// Square bars, sixteen times as long as thick, free in space. Stiffness is read off the energy under a uniform pull;
// waves are followed as they run; frequencies are those of the first mode along the bar and of the first bending mode;
// the breaking load is that of a bar whose ends are drawn apart, slowly, until it fails.

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <functional>
#include <memory>
#include <numbers>
#include <utility>
#include <vector>

#include "core/parallel.h"
#include "materials/material.h"
#include "meshing/box_mesh.h"
#include "solvers/lattice_norton91/lattice_testing.h"
#include "solvers/tet_oh99/tet_solver.h"

namespace sunder::bench {
namespace {

using std::numbers::pi;

constexpr double kLength = 1.6, kThickness = 0.1;                 // m
constexpr double kYoung = 1e7, kPoisson = 0.25, kDensity = 1000;  // Pa, -, kg/m^3
constexpr double kStrength = 1e5;                                 // Pa: breaks at a strain of 0.01
const double kSpeed = std::sqrt(kYoung / kDensity);               // m/s, of waves along a thin bar

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

class LatticeBar final : public Bar {
 public:
  LatticeBar(const BarOptions& options, const Start& start) : options_(options) {
    using namespace lattice_norton91;
    const auto n = static_cast<std::size_t>(options.cells);
    LatticeBody body = body_of(grid(16 * n, n, n, kThickness / options.cells));
    body.material = {.young = kYoung,
                     .density = kDensity,
                     .threshold = options.strength / kYoung,
                     .scatter = options.scatter,
                     .damping = options.damping,
                     .seed = options.seed};
    solver_ = std::make_unique<LatticeSolver>(floating(std::move(body)));
    for (const NodeId i : id_range<NodeId>(solver_->position().size())) {
      const Vec3 rest = solver_->lattice().rest[i];
      at.emplace_back(rest - Vec3(0, kThickness / 2, kThickness / 2));
      solver_->position()[i] = rest + start.displacement(at.back());
      solver_->velocity()[i] = start.velocity(at.back());
    }
  }
  void step() override {
    time_ += solver_->step(solver_->stable_dt()).dt;
    if (options_.pull == 0) return;
    for (const NodeId i : id_range<NodeId>(at.size())) {
      const double s = at[i.index].x(), side = s < 1e-9 ? -1 : s > kLength - 1e-9 ? 1 : 0;
      if (side == 0) continue;
      solver_->position()[i].x() = s + side * options_.pull * time_;
      solver_->velocity()[i].x() = side * options_.pull;
    }
  }
  double time() const override { return time_; }
  double elastic() const override { return solver_->totals().elastic; }
  // Through a cut in the middle of a cell, half way.
  double load() const override {
    const lattice_norton91::Lattice& lattice = solver_->lattice();
    const double cut = kLength / 2 + 0.5 * kThickness / options_.cells;
    double sum = 0;
    for (std::uint32_t b = 0; b < lattice.bond_count(); ++b) {
      const NodeId i(lattice.ends[b][0]), j(lattice.ends[b][1]);
      const double side = (lattice.rest[j].x() - cut) * (lattice.rest[i].x() - cut);
      if (side > 0 || !solver_->breakage().whole(b)) continue;
      const Vec3 d = solver_->position()[j] - solver_->position()[i];
      const double pull = lattice.stiffness[b] * (d.norm() - lattice.length[b]);
      sum += pull * std::abs(d.x()) / d.norm();
    }
    return sum;
  }
  double mass(std::size_t node) const override { return solver_->lattice().mass[NodeId(node)]; }
  Vec3 velocity(std::size_t node) const override { return std::as_const(*solver_).velocity()[NodeId(node)]; }

 private:
  BarOptions options_;
  std::unique_ptr<lattice_norton91::LatticeSolver> solver_;
  double time_ = 0;
};

class TetBar final : public Bar {
 public:
  TetBar(const BarOptions& options, const Start& start) {
    using namespace tet_oh99;
    const double cell = kThickness / options.cells;
    const TetSoup soup = box_mesh(Vec3(kLength, kThickness, kThickness), 0.93 * cell, options.seed);
    const Lame lame = lame_from_young(kYoung, kPoisson);
    Material m;
    m.lambda = lame.lambda, m.mu = lame.mu, m.density = kDensity;
    const double relaxation = 2 * options.damping * cell / (pi * kSpeed);  // s: 2 zeta / omega
    m.phi = relaxation * m.lambda, m.psi = relaxation * m.mu;
    TetSetup setup;
    setup.mesh.append(soup, {});
    setup.body_names = {"bar"};
    setup.materials.push_back(isotropic_material(m));
    setup.parameters.gravity.setZero();
    if (options.strength > 0) {
      ToughnessField field;
      field.base = {.value = options.strength, .measure = Toughness::Measure::stress};
      setup.toughness = {field};
    }
    std::array<std::vector<NodeId>, 2> end;
    for (std::size_t i = 0; i < soup.points.size(); ++i) {
      const Vec3& p = soup.points[i];
      at.emplace_back(p + Vec3(kLength / 2, 0, 0));
      setup.state.position.push_back(p + start.displacement(at.back()));
      setup.state.velocity.push_back(start.velocity(at.back()));
      if (at.back().x() < 1e-9) end[0].emplace_back(i);
      if (at.back().x() > kLength - 1e-9) end[1].emplace_back(i);
    }
    if (options.pull > 0) {
      for (std::size_t e = 0; e < 2; ++e) {
        Region region;
        region.name = e == 0 ? "left" : "right", region.kind = Region::Kind::move;
        region.nodes = end[e], region.axes = {true, false, false};
        region.velocity = Vec3(e == 0 ? -options.pull : options.pull, 0, 0);
        setup.regions.push_back(region);
      }
    }
    solver_ = std::make_unique<TetSolver>(std::move(setup));
  }
  void step() override { time_ += solver_->step(solver_->stable_dt()).dt; }
  double time() const override { return time_; }
  double elastic() const override { return solver_->totals().elastic; }
  double load() const override {
    for (const Reaction& r : solver_->reactions()) {
      if (r.name == "right") return r.force.x();
    }
    return 0;
  }
  double mass(std::size_t node) const override { return solver_->masses()[NodeId(node)]; }
  Vec3 velocity(std::size_t node) const override { return solver_->state().velocity[NodeId(node)]; }

 private:
  std::unique_ptr<tet_oh99::TetSolver> solver_;
  double time_ = 0;
};

using MakeBar = std::function<std::unique_ptr<Bar>(const BarOptions&, const Start&)>;

// Young's modulus, Pa: twice the energy under a small uniform strain, with the contraction across that it brings.
double young(const MakeBar& make, int cells) {
  constexpr double kStrain = 1e-5;
  Start start;
  start.displacement = [](const Vec3& x) {
    return Vec3(kStrain * x.x(), -kPoisson * kStrain * x.y(), -kPoisson * kStrain * x.z());
  };
  return 2 * make({.cells = cells}, start)->elastic() / (kLength * kThickness * kThickness * kStrain * kStrain);
}

// m/s: how far the middle of a pulse gets in a time. It runs to the right: velocity -c times strain.
double wave_speed(const MakeBar& make, int cells) {
  constexpr double kWidth = 2.5 * kThickness, kFrom = 0.3 * kLength;
  const auto strain = [](double s) { return 1e-5 * std::exp(-std::pow((s - kFrom) / kWidth, 2)); };
  Start start;
  start.displacement = [&](const Vec3& x) {
    const double root = std::sqrt(pi) / 2 * kWidth;
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
double frequency(const MakeBar& make, int cells, const std::function<Vec3(const Vec3&)>& shape) {
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

double along_frequency(const MakeBar& make, int cells) {
  return frequency(make, cells, [](const Vec3& x) {
    const double wave = pi * x.x() / kLength;
    // what is pulled gets thinner
    return Vec3(std::cos(wave), kPoisson * pi / kLength * std::sin(wave) * x.y(),
                kPoisson * pi / kLength * std::sin(wave) * x.z());
  });
}

double bending_frequency(const MakeBar& make, int cells) {
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
double bending_frequency_of_continuum() {
  constexpr double kRatio = (kThickness / kLength) * (kThickness / kLength), nu = kPoisson;
  const double t = 1 + 6.585 * (1 + 0.0752 * nu + 0.8109 * nu * nu) * kRatio - 0.868 * kRatio * kRatio -
                   8.340 * (1 + 0.2023 * nu + 2.173 * nu * nu) * kRatio * kRatio /
                       (1 + 6.338 * (1 + 0.1408 * nu + 1.536 * nu * nu) * kRatio);
  const double mass = kDensity * kLength * kThickness * kThickness;
  return std::sqrt(kYoung * kThickness / (0.9465 * mass * std::pow(kLength / kThickness, 3) * t));
}

// Pa: the largest load over the section, of a bar drawn apart until it bears next to nothing.
double breaking_stress(const MakeBar& make, const BarOptions& how) {
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

void print_tables() {
  struct Method {
    const char* name;
    MakeBar make;
  };
  const auto lattice = [](const BarOptions& o, const Start& s) { return std::make_unique<LatticeBar>(o, s); };
  const auto tets = [](const BarOptions& o, const Start& s) { return std::make_unique<TetBar>(o, s); };
  const std::array<Method, 2> methods = {{{"lattice, `full`", lattice}, {"`tet_oh99`", tets}}};
  fmt::print("Over the continuum's.\n\n");
  fmt::print("| | cells thick | E | speed of waves | frequency along | bending frequency | breaking load |\n");
  fmt::print("|---|---|---|---|---|---|---|\n");
  for (const Method& m : methods) {
    for (const int cells : {1, 2, 4}) {
      fmt::print("| {} | {} | {:.4f} | {:.3f} | {:.3f} | {:.2f} | {:.2f} |\n", m.name, cells,
                 young(m.make, cells) / kYoung, wave_speed(m.make, cells) / kSpeed,
                 along_frequency(m.make, cells) / (kSpeed / (2 * kLength)),
                 bending_frequency(m.make, cells) / bending_frequency_of_continuum(),
                 breaking_stress(m.make, {.cells = cells}) / kStrength);
      std::fflush(stdout);
    }
  }
  fmt::print("\nBreaking load over strength, with scatter: mean of four seeds, least and most.\n\n");
  fmt::print("| | 1 cell thick | 2 | 4 |\n|---|---|---|---|\n");
  for (const double scatter : {0.1, 0.3}) {
    fmt::print("| lattice, scatter {} |", scatter);
    for (const int cells : {1, 2, 4}) {
      double sum = 0, least = 1e9, most = 0;
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const double ratio = breaking_stress(lattice, {.cells = cells, .scatter = scatter, .seed = seed}) / kStrength;
        sum += ratio / 4, least = std::min(least, ratio), most = std::max(most, ratio);
      }
      fmt::print(" {:.2f} ({:.2f}, {:.2f}) |", sum, least, most);
      std::fflush(stdout);
    }
    fmt::print("\n");
  }
}

}  // namespace
}  // namespace sunder::bench

int main() {
  sunder::Threads(1).run([] { sunder::bench::print_tables(); });
  return 0;
}
