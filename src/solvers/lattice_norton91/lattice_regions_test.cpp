// Lattices that are held, moved and loaded (solvers/regions.h).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "core/parallel.h"
#include "solvers/lattice_norton91/lattice_testing.h"
#include "solvers/lattice_norton91/outer_faces.h"

namespace sunder::lattice_norton91 {
namespace {

constexpr double kEdge = 0.05;  // m, of cells

using Where = std::function<bool(const Vec3&)>;

Region nodes_where(const HexSoup& cells, Region::Kind kind, const Where& where) {
  Region region;
  region.name = "grip", region.kind = kind;
  for (std::uint32_t n = 0; n < cells.points.size(); ++n) {
    if (where(cells.points[n])) region.nodes.emplace_back(n);
  }
  region.share.assign(kind == Region::Kind::force ? region.nodes.size() : 0,
                      1 / static_cast<double>(region.nodes.size()));
  return region;
}

Region pressed_where(const HexSoup& cells, double pressure, const Where& where) {
  Region region;
  region.name = "push", region.kind = Region::Kind::pressure, region.pressure = pressure / 2;  // by either diagonal
  for (const auto& face : outer_faces(cells.cells)) {
    if (!std::all_of(face.begin(), face.end(), [&](Index n) { return where(cells.points[n]); })) continue;
    for (std::size_t i = 0; i < 4; ++i) {
      region.faces.push_back({NodeId(face[i]), NodeId(face[(i + 1) % 4]), NodeId(face[(i + 2) % 4])});
    }
  }
  return region;
}

// A brick of 4 x 3 x 2 cells, of rubber, with its lowest corner at the origin.
LatticeSetup brick(const Vec3& gravity, bool flight = false) {
  LatticeSetup setup = floating(body_of(grid(4, 3, 2, kEdge)));
  setup.bodies[0].material.damping = 0.15;
  setup.parameters.gravity = gravity;
  setup.parameters.flight = flight;
  return setup;
}
const HexSoup& cells_of(const LatticeSetup& setup) { return setup.bodies[0].cells; }

bool at_left(const Vec3& x) { return x.x() < 1e-9; }
bool everywhere(const Vec3&) { return true; }

double energy(const LatticeSolver& solver) {
  const Totals t = solver.totals();
  double work = 0;
  for (const Reaction& r : solver.reactions()) work += r.work;
  return t.kinetic + t.elastic + t.gravity + t.contact + t.dissipated - work;
}

Vec3 impulse(const LatticeSolver& solver) {
  Vec3 sum = Vec3::Zero();
  for (const Reaction& r : solver.reactions()) sum += r.impulse;
  return sum;
}

TEST(OuterFaces, OfABlockAreItsSkinOutwards) {
  const HexSoup cells = grid(4, 3, 2, kEdge);
  const auto faces = outer_faces(cells.cells);
  EXPECT_EQ(faces.size(), 2u * (4 * 3 + 3 * 2 + 4 * 2));
  double volume = 0;  // 1/3 sum x . area
  for (const auto& f : faces) {
    const Vec3 area = (cells.points[f[2]] - cells.points[f[0]]).cross(cells.points[f[3]] - cells.points[f[1]]) / 2;
    volume += cells.points[f[0]].dot(area) / 3;
  }
  EXPECT_NEAR(volume, 24 * kEdge * kEdge * kEdge, 1e-15);
}

TEST(LatticeRegions, HeldNodesStayAndTheirReactionIsTheWeight) {
  LatticeSetup setup = brick({0, -10, 0});
  setup.regions.push_back(nodes_where(cells_of(setup), Region::Kind::hold, at_left));
  LatticeSolver solver(setup);
  double time = 0;
  while (time < 2) time += solver.step(solver.stable_dt()).dt;
  for (const NodeId n : setup.regions[0].nodes) {
    EXPECT_EQ(solver.position()[n], solver.lattice().rest[n]);
  }
  EXPECT_EQ(solver.reactions()[0].name, "grip");
  EXPECT_EQ(solver.reactions()[0].kind, "hold");
  const double weight = 10 * solver.totals().mass;
  // What the cantilever still swings with is over 2 s.
  EXPECT_NEAR(solver.reactions()[0].impulse.y() / time, weight, 0.01 * weight);
  EXPECT_NEAR(solver.reactions()[0].force.x(), 0, 0.02 * weight);
}

TEST(LatticeRegions, HeldAxesAreHeldAndNoOthers) {
  LatticeSetup setup = brick({2, -10, 0});
  setup.regions.push_back(nodes_where(cells_of(setup), Region::Kind::hold, at_left));
  setup.regions[0].axes = {true, false, true};
  LatticeSolver solver(setup);
  double time = 0;
  while (time < 0.3) time += solver.step(solver.stable_dt()).dt;
  const Totals t = solver.totals();
  EXPECT_NEAR(t.momentum.y(), -10 * time * t.mass, 1e-9 * t.mass);
  for (const NodeId n : setup.regions[0].nodes) EXPECT_EQ(solver.position()[n].x(), 0);
  EXPECT_EQ(solver.reactions()[0].force.y(), 0);
}

TEST(LatticeRegions, ActFromTheirStartToTheirEnd) {
  LatticeSetup setup = brick({0, -10, 0}, true);
  setup.regions.push_back(nodes_where(cells_of(setup), Region::Kind::hold, everywhere));
  setup.regions[0].start = 0.1, setup.regions[0].end = 0.2;
  LatticeSolver solver(setup);
  constexpr double kDt = 1e-4;
  const auto speed = [&] { return solver.totals().momentum.y() / solver.totals().mass; };
  for (int i = 0; i < 999; ++i) solver.step(kDt);
  EXPECT_NEAR(speed(), -0.999, 1e-9);
  for (int i = 0; i < 500; ++i) solver.step(kDt);
  EXPECT_NEAR(speed(), 0, 1e-12);
  EXPECT_FALSE(solver.flight().any());  // it would have taken off: nothing is near, and it is quiet
  for (int i = 0; i < 1001; ++i) solver.step(kDt);
  EXPECT_NEAR(speed(), -0.5, 2e-3);
  EXPECT_TRUE(solver.flight().any());
}

TEST(LatticeRegions, MomentumIsThatOfTheReactionsAndTheBooksClose) {
  LatticeSetup setup = brick({0, -10, 0});
  const HexSoup cells = cells_of(setup);
  setup.regions.push_back(nodes_where(cells, Region::Kind::hold, at_left));
  setup.regions.push_back(
      nodes_where(cells, Region::Kind::move, [](const Vec3& x) { return x.x() > 4 * kEdge - 1e-9; }));
  setup.regions[1].name = "pull", setup.regions[1].velocity = {0.02, 0.05, 0};
  setup.regions.push_back(nodes_where(cells, Region::Kind::force, [](const Vec3& x) { return x.y() < 1e-9; }));
  setup.regions[2].name = "load", setup.regions[2].force = {0, 0, 7};
  setup.regions.push_back(pressed_where(cells, 500, [](const Vec3& x) { return x.y() > 3 * kEdge - 1e-9; }));
  LatticeSolver solver(setup);
  const Totals start = solver.totals();
  const double books = energy(solver);
  double time = 0, off = 0;
  while (time < 0.4) {
    time += solver.step(solver.stable_dt()).dt;
    off = std::max(off, std::abs(energy(solver) - books));
  }
  EXPECT_GT(solver.totals().elastic, 0.1);
  EXPECT_LT(off, 2e-3 * solver.totals().elastic);
  const Totals end = solver.totals();
  const Vec3 gained = end.momentum - start.momentum;
  EXPECT_LT((gained - impulse(solver) - time * start.mass * Vec3(0, -10, 0)).norm(), 1e-9);
  EXPECT_NEAR(solver.reactions()[2].impulse.z(), 7 * time, 1e-9);
  // On a face that is 4 % longer by now, and 1 % narrower.
  EXPECT_NEAR(solver.reactions()[3].force.y(), -1.03 * 500 * 8 * kEdge * kEdge, 0.02 * 500 * 8 * kEdge * kEdge);
  for (const Reaction& r : {solver.reactions()[1], solver.reactions()[3]}) EXPECT_GT(std::abs(r.work), 1e-3) << r.name;
}

TEST(LatticeRegions, PressureAllRoundSqueezesAndPushesNowhere) {
  LatticeSetup setup = brick({0, 0, 0});
  setup.regions.push_back(pressed_where(cells_of(setup), 3e4, everywhere));
  LatticeSolver solver(setup);
  for (int i = 0; i < 4000; ++i) {
    solver.step(solver.stable_dt());
    ASSERT_LT(solver.reactions()[0].force.norm(), 1e-9);
  }
  // Alike everywhere: bulk modulus at a Poisson's ratio of 1/4, 2/3 E. By far the most of the vibration is gone.
  for (const double stretched : {solver.position()[NodeId(4)].x() - solver.position()[NodeId(0)].x(),
                                 solver.position()[NodeId(9)].x() - solver.position()[NodeId(5)].x()}) {
    const double shrunk = 1 - stretched / (4 * kEdge);
    EXPECT_NEAR(shrunk, 3e4 / (3 * 2.0 / 3 * 1e6), 0.03 * shrunk);
  }
}

// A plate of 4 x 4 x 1 cells, pressed from above, of which one corner is pulled off.
LatticeSetup plate() {
  LatticeSetup setup = floating(body_of(grid(4, 4, 1, kEdge)));
  setup.bodies[0].material.threshold = 0.02;
  setup.regions.push_back(
      pressed_where(setup.bodies[0].cells, 100, [](const Vec3& x) { return x.z() > kEdge - 1e-9; }));
  return setup;
}

TEST(LatticeRegions, FacesOfBrokenCellsArePressedNoMoreAlsoAfterLoading) {
  const auto pressed = [](const LatticeSolver& solver) {
    return solver.reactions()[0].force.norm() / (100 * kEdge * kEdge);
  };
  LatticeSolver solver(plate());
  const double dt = solver.stable_dt();
  solver.step(dt);
  EXPECT_NEAR(pressed(solver), 16, 1e-9);
  solver.position()[NodeId(0)] -= Vec3(0.1 * kEdge, 0.1 * kEdge, 0);
  solver.step(dt);
  const std::size_t broken = solver.breakage().broken_cells();
  ASSERT_GT(broken, 0u);
  ASSERT_LT(broken, 16u);
  // Some faces left are askew by now.
  EXPECT_NEAR(pressed(solver), 16 - static_cast<double>(broken), 0.1);

  Writer out;
  solver.save(out);
  const std::string bytes = out.take();
  LatticeSolver again(plate());
  Reader in(bytes, "state");
  again.load(in);
  EXPECT_TRUE(in.at_end());
  solver.step(dt), again.step(dt);
  EXPECT_EQ(again.state_hash(), solver.state_hash());
  EXPECT_EQ(again.reactions()[0].force, solver.reactions()[0].force);
}

TEST(LatticeRegions, WhatIsHeldMovedOrLoadedNeverFlies) {
  const auto flies = [](Region region) {
    LatticeSetup setup = brick({0, -10, 0}, true);
    setup.bodies[0].velocity = {1, 0, 0};
    if (!region.name.empty()) setup.regions.push_back(std::move(region));
    LatticeSolver solver(setup);
    bool flew = false;
    for (int i = 0; i < 2000; ++i) solver.step(solver.stable_dt()), flew = flew || solver.flight().any();
    return flew;
  };
  const HexSoup cells = grid(4, 3, 2, kEdge);
  EXPECT_TRUE(flies({}));
  Region moved = nodes_where(cells, Region::Kind::move, everywhere);
  moved.velocity = {1, 0, 0};
  EXPECT_FALSE(flies(moved));
  Region held = nodes_where(cells, Region::Kind::hold, at_left);
  held.axes = {false, false, true};
  EXPECT_FALSE(flies(held));
  Region loaded = nodes_where(cells, Region::Kind::force, everywhere);
  loaded.force = {0, 1, 0};
  EXPECT_FALSE(flies(loaded));
  Region later = loaded;
  later.start = 1e6;
  EXPECT_FALSE(flies(later));
  EXPECT_FALSE(flies(pressed_where(cells, 1, everywhere)));
  Region over = loaded;
  over.end = 1e-3;
  EXPECT_TRUE(flies(over));
}

TEST(LatticeRegions, SameBitsForAnyNumberOfThreads) {
  const auto hash = [](int threads) {
    LatticeSetup setup = floating(body_of(grid(30, 12, 4, kEdge)));
    setup.bodies[0].material.threshold = 0.01, setup.bodies[0].material.scatter = 0.3;
    const HexSoup cells = setup.bodies[0].cells;
    setup.regions.push_back(nodes_where(cells, Region::Kind::hold, at_left));
    setup.regions.push_back(
        nodes_where(cells, Region::Kind::move, [](const Vec3& x) { return x.x() > 30 * kEdge - 1e-9; }));
    setup.regions[1].velocity = {2, 0, 0};
    setup.regions.push_back(pressed_where(cells, 2000, [](const Vec3& x) { return x.y() > 12 * kEdge - 1e-9; }));
    std::uint64_t result = 0;
    Threads(threads).run([&] {
      LatticeSolver solver(setup);
      for (int i = 0; i < 400; ++i) solver.step(solver.stable_dt());
      EXPECT_GT(solver.breakage().broken_cells(), 0u);
      result = solver.state_hash();
    });
    return result;
  };
  const std::uint64_t one = hash(1);
  EXPECT_EQ(hash(2), one);
  EXPECT_EQ(hash(3), one);
}

}  // namespace
}  // namespace sunder::lattice_norton91
