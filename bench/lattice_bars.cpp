// Bars and beams, by lattices and by tetrahedra, against the continuum: the table of docs/lattice.md. One thread.

#include <fmt/format.h>

#include <array>
#include <cstdio>
#include <memory>
#include <numbers>
#include <vector>

#include "core/parallel.h"
#include "materials/material.h"
#include "meshing/box_mesh.h"
#include "solvers/bars_testing.h"
#include "solvers/lattice_norton91/lattice_bar_testing.h"
#include "solvers/tet_oh99/tet_solver.h"

namespace sunder::bench {
namespace {

using namespace bars;
using std::numbers::pi;

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

void print_tables() {
  struct Method {
    const char* name;
    MakeBar make;
  };
  const MakeBar lattice = lattice_norton91::make_lattice_bar;
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
