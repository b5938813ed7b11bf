// verification.md, Deformation 1 to 5.
#include "solvers/tet_oh99/forces.h"

#include <gtest/gtest.h>

#include <Eigen/LU>

#include "core/parallel.h"
#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99 {
namespace {

using testing::Body;
using testing::Dice;
using testing::random_material;
using testing::random_tet;

double largest_norm(const Column<NodeId, Vec3>& v) {
  double largest = 0;
  for (const Vec3& x : v) largest = std::max(largest, x.norm());
  return largest;
}

// Size of the force that relative round-off `eps` in the coordinates may cause.
double round_off_force(const Body& body, const Material& m, double coordinate, double edge) {
  (void)body;
  return 1e3 * 2.2e-16 * (m.lambda + 2 * m.mu) * edge * edge * (coordinate / edge);
}

TEST(InternalForces, RigidMotionGivesNoForce) {
  Dice dice(1);
  for (int round = 0; round < 50; ++round) {
    const Material material = random_material(dice);
    Body body(box_mesh(Vec3(1, 0.7, 0.5), 0.25, 7), material);
    const Mat3 rotation = dice.rotation();
    const Vec3 shift = dice.vec(-10, 10), velocity = dice.vec(-5, 5), spin = dice.vec(-5, 5);
    for (const NodeId n : id_range<NodeId>(body.mesh.node_slots())) {
      body.state.position[n] = rotation * body.mesh.material_position(n) + shift;
      body.state.velocity[n] = velocity + spin.cross(body.state.position[n]);
    }
    const ForceReport report = body.evaluate();
    const double elastic_scale = round_off_force(body, material, 20, 0.25);
    const double viscous_scale = 1e3 * 2.2e-16 * (material.phi + 2 * material.psi) * 0.25 * 100;
    EXPECT_LT(largest_norm(body.force), elastic_scale + viscous_scale) << "round " << round;
    EXPECT_LT(report.viscous_power, viscous_scale) << "round " << round;
  }
}

// Deformations from slight to inside out, where the barrier acts.
class Gradient : public ::testing::TestWithParam<double> {};

TEST_P(Gradient, ForceIsMinusTheGradientOfTheEnergy) {
  Dice dice(2);
  for (int round = 0; round < 200; ++round) {
    Material material = random_material(dice);
    material.phi = material.psi = 0;
    Body body(random_tet(dice), material);
    const Mat3 f = Mat3::Identity() + dice.matrix(-GetParam(), GetParam());
    for (const NodeId n : id_range<NodeId>(4)) body.state.position[n] = f * body.mesh.material_position(n);
    body.evaluate();
    const double h = 1e-5;
    for (const NodeId n : id_range<NodeId>(4)) {
      for (int a = 0; a < 3; ++a) {
        Column<NodeId, Vec3> moved = body.state.position;
        moved[n][a] += h;
        const double above = body.forces.elastic_energy(moved);
        moved[n][a] -= 2 * h;
        const double below = body.forces.elastic_energy(moved);
        EXPECT_NEAR(body.force[n][a], -(above - below) / (2 * h), 1e-6 * largest_norm(body.force) + 1e-3)
            << "round " << round << ", det F = " << f.determinant();
      }
    }
  }
}
INSTANTIATE_TEST_SUITE_P(SlightToInverted, Gradient, ::testing::Values(0.05, 0.5, 2.0));

TEST(InternalForces, EqualThePapersLiteralFormulas) {
  Dice dice(3);
  for (int round = 0; round < 500; ++round) {
    const Material m = random_material(dice);
    Body body(random_tet(dice), m, {.capped = false}, /*with_barrier=*/false);
    for (const NodeId n : id_range<NodeId>(4)) {
      body.state.position[n] = body.mesh.material_position(n) + dice.vec(-0.3, 0.3);
      body.state.velocity[n] = dice.vec(-2, 2);
    }
    body.evaluate();

    // OH99 (12)-(27) as printed, index by index.
    const auto& c = body.mesh.corners(TetId(0));
    Eigen::Matrix4d homogeneous;
    Eigen::Matrix<double, 3, 4> p, v;
    for (int i = 0; i < 4; ++i) {
      const NodeId n = c[static_cast<std::size_t>(i)];
      homogeneous.col(i) << body.mesh.material_position(n), 1;
      p.col(i) = body.state.position[n];
      v.col(i) = body.state.velocity[n];
    }
    const Eigen::Matrix4d beta = homogeneous.inverse();                   // (16)
    const Mat3 dx = p * beta.leftCols<3>(), dv = v * beta.leftCols<3>();  // (21), (22)
    Mat3 elastic, viscous;
    const Mat3 eps = dx.transpose() * dx - Mat3::Identity();                 // (1)
    const Mat3 nu = dx.transpose() * dv + dv.transpose() * dx;               // (3)
    elastic = m.lambda * eps.trace() * Mat3::Identity() + 2 * m.mu * eps;    // (7)
    viscous = m.phi * nu.trace() * Mat3::Identity() + 2 * m.psi * nu;        // (8)
    const double vol = signed_volume(body.mesh.material_corners(TetId(0)));  // (25)
    double scale = 0;
    for (int i = 0; i < 4; ++i) scale = std::max(scale, body.force[c[static_cast<std::size_t>(i)]].norm());
    for (int i = 0; i < 4; ++i) {
      Vec3 f_total = Vec3::Zero(), f_viscous = Vec3::Zero();
      for (int j = 0; j < 4; ++j) {
        for (int k = 0; k < 3; ++k) {
          for (int l = 0; l < 3; ++l) {
            const double weight = -vol / 2 * beta(j, l) * beta(i, k);
            f_total += weight * (elastic(k, l) + viscous(k, l)) * p.col(j);  // (27)
            f_viscous += weight * viscous(k, l) * p.col(j);                  // (26)
          }
        }
      }
      const NodeId n = c[static_cast<std::size_t>(i)];
      EXPECT_LT((body.force[n] - f_total).norm(), 1e-10 * scale) << "round " << round;
      EXPECT_LT((body.viscous[n] - f_viscous).norm(), 1e-10 * scale) << "round " << round;
    }
  }
}

TEST(InternalForces, DampingPowerIsMinusTheDissipation) {
  Dice dice(4);
  for (int round = 0; round < 200; ++round) {
    const Material m = random_material(dice);
    Body body(random_tet(dice), m);
    for (const NodeId n : id_range<NodeId>(4)) {
      body.state.position[n] = body.mesh.material_position(n) + dice.vec(-0.3, 0.3);
      body.state.velocity[n] = dice.vec(-2, 2);
    }
    const ForceReport report = body.evaluate();
    double power = 0;
    for (const NodeId n : id_range<NodeId>(4)) power += body.viscous[n].dot(body.state.velocity[n]);
    const TetId t(0);
    const Mat3 f = edge_matrix(body.mesh.corner_positions(t, body.state.position)) * body.elements.rest_inverse[t];
    const Mat3 g = edge_matrix(body.mesh.corner_positions(t, body.state.velocity)) * body.elements.rest_inverse[t];
    const Mat3 rate = 0.5 * (f.transpose() * g + g.transpose() * f);
    const double dissipation =
        body.elements.volume[t] * (m.phi * rate.trace() * rate.trace() + 2 * m.psi * rate.squaredNorm());
    EXPECT_GE(dissipation, 0);
    EXPECT_NEAR(report.viscous_power, dissipation, 1e-12 * dissipation);
    EXPECT_NEAR(power, -dissipation, 1e-13 * largest_norm(body.force) * 10);  // round-off of the elastic part
  }
}

TEST(InternalForces, AffineMapsLeaveInnerNodesWithoutForce) {
  Dice dice(5);
  for (int round = 0; round < 20; ++round) {
    Body body(box_mesh(Vec3(1, 0.8, 0.6), 0.2, 11), random_material(dice));
    const Mat3 map = Mat3::Identity() + dice.matrix(-0.3, 0.3), rate = dice.matrix(-2, 2);
    for (const NodeId n : id_range<NodeId>(body.mesh.node_slots())) {
      body.state.position[n] = map * body.mesh.material_position(n);
      body.state.velocity[n] = rate * body.mesh.material_position(n);
    }
    body.evaluate();
    int inner = 0;
    for (const NodeId n : id_range<NodeId>(body.mesh.node_slots())) {
      bool boundary = false;
      double magnitudes = 0;
      for (const Corner c : body.mesh.star(n)) {
        for (int i = 0; i < 4; ++i) boundary |= i != c.index && !body.mesh.neighbour({c.tet, i}).valid();
        TetSoup alone;
        for (const NodeId k : body.mesh.corners(c.tet)) alone.points.push_back(body.mesh.material_position(k));
        alone.tets.push_back({0, 1, 2, 3});
        Body single(alone, body.materials[0].constants);
        for (std::size_t k = 0; k < 4; ++k) {
          single.state.position[NodeId(k)] = body.state.position[body.mesh.corners(c.tet)[k]];
          single.state.velocity[NodeId(k)] = body.state.velocity[body.mesh.corners(c.tet)[k]];
        }
        single.evaluate();
        magnitudes += single.force[NodeId(static_cast<std::size_t>(c.index))].norm();
      }
      if (boundary) continue;
      ++inner;
      EXPECT_LT(body.force[n].norm(), 1e-12 * magnitudes);
    }
    EXPECT_GT(inner, 20);
  }
}

TEST(InternalForces, UniaxialStretchFollowsTheClosedFormUntilCrushed) {
  Material m;
  m.mu = 2e6;
  m.density = 1000;
  const double area = 0.7 * 0.5;
  Body body(box_mesh(Vec3(1, 0.7, 0.5), 0.2, 3), m);
  const auto end_force = [&](double s) {
    for (const NodeId n : id_range<NodeId>(body.mesh.node_slots())) {
      const Vec3& x = body.mesh.material_position(n);
      body.state.position[n] = Vec3(s * x.x(), x.y(), x.z());
    }
    body.evaluate();
    double sum = 0;
    for (const NodeId n : id_range<NodeId>(body.mesh.node_slots())) {
      if (body.mesh.material_position(n).x() > 0.5 - 1e-9) sum -= body.force[n].x();
    }
    return sum;  // what must pull at the end
  };
  for (const double s : {0.31, 0.5, 0.577, 0.8, 1.0, 1.3, 2.0}) {
    EXPECT_NEAR(end_force(s), area * m.mu * s * (s * s - 1), 1e-9 * area * m.mu) << "stretch " << s;
  }
  // The resistance peaks at 1/sqrt(3) ...
  const double peak = 1 / std::sqrt(3.0);
  EXPECT_LT(end_force(peak), end_force(peak + 0.02));
  EXPECT_LT(end_force(peak), end_force(peak - 0.02));
  // ... and below 30 % the barrier takes over: crushed or inside out, the body pushes harder and harder.
  double before = end_force(0.2);
  for (const double s : {0.1, 0.0, -0.2, -0.5, -1.0}) {
    const double now = end_force(s);
    EXPECT_LT(now, before) << "stretch " << s;
    before = now;
  }
}

TEST(InternalForces, WithoutBarrierAnInvertedElementIsAtRestAndOnlyDetFShowsIt) {
  Dice dice(6);
  Material m = random_material(dice);
  Body body(random_tet(dice), m, {.capped = false}, /*with_barrier=*/false);
  for (const NodeId n : id_range<NodeId>(4)) {
    body.state.position[n] = body.mesh.material_position(n);
    body.state.position[n].x() *= -1;  // a mirror image
  }
  const ForceReport report = body.evaluate();
  EXPECT_LT(largest_norm(body.force), 1e-9 * m.mu);
  EXPECT_EQ(report.inverted, 1u);
}

TEST(InternalForces, OfAnElementAddUpToZeroAndCarryNoTorque) {
  Dice dice(7);
  for (int round = 0; round < 500; ++round) {
    Body body(random_tet(dice), random_material(dice));
    for (const NodeId n : id_range<NodeId>(4)) {
      body.state.position[n] = body.mesh.material_position(n) + dice.vec(-0.8, 0.8);
      body.state.velocity[n] = dice.vec(-2, 2);
    }
    body.evaluate();
    Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
    double magnitude = 0, moment = 0;
    for (const NodeId n : id_range<NodeId>(4)) {
      sum += body.force[n];
      torque += body.state.position[n].cross(body.force[n]);
      magnitude += body.force[n].norm();
      moment += body.state.position[n].norm() * body.force[n].norm();
    }
    EXPECT_LT(sum.norm(), 1e-14 * magnitude);
    EXPECT_LT(torque.norm(), 1e-13 * moment);
  }
}

// The jerk: forces along p + t v + t^2/2 a, v + t a.
TEST_P(Gradient, ForceRateIsTheTimeDerivativeOfTheForce) {
  Dice dice(8);
  for (int round = 0; round < 100; ++round) {
    Body body(random_tet(dice), random_material(dice), {.capped = true, .largest_ratio = 0.01});
    Column<NodeId, Vec3> acceleration(4);
    const Mat3 f = Mat3::Identity() + dice.matrix(-GetParam(), GetParam());
    for (const NodeId n : id_range<NodeId>(4)) {
      body.state.position[n] = f * body.mesh.material_position(n);
      body.state.velocity[n] = dice.vec(-2, 2);
      acceleration[n] = dice.vec(-20, 20);
    }
    const NodeState start = body.state;
    const auto force_at = [&](double t) {
      for (const NodeId n : id_range<NodeId>(4)) {
        body.state.position[n] = start.position[n] + t * start.velocity[n] + 0.5 * t * t * acceleration[n];
        body.state.velocity[n] = start.velocity[n] + t * acceleration[n];
      }
      body.evaluate();
      return body.force;
    };
    const double h = 1e-6;
    const Column<NodeId, Vec3> above = force_at(h), below = force_at(-h);
    Column<NodeId, Vec3> rate;
    body.state = start;
    body.forces.evaluate_rate(body.state, acceleration, rate);
    for (const NodeId n : id_range<NodeId>(4)) {
      EXPECT_LT((rate[n] - (above[n] - below[n]) / (2 * h)).norm(), 1e-6 * largest_norm(rate)) << "round " << round;
    }
  }
}

TEST(InternalForces, SameBitsForAnyNumberOfThreads) {
  Dice dice(9);
  Body body(box_mesh(Vec3(1, 1, 1), 0.08, 5), random_material(dice));
  for (const NodeId n : id_range<NodeId>(body.mesh.node_slots())) {
    body.state.position[n] = body.mesh.material_position(n) + dice.vec(-0.01, 0.01);
    body.state.velocity[n] = dice.vec(-1, 1);
  }
  Column<NodeId, Vec3> reference;
  for (const int threads : {1, 2, 3, 7}) {
    Threads(threads).run([&] { body.evaluate(); });
    if (threads == 1) reference = body.force;
    for (const NodeId n : id_range<NodeId>(body.mesh.node_slots())) ASSERT_EQ(body.force[n], reference[n]) << threads;
  }
}

TEST(InternalForces, PrincipalStressOfAStretchedBarIsItsCauchyStress) {
  Material m;
  m.lambda = 1e6, m.mu = 2e6, m.density = 1000;
  Body body(box_mesh(Vec3(1, 1, 1), 0.4, 3), m);
  const double s = 1.2;
  for (const NodeId n : id_range<NodeId>(body.mesh.node_slots())) {
    const Vec3& x = body.mesh.material_position(n);
    body.state.position[n] = Vec3(x.x(), s * x.y(), x.z());
  }
  Column<TetId, double> stress;
  body.forces.principal_stress(body.state, stress);
  const double e = 0.5 * (s * s - 1);
  const double expected = s * s * (m.lambda + 2 * m.mu) * e / s;  // F S F^T / J
  for (const double value : stress) EXPECT_NEAR(value, expected, 1e-9 * expected);
}

}  // namespace
}  // namespace sunder::tet_oh99
