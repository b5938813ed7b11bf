#pragma once
// A bar of lattice cubes (solvers/bars_testing.h).

#include <cmath>
#include <memory>
#include <utility>

#include "solvers/bars_testing.h"
#include "solvers/lattice_norton91/lattice_testing.h"

namespace sunder::lattice_norton91 {

using bars::kDensity, bars::kLength, bars::kThickness, bars::kYoung;

class LatticeBar final : public bars::Bar {
 public:
  LatticeBar(const bars::BarOptions& options, const bars::Start& start) : options_(options) {
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
    const Lattice& lattice = solver_->lattice();
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
  bars::BarOptions options_;
  std::unique_ptr<LatticeSolver> solver_;
  double time_ = 0;
};

inline std::unique_ptr<bars::Bar> make_lattice_bar(const bars::BarOptions& options, const bars::Start& start) {
  return std::make_unique<LatticeBar>(options, start);
}

}  // namespace sunder::lattice_norton91
