#include "solvers/lattice_norton91/rigid_piece.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "core/dice_testing.h"
#include "core/rotation.h"
#include "solvers/lattice_norton91/lattice_testing.h"

namespace sunder::lattice_norton91 {
namespace {

struct Momenta {
  double mass = 0, kinetic = 0;
  Vec3 centre = Vec3::Zero(), linear = Vec3::Zero(), angular = Vec3::Zero();  // about the centre
};

Momenta momenta(const Lattice& lattice, std::span<const Index> nodes, const Column<NodeId, Vec3>& x,
                const Column<NodeId, Vec3>& v) {
  Momenta sum;
  for (const Index i : nodes) {
    const NodeId n(i);
    sum.mass += lattice.mass[n];
    sum.centre += lattice.mass[n] * x[n], sum.linear += lattice.mass[n] * v[n];
    sum.kinetic += 0.5 * lattice.mass[n] * v[n].squaredNorm();
  }
  sum.centre /= sum.mass;
  for (const Index i : nodes) {
    const NodeId n(i);
    sum.angular += lattice.mass[n] * (x[n] - sum.centre).cross(v[n] - sum.linear / sum.mass);
  }
  return sum;
}

std::vector<Index> first_nodes(std::size_t count) {
  std::vector<Index> nodes(count);
  std::iota(nodes.begin(), nodes.end(), Index{0});
  return nodes;
}

// Thousands of pieces, of one node and of many, that vibrate and spin.
TEST(RigidPiece, KeepsMomentaAndEnergyAndWhatVibrates) {
  Dice dice(11);
  const LatticeBody body = body_of(grid(3, 3, 3, 0.1));
  const Lattice lattice = make_lattice(std::span(&body, 1));
  for (int i = 0; i < 3000; ++i) {
    std::vector<Index> nodes;
    const double share = dice(0, 1) < 0.2 ? 0 : dice(0, 1);
    for (Index n = 0; n < lattice.node_count(); ++n) {
      if (dice(0, 1) < share) nodes.push_back(n);
    }
    if (nodes.empty()) nodes.push_back(static_cast<Index>(dice(0, 63)));
    Column<NodeId, Vec3> x = lattice.rest, v = lattice.rest;
    const Vec3 drift = dice.vec(-10, 10), spin = dice.vec(-30, 30), place = dice.vec(-5, 5);
    const double shaken = dice(0, 1) < 0.5 ? 0 : 0.1;
    for (const NodeId n : id_range<NodeId>(x.size())) {
      x[n] = lattice.rest[n] + 0.01 * shaken * dice.vec(-1, 1) + place;
      v[n] = drift + spin.cross(lattice.rest[n]) + shaken * dice.vec(-1, 1);
    }
    const Momenta before = momenta(lattice, nodes, x, v);
    RigidPiece piece(lattice, nodes, x, v);
    EXPECT_NEAR(piece.kinetic_energy(), before.kinetic, 1e-12 * before.kinetic);
    if (shaken == 0) {
      EXPECT_LT(piece.vibration(), 1e-9 * before.kinetic);
    } else if (nodes.size() > 10) {
      EXPECT_GT(piece.vibration(), 1e-4 * before.mass);
    }

    const Vec3 gravity(0.3, -9.81, 0);
    const double dt = 1e-4;
    const int steps = static_cast<int>(dice(1, 400));
    const double most = piece.fastest() + steps * dt * gravity.norm();
    for (int s = 0; s < steps; ++s) piece.advance(dt, gravity, false);
    Column<NodeId, Vec3> now = x, moving = v;
    piece.place(now, moving);
    const Momenta after = momenta(lattice, nodes, now, moving);
    const double time = steps * dt, spread = 0.6 * before.mass;
    EXPECT_LT((after.linear - before.linear - before.mass * time * gravity).norm(), 1e-11 * before.mass);
    EXPECT_LT((after.angular - before.angular).norm(), 1e-11 * spread);
    // Symplectic Euler's fall: dt^2 g (1 + 2 + ... )
    const Vec3 fall = time * before.linear / before.mass + 0.5 * dt * dt * steps * (steps + 1) * gravity;
    EXPECT_LT((after.centre - before.centre - fall).norm(), 1e-11);
    EXPECT_NEAR(after.kinetic, piece.kinetic_energy(), 1e-7 * after.kinetic);
    for (const Index a : nodes) {
      EXPECT_LT((now[NodeId(a)] - x[NodeId(a)]).norm(), (1 + 1e-9) * steps * dt * most);
      for (const Index b : nodes) {
        EXPECT_NEAR((now[NodeId(a)] - now[NodeId(b)]).norm(), (x[NodeId(a)] - x[NodeId(b)]).norm(), 1e-12);
      }
    }
  }
}

// A thrown book turns over: however finely time is cut.
TEST(RigidPiece, TurnsAsARigidBodyDoesWhateverTheStep) {
  const LatticeBody body = body_of(grid(5, 3, 1, 0.1));
  const Lattice lattice = make_lattice(std::span(&body, 1));
  const std::vector<Index> nodes = first_nodes(lattice.node_count());
  Column<NodeId, Vec3> start = lattice.rest;
  for (Vec3& v : start) v = Vec3(0.1, 12, 0.05).cross(v - Vec3(0.25, 0.15, 0.05));  // near the unstable axis
  Column<NodeId, Vec3> fine = lattice.rest, x = lattice.rest, v = start;
  RigidPiece exact(lattice, nodes, lattice.rest, start);
  for (int i = 0; i < 400000; ++i) exact.advance(0.002 / 400, Vec3::Zero(), false);
  exact.place(fine, v);
  for (const int steps : {100, 1000, 20000}) {
    RigidPiece piece(lattice, nodes, lattice.rest, start);
    for (int i = 0; i < steps; ++i) piece.advance(2.0 / steps, Vec3::Zero(), false);
    piece.place(x, v);
    double apart = 0, moved = 0;
    for (const NodeId n : id_range<NodeId>(x.size())) {
      apart = std::max(apart, (x[n] - fine[n]).norm());
      moved = std::max(moved, (x[n] - lattice.rest[n]).norm());
    }
    EXPECT_GT(moved, 0.2);
    EXPECT_LT(apart, steps == 100 ? 0.02 : 1e-5) << steps;
  }
}

TEST(RigidPiece, NodesInALineTurnAboutOtherAxes) {
  const LatticeBody body = body_of(grid(1, 1, 1, 0.1));
  const Lattice lattice = make_lattice(std::span(&body, 1));
  const std::vector<Index> nodes = {0, 1};  // along x
  Column<NodeId, Vec3> x = lattice.rest, v(8, Vec3::Zero());
  v[NodeId(1)] = Vec3(0, 0.1, 0);  // 1 rad/s about z
  RigidPiece piece(lattice, nodes, x, v);
  for (int i = 0; i < 1000; ++i) piece.advance(1e-3, Vec3::Zero(), false);
  piece.place(x, v);
  const Vec3 along = (x[NodeId(1)] - x[NodeId(0)]) / 0.1;
  EXPECT_NEAR(along.x(), std::cos(1.0), 1e-8);
  EXPECT_NEAR(along.y(), std::sin(1.0), 1e-8);
  EXPECT_NEAR((x[NodeId(0)] + x[NodeId(1)]).y() / 2, 0.05, 1e-12);
}

}  // namespace
}  // namespace sunder::lattice_norton91
