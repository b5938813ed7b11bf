// verification.md, Deformation 7: each scheme against its closed form on one spring and in free fall.
#include "solvers/tet_oh99/integrate.h"

#include <gtest/gtest.h>

#include <array>

#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99 {
namespace {

std::array<NodeRange, 1> all(const NodeState& state) { return {{{0, state.position.size()}}}; }

const Column<NodeId, double> kUnitMass(1, 1.0);

// x'' = -omega^2 x in every coordinate.
struct Spring {
  double omega = 3;
  NodeState state{Column<NodeId, Vec3>(1, Vec3(1, -0.5, 0.2)), Column<NodeId, Vec3>(1, Vec3(0.3, 2, -1))};

  void step(Scheme scheme, double dt, bool with_jerk = true) {
    const NodeId n(0);
    const Column<NodeId, Vec3> force(1, -omega * omega * state.position[n]);
    Column<NodeId, Vec3> jerk(1, with_jerk ? Vec3(-omega * omega * state.velocity[n]) : Vec3(0, 0, 0));
    integrate(scheme, {force, kUnitMass}, jerk, dt, dt, all(state), state);
  }
  double energy() const {
    return 0.5 * state.velocity[NodeId(0)].squaredNorm() +
           0.5 * omega * omega * state.position[NodeId(0)].squaredNorm();
  }
  double error_at(Scheme scheme, double time, int steps, bool with_jerk = true) {
    const Vec3 x0 = state.position[NodeId(0)], v0 = state.velocity[NodeId(0)];
    for (int i = 0; i < steps; ++i) step(scheme, time / steps, with_jerk);
    const Vec3 exact = std::cos(omega * time) * x0 + std::sin(omega * time) / omega * v0;
    return (state.position[NodeId(0)] - exact).norm();
  }
};

TEST(Integrators, ForwardEulerMultipliesEnergyByOnePlusOmegaDtSquared) {
  Spring spring;
  const double dt = 0.05, factor = 1 + spring.omega * spring.omega * dt * dt;
  double expected = spring.energy();
  for (int i = 0; i < 200; ++i) {
    spring.step(Scheme::forward_euler, dt);
    expected *= factor;
    ASSERT_NEAR(spring.energy(), expected, 1e-12 * expected);
  }
}

TEST(Integrators, SymplecticEulerConservesItsShadowEnergy) {
  // 1/2 v^2 + omega^2/2 x^2 - dt omega^2/2 x v is exactly conserved by v += dt a(x), x += dt v.
  Spring spring;
  const double dt = 0.9 * 2 / spring.omega, w2 = spring.omega * spring.omega;
  const auto shadow = [&] {
    const Vec3 x = spring.state.position[NodeId(0)], v = spring.state.velocity[NodeId(0)];
    return 0.5 * v.squaredNorm() + 0.5 * w2 * x.squaredNorm() - 0.5 * dt * w2 * x.dot(v);
  };
  const double start = shadow();
  for (int i = 0; i < 100000; ++i) spring.step(Scheme::symplectic_euler, dt);
  EXPECT_NEAR(shadow(), start, 1e-10 * start);
}

TEST(Integrators, SymplecticEulerKeepsItsEnergyWhenTheStepChangesAgainAndAgain) {
  // The step shrinks as the spring stretches and grows as it recoils, as a step that follows the stiffness would.
  const auto energy_after = [](bool kick_follows) {
    Spring spring;
    const double start = spring.energy();
    double last = 0;
    for (int i = 0; i < 2000; ++i) {
      const NodeId n(0);
      const Vec3 x = spring.state.position[n], v = spring.state.velocity[n];
      const double dt = spring.omega * x.norm() > v.norm() ? 0.04 : 0.05;
      const double kick = kick_follows ? kick_time(Scheme::symplectic_euler, last, dt) : dt;
      const Column<NodeId, Vec3> force(1, -spring.omega * spring.omega * x);
      integrate(Scheme::symplectic_euler, {force, kUnitMass}, {}, kick, dt, all(spring.state), spring.state);
      last = dt;
    }
    return spring.energy() / start;
  };
  EXPECT_NEAR(energy_after(true), 1, 0.15);
  EXPECT_GT(energy_after(false), 2) << "then the kick need not follow";
}

TEST(Integrators, SymplecticEulerIsUnstableJustAboveItsLimit) {
  Spring spring;
  for (int i = 0; i < 20000; ++i) spring.step(Scheme::symplectic_euler, 1.001 * 2 / spring.omega);
  EXPECT_FALSE(spring.energy() < 1e6);
}

TEST(Integrators, TaylorIsOfSecondOrderOnlyWithTheJerk) {
  const auto order = [](bool with_jerk) {
    const double coarse = Spring().error_at(Scheme::taylor2, 1, 200, with_jerk);
    const double fine = Spring().error_at(Scheme::taylor2, 1, 400, with_jerk);
    return std::log2(coarse / fine);
  };
  EXPECT_NEAR(order(true), 2, 0.05);
  EXPECT_NEAR(order(false), 1, 0.1);
}

TEST(Integrators, EulerSchemesAreOfFirstOrder) {
  for (const Scheme scheme : {Scheme::forward_euler, Scheme::symplectic_euler}) {
    const double order = std::log2(Spring().error_at(scheme, 1, 2000) / Spring().error_at(scheme, 1, 4000));
    EXPECT_NEAR(order, 1, 0.05);
  }
}

// A whole body in free fall: p0 + n dt v0 + g dt^2 (n(n-1)/2, n^2/2, n(n+1)/2).
class FreeFall : public ::testing::TestWithParam<Scheme> {};

TEST_P(FreeFall, MatchesTheClosedFormOfTheScheme) {
  Material soft;
  soft.lambda = soft.mu = 1e3, soft.phi = soft.psi = 10, soft.density = 1000;
  const Vec3 v0(1, 2, -0.5);
  TetSetup setup = testing::setup_of(box_mesh(Vec3(1, 1, 1), 0.5, 3), soft, v0);
  setup.parameters.scheme = GetParam();
  const Vec3 g = setup.parameters.gravity;
  const Column<NodeId, Vec3> start = setup.state.position;
  TetSolver solver(std::move(setup));
  const double dt = 1e-3;
  const int steps = 500;
  for (int i = 0; i < steps; ++i) solver.step(dt);
  const double n = steps;
  const double squares = GetParam() == Scheme::forward_euler ? n * (n - 1) / 2
                         : GetParam() == Scheme::taylor2     ? n * n / 2
                                                             : n * (n + 1) / 2;
  for (const NodeId node : id_range<NodeId>(start.size())) {
    const Vec3 expected = start[node] + n * dt * v0 + squares * dt * dt * g;
    EXPECT_LT((solver.state().position[node] - expected).norm(), 1e-12 * 4);
    EXPECT_LT((solver.state().velocity[node] - (v0 + n * dt * g)).norm(), 1e-12 * 10);
  }
}
INSTANTIATE_TEST_SUITE_P(AllSchemes, FreeFall,
                         ::testing::Values(Scheme::forward_euler, Scheme::taylor2, Scheme::symplectic_euler));

}  // namespace
}  // namespace sunder::tet_oh99
