#include "solvers/lattice_norton91/flight.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/dice_testing.h"
#include "core/parallel.h"
#include "core/rotation.h"
#include "solvers/lattice_norton91/clearance.h"
#include "solvers/lattice_norton91/lattice_testing.h"

namespace sunder::lattice_norton91 {
namespace {

double total(const Totals& t) { return t.kinetic + t.elastic + t.gravity + t.contact + t.dissipated; }

// A brick that is thrown, of rubber: E 1e7.
LatticeBody brick(const Vec3& at, const Vec3& velocity, const Vec3& spin) {
  LatticeBody body = body_of(grid(4, 3, 2, 0.05));
  for (Vec3& p : body.cells.points) p += at - Vec3(0.1, 0.075, 0.05);
  body.material.young = 1e7, body.material.damping = 0.15;
  body.velocity = velocity, body.spin = spin;
  return body;
}

LatticeSetup throws(std::vector<LatticeBody> bodies, bool flight, double gravity = 9.81) {
  LatticeSetup setup;
  setup.bodies = std::move(bodies);
  setup.parameters.gravity = Vec3(0, -gravity, 0);
  setup.parameters.flight = flight;
  return setup;
}

Collider ground() {
  Collider ground;
  ground.name = "ground", ground.shape = GroundCollider{}, ground.damping = 0.3;
  return ground;
}

double lowest(const LatticeSolver& solver) {
  double y = std::numeric_limits<double>::infinity();
  for (const Vec3& x : solver.position()) y = std::min(y, x.y());
  return y;
}

Vec3 angular_momentum(const LatticeSolver& solver) {  // about the origin
  Vec3 sum = Vec3::Zero();
  for (const NodeId n : id_range<NodeId>(solver.position().size())) {
    sum += solver.lattice().mass[n] * solver.position()[n].cross(solver.velocity()[n]);
  }
  return sum;
}

std::string saved(const LatticeSolver& solver) {
  Writer out;
  solver.save(out);
  return out.take();
}

TEST(Flight, ThrownBrickFliesAsTheElasticOneDoes) {
  const auto thrown = [](bool flight) {
    return LatticeSolver(throws({brick({0, 20, 0}, {3, 4, -1}, {5, 2, 7})}, flight));
  };
  LatticeSolver rigid = thrown(true), elastic = thrown(false);
  const double dt = rigid.stable_dt();
  int flying = 0, steps = 0;
  for (double time = 0; time < 1; time += dt, ++steps) {
    rigid.step(dt), elastic.step(dt);
    flying += rigid.flight().any() ? 1 : 0;
  }
  EXPECT_GT(flying, 0.95 * steps);
  EXPECT_FALSE(elastic.flight().any());
  double apart = 0;  // after more than a whole turn
  for (const NodeId n : id_range<NodeId>(rigid.position().size())) {
    apart = std::max(apart, (rigid.position()[n] - elastic.position()[n]).norm());
  }
  EXPECT_LT(apart, 1e-3);  // of 0.27 m
  const Totals r = rigid.totals(), e = elastic.totals();
  EXPECT_LT((r.momentum - e.momentum).norm(), 1e-9 * e.mass);
  EXPECT_LT((angular_momentum(rigid) - angular_momentum(elastic)).norm(), 1e-9 * e.mass * 20);
  EXPECT_NEAR(total(r), total(e), 1e-6 * std::abs(e.gravity));
}

TEST(Flight, TakingOffAndWakingKeepMomentaAndBooksAndPlaces) {
  LatticeSetup setup = throws({brick({0, 0.4, 0}, {0.3, 0, 0}, {2, 3, 4})}, true);
  setup.bodies[0].material.damping = 0.05;
  setup.colliders.push_back(ground());
  LatticeSolver solver(setup);
  bool flew = false;
  int changes = 0;
  for (double time = 0; time < 1.5;) {
    const bool flies = solver.flight().any();
    const Column<NodeId, Vec3> before = solver.position();
    const Totals was = solver.totals();
    const Vec3 turning = angular_momentum(solver);
    const double dt = solver.step(solver.stable_dt()).dt;
    time += dt;
    if (flies) {
      EXPECT_GT(lowest(solver), 0);  // woken before it touches anything
    }
    if (solver.flight().any() == flies) continue;
    ++changes, flew = flew || solver.flight().any();
    const Totals is = solver.totals();
    // The step in which it changes is as smooth as any.
    EXPECT_LT((is.momentum - was.momentum - dt * was.mass * Vec3(0, -9.81, 0)).norm(), 1e-10 * was.mass);
    const Vec3 pull = dt * is.mass * std::accumulate(before.begin(), before.end(), Vec3(Vec3::Zero())).eval() /
                      static_cast<double>(before.size());
    EXPECT_LT((angular_momentum(solver) - turning - pull.cross(Vec3(0, -9.81, 0))).norm(), 2e-2 * dt * was.mass);
    // Of what a quiet brick may have of vibration, 3 E V (3e-4)^2, its damping takes a little where bonds act, and a
    // step makes its usual error.
    const double quiet = 3 * 1e7 * was.mass / 1000 * 9e-8;
    EXPECT_NEAR(total(is), total(was), 0.02 * quiet);
    for (const NodeId n : id_range<NodeId>(before.size())) {
      EXPECT_LT((solver.position()[n] - before[n] - dt * solver.velocity()[n]).norm(), 5e-5);  // of some 3e-3
    }
  }
  EXPECT_TRUE(flew);
  EXPECT_GE(changes, 3);  // takes off, wakes, bounces and takes off again
}

// Over hundreds of throws against each other: momentum, angular momentum, energy, and no start inside.
TEST(Flight, ThingsThatMeetInFlightWakeFirstAndKeepTheirMomenta) {
  Dice dice(21);
  int met = 0;
  for (int i = 0; i < 40; ++i) {
    std::vector<LatticeBody> bodies;
    const Vec3 aside(0, dice(-0.08, 0.08), dice(-0.08, 0.08));
    bodies.push_back(brick({-0.4, 0, 0}, {dice(0.5, 3), 0, 0}, dice.vec(-4, 4)));
    bodies.push_back(brick(Vec3(0.4, 0, 0) + aside, {-dice(0.5, 3), 0, 0}, dice.vec(-4, 4)));
    LatticeSetup setup = throws(bodies, true, 0);
    setup.parameters.contact.friction = 0;  // it acts across the gap between two nodes, with a moment
    LatticeSolver solver(setup);
    const Totals start = solver.totals();
    const Vec3 turning = angular_momentum(solver);
    bool flew = false, touched = false;
    for (double time = 0; time < 0.5;) {
      time += solver.step(solver.stable_dt()).dt;
      flew = flew || solver.flight().pieces().size() == 2;
      if (solver.node_contacts().touching() > 0) {
        touched = true;
        ASSERT_FALSE(solver.flight().any());
      }
    }
    EXPECT_TRUE(flew);
    met += touched ? 1 : 0;
    const Totals end = solver.totals();
    EXPECT_LT((end.momentum - start.momentum).norm(), 1e-9 * start.mass);
    EXPECT_LT((angular_momentum(solver) - turning).norm(), 1e-9 * start.mass);
    EXPECT_LT(end.kinetic, 1.001 * start.kinetic);
    EXPECT_NEAR(total(end), total(start), 0.03 * start.kinetic);
  }
  EXPECT_GT(met, 20);
}

TEST(Flight, WakesBeforeAColliderThatComes) {
  LatticeSetup setup = throws({brick({0, 0, 0}, {0, 0, 0}, {0, 0.5, 0})}, true, 0);
  Collider ball;
  ball.name = "ball", ball.shape = SphereCollider{0.1}, ball.motion = ColliderMotion::kinematic;
  ball.position = Vec3(1, 0, 0);
  ball.keyframes = {{0, ball.position}, {0.5, Vec3(0, 0, 0)}};
  setup.colliders.push_back(ball);
  LatticeSolver solver(setup);
  bool flew = false;
  for (double time = 0; time < 0.5;) {
    time += solver.step(solver.stable_dt()).dt;
    flew = flew || solver.flight().any();
    if (!solver.flight().any()) continue;
    const Vec3 at(1 - 2 * time, 0, 0);
    for (const Vec3& x : solver.position()) ASSERT_GT((x - at).norm(), 0.1);
  }
  EXPECT_TRUE(flew);
  EXPECT_LT(solver.totals().momentum.x(), -0.5 * solver.totals().mass);
}

TEST(Flight, WhatVibratesOrIsUnderControlDoesNotTakeOff) {
  LatticeSetup quiet = throws({brick({0, 0, 0}, {1, 0, 0}, {0, 0, 0})}, true, 0);
  for (const double swing : {1.0, 1e-3}) {  // m/s, of the ends against the middle
    LatticeSetup swinging = quiet;
    swinging.bodies[0].material.damping = 0;
    LatticeSolver solver(swinging);
    for (const NodeId n : id_range<NodeId>(solver.velocity().size())) {
      solver.velocity()[n].y() += swing * (100 * std::pow(solver.position()[n].x(), 2) - 0.5);
    }
    for (int i = 0; i < 200; ++i) solver.step(solver.stable_dt());
    EXPECT_EQ(solver.flight().any(), swing < 0.1);
  }

  quiet.parameters.controls = {{0, 1, 1, 1}, {0.05, 2, 1, 1}, {0.1, 1, 0.5, 1}, {0.2, 3, 0.5, 1}};
  LatticeSolver controlled(quiet);
  bool flew_late = false;
  for (double time = 0; time < 0.3;) {
    time += controlled.step(controlled.stable_dt()).dt;
    if (time < 0.1) {
      ASSERT_FALSE(controlled.flight().any()) << "at " << time;
    }
    flew_late = flew_late || controlled.flight().any();
  }
  EXPECT_TRUE(flew_late);  // gravity alone changes: it may
}

// Everything that is there to be looked at changes nothing.
TEST(Flight, SameBitsForAnyNumberOfThreadsForLooksAndAfterACheckpoint) {
  LatticeSetup setup =
      throws({brick({0, 0.6, 0}, {0, 0, 0}, {1, 2, 3}), brick({0, 1.0, 0}, {0, -1, 0}, {-3, 0, 1})}, true);
  for (LatticeBody& body : setup.bodies) body.material.threshold = 0.02, body.material.scatter = 0.3;
  setup.colliders.push_back(ground());
  const auto hash_after = [&](int threads, int looks_every, int saved_at) {
    std::uint64_t hash = 0;
    Threads(threads).run([&] {
      auto solver = std::make_unique<LatticeSolver>(setup);
      int flying = 0;
      for (int i = 0; i < 2500; ++i) {
        solver->step(solver->stable_dt());
        flying += solver->flight().any() ? 1 : 0;
        if (looks_every > 0 && i % looks_every == 0) {
          Frame frame;
          solver->snapshot(frame);
          solver->totals();
        }
        if (i != saved_at) continue;
        EXPECT_TRUE(solver->flight().any());
        const std::string bytes = saved(*solver);
        solver = std::make_unique<LatticeSolver>(setup);
        Reader in(bytes, "checkpoint");
        solver->load(in);
        EXPECT_TRUE(in.at_end());
        EXPECT_EQ(saved(*solver), bytes);
      }
      EXPECT_GT(flying, 100);
      EXPECT_GT(solver->components().count(), 2u);
      hash = solver->state_hash();
    });
    return hash;
  };
  const std::uint64_t once = hash_after(1, 0, -1);
  for (const int threads : {2, 3, 4, 7}) EXPECT_EQ(hash_after(threads, 0, -1), once) << threads;
  EXPECT_EQ(hash_after(1, 7, -1), once);
  EXPECT_EQ(hash_after(2, 0, 300), once);
}

TEST(Flight, BrokenCheckpointsAreRefused) {
  LatticeSetup setup = throws({brick({0, 0, 0}, {1, 0, 0}, {0, 1, 0})}, true);
  LatticeSolver solver(setup);
  for (int i = 0; i < 300; ++i) solver.step(solver.stable_dt());
  ASSERT_TRUE(solver.flight().any());
  Writer out;
  solver.flight().save(out);
  const std::string bytes = out.take();
  for (std::size_t cut = 0; cut < bytes.size(); cut += 61) {
    Flight flight(solver.lattice());
    Reader in(std::string_view(bytes).substr(0, cut), "checkpoint");
    EXPECT_THROW(flight.load(in, solver.lattice()), FileError) << cut;
  }
  std::string twice = bytes;
  twice[0] = 2;  // pieces, the second of them the first once more
  twice += bytes.substr(8);
  Flight flight(solver.lattice());
  Reader in(twice, "checkpoint");
  EXPECT_THROW(flight.load(in, solver.lattice()), FileError);
}

TEST(Clearance, CrowdedIsWhoHasAnythingNear) {
  Dice dice(31);
  std::vector<LatticeBody> bodies;
  for (int i = 0; i < 30; ++i) {
    LatticeBody body = body_of(grid(1, 1, 1, 0.1));
    const Mat3 turn = dice.rotation();
    const Vec3 at = dice.vec(0, 1.5);
    for (Vec3& p : body.cells.points) p = turn * p + at;
    bodies.push_back(body);
  }
  const Lattice lattice = make_lattice(bodies);
  const Breakage breakage(lattice, 4);
  Components components;
  components.update(lattice, breakage);
  Collider ball;
  ball.name = "ball", ball.shape = SphereCollider{0.3}, ball.position = Vec3(0.2, 0.2, 0.2);
  const RigidBodies rigid({ball});
  Clearance clearance(lattice);
  int crowded = 0;
  for (const bool contact : {true, false}) {
    clearance.look(lattice, components, rigid, lattice.rest, contact);
    for (Index piece = 0; piece < 30; ++piece) {
      bool near = false;
      for (Index a = 8 * piece; a < 8 * piece + 8; ++a) {
        const Vec3& x = lattice.rest[NodeId(a)];
        near = near || (x - ball.position).norm() < 0.3 + clearance.margin();
        for (Index b = 0; b < 240 && contact; ++b) {
          if (b / 8 == piece) continue;
          const double reach = lattice.radius[a] + lattice.radius[b] + clearance.margin();
          near = near || (x - lattice.rest[NodeId(b)]).norm() < reach;
        }
      }
      EXPECT_EQ(clearance.crowded(components.labels()[8 * piece]), near);
      crowded += near ? 1 : 0;
    }
  }
  EXPECT_GT(crowded, 10);
  EXPECT_LT(crowded, 55);
  EXPECT_FALSE(clearance.outdated());
  clearance.moved(0.45 * clearance.margin());
  EXPECT_TRUE(clearance.outdated());
}

}  // namespace
}  // namespace sunder::lattice_norton91
