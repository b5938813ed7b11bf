#include "solvers/tet_oh99/spectral_limit.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>

#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99 {
namespace {

using testing::Body;
using testing::Dice;

// dt^2 K + 2 dt C of the whole body, mass-scaled, by differences of the force.
Eigen::MatrixXd step_matrix(Body& body, const Column<NodeId, double>& mass, double dt) {
  const auto n = static_cast<Eigen::Index>(3 * body.mesh.node_slots());
  Eigen::MatrixXd a(n, n);
  const double h = 1e-6;
  body.state.velocity.assign(body.mesh.node_slots(), Vec3::Zero());
  for (Eigen::Index j = 0; j < n; ++j) {
    const NodeId b(static_cast<std::size_t>(j / 3));
    const auto force_at = [&](double shift) {
      body.state.position[b][j % 3] += shift;
      body.state.velocity[b][j % 3] += 2 / dt * shift;
      body.evaluate();
      body.state.position[b][j % 3] -= shift;
      body.state.velocity[b][j % 3] -= 2 / dt * shift;
      return body.force;
    };
    const Column<NodeId, Vec3> above = force_at(h), below = force_at(-h);
    for (Eigen::Index i = 0; i < n; ++i) {
      const NodeId k(static_cast<std::size_t>(i / 3));
      a(i, j) = -dt * dt * (above[k][i % 3] - below[k][i % 3]) / (2 * h) / std::sqrt(mass[k] * mass[b]);
    }
  }
  return 0.5 * (a + a.transpose());
}

TEST(SpectralLimit, FindsTheLargestEigenvalueFromBelowWithinAFewPerCent) {
  Dice dice(1);
  for (int round = 0; round < 6; ++round) {
    Material m = testing::random_material(dice);
    if (round % 2 == 0) m.phi = m.psi = 0;
    Body body(box_mesh(Vec3(1, 0.8, 0.6), 0.5, 3), m, {.capped = true});
    for (const NodeId n : id_range<NodeId>(body.mesh.node_slots())) {
      body.state.position[n] = body.mesh.material_position(n) + 0.02 * dice.vec(-1, 1);
    }
    const Column<NodeId, double> mass = lumped_masses(body.mesh, body.materials);
    const ForceReport bound = body.evaluate();
    const double dt = stable_dt(Scheme::symplectic_euler, {bound.elastic_eigen, bound.viscous_eigen, 0});
    SpectralLimit limit;
    const Stiffness found = limit.estimate(body.state, mass, dt, 0.1, 60,
                                           [&](const NodeState& s, auto& force) { body.forces.evaluate(s, force); });
    const double estimated = dt * dt * found.elastic + 2 * dt * found.viscous;
    const Eigen::MatrixXd a = step_matrix(body, mass, dt);
    const double exact =
        Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd>(a, Eigen::EigenvaluesOnly).eigenvalues().maxCoeff();
    EXPECT_LE(estimated, exact * (1 + 1e-4));
    EXPECT_GE(estimated, exact * 0.95);
    EXPECT_LE(exact, 4 * (1 + 1e-6)) << "the element bound is safe";
  }
}

TEST(SpectralLimit, MakesTheStepLongerThanTheElementBoundAndStillStable) {
  Material m;
  m.lambda = 1e6, m.mu = 1e6, m.density = 1000;
  TetSetup setup = testing::setup_of(box_mesh(Vec3(1, 1, 1), 0.2, 3), m);
  setup.parameters.gravity.setZero();
  setup.parameters.safety = 1;
  Dice dice(2);
  for (Vec3& v : setup.state.velocity) v = 1e-3 * dice.vec(-1, 1);
  TetSolver solver(std::move(setup));
  const double start = solver.totals().kinetic;
  EXPECT_GT(solver.stable_dt(), 1.2 * solver.step_control().element_limit());
  for (int i = 0; i < 5000; ++i) solver.step(solver.stable_dt());
  const Totals end = solver.totals();
  EXPECT_LT(end.kinetic + end.elastic, 1.5 * start);
}

}  // namespace
}  // namespace sunder::tet_oh99
