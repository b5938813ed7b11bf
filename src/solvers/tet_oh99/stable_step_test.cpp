// verification.md, Deformation 8.
#include "solvers/tet_oh99/stable_step.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99 {
namespace {

using testing::Body;
using testing::Dice;

// Largest eigenvalue of M^-1 K of the whole body, K by differences of the force at the present state.
double assembled_eigenvalue(Body& body, bool viscous) {
  const auto n = static_cast<Eigen::Index>(3 * body.mesh.node_slots());
  const Column<NodeId, double> mass = lumped_masses(body.mesh, body.materials);
  Eigen::MatrixXd k(n, n);
  const double h = 1e-6;
  auto& moved = viscous ? body.state.velocity : body.state.position;
  for (Eigen::Index j = 0; j < n; ++j) {
    double& x = moved[NodeId(static_cast<std::size_t>(j / 3))][j % 3];
    const double before = x;
    x = before + h;
    body.evaluate();
    const Column<NodeId, Vec3> above = body.force;
    x = before - h;
    body.evaluate();
    x = before;
    for (Eigen::Index i = 0; i < n; ++i) {
      const NodeId a(static_cast<std::size_t>(i / 3)), b(static_cast<std::size_t>(j / 3));
      k(i, j) = -(above[a][i % 3] - body.force[a][i % 3]) / (2 * h) / std::sqrt(mass[a] * mass[b]);
    }
  }
  const Eigen::MatrixXd symmetric = 0.5 * (k + k.transpose());
  return Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(symmetric, Eigen::EigenvaluesOnly).eigenvalues()[n - 1];
}

TEST(StableStep, ElementEigenvaluesBoundTheAssembledOnesUnderAnyStretch) {
  Dice dice(1);
  double tightest = 0;
  for (int round = 0; round < 12; ++round) {
    Body body(box_mesh(Vec3(1, 0.8, 0.6), 0.6, 3), testing::random_material(dice));
    const double amount = round < 3 ? 0 : round < 8 ? 0.2 : 0.6;  // the last ones crush and invert some tets
    const Mat3 map = Mat3::Identity() + dice.matrix(-amount, amount);
    for (const NodeId n : id_range<NodeId>(body.mesh.node_slots())) {
      body.state.position[n] = map * body.mesh.material_position(n) + dice.vec(-0.2, 0.2) * amount;
    }
    const ForceReport report = body.evaluate();
    const double elastic = assembled_eigenvalue(body, false), viscous = assembled_eigenvalue(body, true);
    EXPECT_LE(elastic, report.elastic_eigen * (1 + 1e-6)) << "round " << round;
    EXPECT_LE(viscous, report.viscous_eigen * (1 + 1e-6)) << "round " << round;
    tightest = std::max(tightest, elastic / report.elastic_eigen);
  }
  EXPECT_GT(tightest, 0.25) << "a bound this loose wastes time";
}

TEST(StableStep, AltitudeOverWaveSpeedIsNoBound) {
  Dice dice(2);
  Material m;
  m.lambda = 1e6, m.mu = 1e6, m.density = 1000;
  const double speed = std::sqrt((m.lambda + 2 * m.mu) / m.density);
  int violated = 0;
  for (int round = 0; round < 100; ++round) {
    Body body(testing::random_tet(dice), m);
    const double limit = 2 / std::sqrt(assembled_eigenvalue(body, false));
    if (limit < smallest_altitude(body.mesh.material_corners(TetId(0))) / speed) ++violated;
    EXPECT_LE(tet_oh99::stable_dt(Scheme::symplectic_euler, {body.evaluate().elastic_eigen, 0, 0}), limit * (1 + 1e-6));
  }
  EXPECT_GT(violated, 0) << "the altitude would do after all: use it, it is cheaper";
}

// Runs an oscillator x'' = -w2 x - c x' with a scheme and tells whether it stays bounded.
bool bounded(Scheme scheme, double w2, double c, double dt, int steps) {
  double x = 1, v = 0.3 * std::sqrt(w2);
  for (int i = 0; i < steps; ++i) {
    const double a = -w2 * x - c * v, j = -w2 * v - c * a;
    switch (scheme) {
      case Scheme::forward_euler:
        x += dt * v, v += dt * a;
        break;
      case Scheme::taylor2:
        x += dt * v + dt * dt / 2 * a, v += dt * a + dt * dt / 2 * j;
        break;
      case Scheme::symplectic_euler:
        v += dt * a, x += dt * v;
        break;
    }
    if (!(std::abs(x) < 1e3)) return false;
  }
  return true;
}

TEST(StableStep, EveryModeUpToTheBoundStaysBounded) {
  Dice dice(3);
  for (int round = 0; round < 300; ++round) {
    // Modes with w2 <= w2_max and c / w2 between ratio and what c_max allows.
    const double w2_max = std::pow(10, dice(0, 8)), ratio = std::pow(10, dice(-6, 0)) / std::sqrt(w2_max);
    const double c_max = w2_max * ratio * dice(1, 5);
    for (const Scheme scheme : {Scheme::forward_euler, Scheme::taylor2, Scheme::symplectic_euler}) {
      const double dt = stable_dt(scheme, {w2_max, c_max, ratio});
      ASSERT_GT(dt, 0);
      const double w2 = w2_max * dice(0.01, 1), c = std::min(c_max, w2 * ratio * dice(1, 5));
      const int steps = static_cast<int>(std::min(20000.0, 1 + 1 / dt));  // Taylor may grow by e in a second
      EXPECT_TRUE(bounded(scheme, w2, c, 0.999 * dt, steps))
          << "scheme " << static_cast<int>(scheme) << " w2 " << w2 << " c " << c << " dt " << dt;
    }
  }
}

TEST(StableStep, SymplecticLimitIsTheExactOne) {
  const double w2 = 100, c = 7;
  const double dt = stable_dt(Scheme::symplectic_euler, {w2, c, 0});
  EXPECT_NEAR(dt * dt * w2 + 2 * dt * c, 4, 1e-12);
  EXPECT_TRUE(bounded(Scheme::symplectic_euler, w2, c, 0.999 * dt, 20000));
  EXPECT_FALSE(bounded(Scheme::symplectic_euler, w2, c, 1.001 * dt, 20000));
}

TEST(StableStep, ForwardEulerWithoutViscosityIsRefused) {
  Material m;
  m.lambda = m.mu = 1e5, m.density = 1000;
  TetSetup setup = testing::setup_of(box_mesh(Vec3(1, 1, 1), 0.8, 1), m);
  setup.parameters.scheme = Scheme::forward_euler;
  EXPECT_THROW(TetSolver{std::move(setup)}, SimulationError);
}

TEST(StableStep, CapLimitsTheDampingRatioOfEveryElementAndOnlyThen) {
  Material m;
  m.lambda = m.mu = 1e6, m.phi = m.psi = 5000, m.density = 1000;
  const TetSoup soup = box_mesh(Vec3(1, 1, 1), 0.3, 1);
  Body literal(soup, m, {.capped = false}), capped(soup, m, {.capped = true, .largest_ratio = 0.3}),
      generous(soup, m, {.capped = true, .largest_ratio = 1e6});
  for (const TetId t : id_range<TetId>(literal.mesh.tet_slots())) {
    const double omega = std::sqrt(literal.elements.elastic_eigen[t]);
    EXPECT_GT(literal.elements.viscous_eigen[t] / (2 * omega), 0.3);
    EXPECT_NEAR(capped.elements.viscous_eigen[t] / (2 * omega), 0.3, 1e-12);
    EXPECT_NEAR(capped.elements.damping_scale[t] * literal.elements.viscous_eigen[t], capped.elements.viscous_eigen[t],
                1e-9);
    EXPECT_EQ(generous.elements.damping_scale[t], 1);
    EXPECT_EQ(generous.elements.viscous_eigen[t], literal.elements.viscous_eigen[t]);
  }
}

// A body in wild motion for 1e5 steps: at 0.95 of the element bound, which follows its stretch, and at the default
// share of the limit that power iteration finds.
struct LongRunCase {
  bool viscous, assembled;
};
class LongRun : public ::testing::TestWithParam<LongRunCase> {};

TEST_P(LongRun, StaysFinite) {
  Dice dice(4);
  Material m;
  m.lambda = 1e5, m.mu = 2e5, m.density = 1000;
  if (GetParam().viscous) m.phi = 20, m.psi = 40;
  TetSetup setup = testing::setup_of(box_mesh(Vec3(1, 1, 1), 1.2, 1), m);
  const double safety = setup.parameters.safety;
  setup.parameters.gravity.setZero();
  for (Vec3& v : setup.state.velocity) v = dice.vec(-2, 2);
  TetSolver solver(std::move(setup));
  const double start = solver.totals().kinetic;
  double held = 0;
  for (int i = 0; i < 100000; ++i) {
    const double limit = 0.95 / safety * solver.step_control().element_limit();
    if (held > limit || held < 0.7 * limit) held = limit;
    const StepReport report = solver.step(GetParam().assembled ? solver.stable_dt() : held);
    ASSERT_TRUE(report.finite);
  }
  const Totals end = solver.totals();
  EXPECT_LT(end.kinetic + end.elastic, 3 * start) << "strains of a third without any damping drift, but not away";
}
INSTANTIATE_TEST_SUITE_P(ElementBoundAndAssembledLimit, LongRun,
                         ::testing::Values(LongRunCase{false, false}, LongRunCase{true, false},
                                           LongRunCase{false, true}, LongRunCase{true, true}));

}  // namespace
}  // namespace sunder::tet_oh99
