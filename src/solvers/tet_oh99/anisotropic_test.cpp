// Bodies whose stiffness depends on direction.
#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>
#include <numbers>

#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99 {
namespace {

using testing::Dice;
using testing::setup_of;

Material orthotropic() {
  Material m;
  const VoigtMatrix c = compliance({{8e6, 2e6, 1e6}, {0.3, 0.2, 0.03}, {0.9e6, 0.5e6, 0.7e6}}).inverse();
  m.anisotropy = Anisotropy{constants_of(c)};
  m.density = 800;
  return m;
}

Material isotropic_as_21(const Material& material) {
  Material m = material;
  VoigtMatrix c = VoigtMatrix::Zero();
  c.topLeftCorner<3, 3>().setConstant(m.lambda);
  for (int i = 0; i < 3; ++i) c(i, i) += 2 * m.mu, c(3 + i, 3 + i) = m.mu;
  m.anisotropy = Anisotropy{constants_of(c)};
  return m;
}

// A block of any material, deformed and moving.
struct Deformed : testing::Body {
  Deformed(const Material& material, const Mat3& turn) : Body(turned_soup(turn), material) {
    materials[0] = material_of_body(material, turn);
    elements = element_constants(mesh, materials, {.capped = false});
    Dice dice(8);
    for (const NodeId n : id_range<NodeId>(state.position.size())) {
      const Vec3 by = dice.vec(-0.02, 0.02), velocity = dice.vec(-1, 1);
      state.position[n] += turn * by, state.velocity[n] = turn * velocity;
    }
  }
  static TetSoup turned_soup(const Mat3& turn) {
    TetSoup soup = box_mesh(Vec3(0.4, 0.3, 0.3), 0.1, 1);
    for (Vec3& p : soup.points) p = turn * p;
    return soup;
  }
  double largest_force() const {
    double largest = 0;
    for (const Vec3& f : force) largest = std::max(largest, f.norm());
    return largest;
  }
};

TEST(AnisotropicBody, WithIsotropicConstantsIsTheIsotropicOne) {
  Dice dice(3);
  const Material m = testing::random_material(dice);
  Deformed plain(m, Mat3::Identity()), general(isotropic_as_21(m), Mat3::Identity());
  ASSERT_FALSE(general.materials[0].isotropic);
  const ForceReport a = plain.evaluate(), b = general.evaluate();
  for (const NodeId n : id_range<NodeId>(plain.force.size())) {
    EXPECT_LT((plain.force[n] - general.force[n]).norm(), 1e-12 * plain.largest_force());
  }
  EXPECT_NEAR(a.elastic_eigen, b.elastic_eigen, 1e-9 * a.elastic_eigen);
  EXPECT_NEAR(a.viscous_eigen, b.viscous_eigen, 1e-9 * a.viscous_eigen);
  EXPECT_NEAR(a.viscous_power, b.viscous_power, 1e-12 * a.viscous_power);
  const double energy = plain.forces.elastic_energy(plain.state.position);
  EXPECT_NEAR(general.forces.elastic_energy(general.state.position), energy, 1e-12 * energy);
}

TEST(AnisotropicBody, TurnsWithItsAxes) {
  const Mat3 turn = Eigen::AngleAxisd(0.9, Vec3(1, -2, 0.7).normalized()).toRotationMatrix();
  Material m = orthotropic();
  m.phi = 30, m.psi = 40;
  m.anisotropy->axes = Vec3(20, -30, 50);
  Deformed upright(m, Mat3::Identity()), turned(m, turn);
  upright.evaluate(), turned.evaluate();
  for (const NodeId n : id_range<NodeId>(upright.force.size())) {
    EXPECT_LT((turn * upright.force[n] - turned.force[n]).norm(), 1e-11 * upright.largest_force());
  }
}

// Objectivity: the same body, moved as a whole in the world.
TEST(AnisotropicBody, DoesNotMindBeingTurnedInTheWorld) {
  const Mat3 turn = Eigen::AngleAxisd(2, Vec3(0.3, 1, 0.2).normalized()).toRotationMatrix();
  Deformed still(orthotropic(), Mat3::Identity()), turned(orthotropic(), Mat3::Identity());
  for (Vec3& p : turned.state.position) p = turn * p + Vec3(1, 2, 3);
  for (Vec3& v : turned.state.velocity) v = turn * v;
  still.evaluate(), turned.evaluate();
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  for (const NodeId n : id_range<NodeId>(still.force.size())) {
    EXPECT_LT((turn * still.force[n] - turned.force[n]).norm(), 1e-11 * still.largest_force());
    sum += still.force[n], torque += still.state.position[n].cross(still.force[n]);
  }
  EXPECT_LT(sum.norm(), 1e-11 * still.largest_force());
  EXPECT_LT(torque.norm(), 1e-11 * still.largest_force());
}

TEST(AnisotropicBody, ForcesAreTheGradientOfTheEnergy) {
  Deformed body(orthotropic(), Mat3::Identity());
  for (Vec3& v : body.state.velocity) v.setZero();
  body.evaluate();
  for (const std::uint32_t i : {0u, 9u, 21u}) {
    for (int axis = 0; axis < 3; ++axis) {
      const double h = 1e-6;
      Column<NodeId, Vec3> x = body.state.position;
      x[NodeId(i)][axis] += h;
      const double up = body.forces.elastic_energy(x);
      x[NodeId(i)][axis] -= 2 * h;
      EXPECT_NEAR(-(up - body.forces.elastic_energy(x)) / (2 * h), body.force[NodeId(i)][axis],
                  1e-5 * body.largest_force());
    }
  }
}

// Pulled slowly, off its axes: the force is that of Young's modulus in the direction of the pull,
// 1/E = cos^4/E1 + sin^4/E2 + cos^2 sin^2 (1/G12 - 2 nu12/E1).
TEST(AnisotropicBody, PatchOffItsAxesBearsTheStressOfTheFormula) {
  for (const double degrees : {0.0, 25.0, 60.0, 90.0}) {
    Material m = orthotropic();
    m.anisotropy->axes = Vec3(0, 0, degrees);
    const TetMaterial material = material_of_body(m, Mat3::Identity());
    // The strain under a stress along x alone, and a body that has it everywhere.
    Eigen::Matrix<double, 6, 1> stress = Eigen::Matrix<double, 6, 1>::Zero();
    stress[0] = 1;
    Eigen::Matrix<double, 6, 1> e = material.law->elastic_moduli().ldlt().solve(stress);
    const double c = std::cos(degrees * std::numbers::pi / 180), s = std::sin(degrees * std::numbers::pi / 180);
    const double formula = 1 / (std::pow(c, 4) / 8e6 + std::pow(s, 4) / 2e6 + c * c * s * s * (1 / 0.9e6 - 0.6 / 8e6));
    const double r = std::sqrt(0.5);
    Mat3 strain;
    strain << e[0], r * e[5], r * e[4], r * e[5], e[1], r * e[3], r * e[4], r * e[3], e[2];
    Deformed body(m, Mat3::Identity());
    for (const NodeId n : id_range<NodeId>(body.state.position.size())) {
      body.state.position[n] = (Mat3::Identity() + strain) * body.mesh.material_position(n);
      body.state.velocity[n].setZero();
    }
    body.evaluate();
    double pull = 0;  // on the end at +x
    for (const NodeId n : id_range<NodeId>(body.force.size())) {
      const Vec3& x = body.mesh.material_position(n);
      if (x.x() > 0.2 - 1e-9) pull -= body.force[n].x();
      const bool inside = std::abs(x.x()) < 0.2 - 1e-9;  // no force there: nothing pulls at the sides
      if (inside) {
        EXPECT_LT(body.force[n].norm(), 1e-4 * formula * strain(0, 0) * 0.01) << degrees;
      }
    }
    EXPECT_NEAR(pull / (0.3 * 0.3) / strain(0, 0), formula, 1e-4 * formula) << degrees;
  }
}

// The slowest free mode along a bar, cos(pi x / L), swings with the period 2 L / c, c = sqrt(E / rho).
TEST(AnisotropicBody, WavesRunAlongABarAtTheSpeedOfItsAxis) {
  for (int axis = 0; axis < 3; ++axis) {
    Material m = orthotropic();
    // The body's x is the material's x, y or z.
    m.anisotropy->axes = axis == 0 ? Vec3(0, 0, 0) : axis == 1 ? Vec3(0, 0, -90) : Vec3(0, 90, 0);
    const double young = axis == 0 ? 8e6 : axis == 1 ? 2e6 : 1e6;
    constexpr double kLength = 1;
    TetSetup setup = setup_of(box_mesh(Vec3(kLength, 0.05, 0.05), 0.05, 1), m);
    setup.materials[0] = material_of_body(m, Mat3::Identity());
    setup.parameters.gravity.setZero();
    const auto mode = [&](const Vec3& x) { return std::sin(std::numbers::pi * x.x() / kLength); };  // centred bar
    for (const NodeId n : id_range<NodeId>(setup.state.position.size())) {
      setup.state.velocity[n] = Vec3(0.02 * mode(setup.state.position[n]), 0, 0);
    }
    TetSolver solver(std::move(setup));
    const Totals start = solver.totals();
    const auto along = [&] {
      double sum = 0;
      for (const NodeId n : id_range<NodeId>(solver.mesh().node_slots())) {
        const Vec3& x = solver.mesh().material_position(n);
        sum += solver.masses()[n] * mode(x) * (solver.state().position[n] - x).x();
      }
      return sum;
    };
    double before = along(), at = solver.time();
    for (;;) {
      solver.step(solver.stable_dt());
      const double now = along();
      if (now < 0) {
        at += (solver.time() - at) * before / (before - now);
        break;
      }
      before = now, at = solver.time();
      ASSERT_LT(solver.time(), 1);
    }
    const double speed = kLength / at;  // half a period
    EXPECT_NEAR(speed, std::sqrt(young / 800), 0.02 * speed) << axis;
    const Totals end = solver.totals();
    EXPECT_NEAR(end.kinetic + end.elastic, start.kinetic + start.elastic, 2e-3 * start.kinetic) << axis;
    EXPECT_LT((end.momentum - start.momentum).norm(), 1e-9 * start.mass * 0.02) << axis;
  }
}

// No assembly of elements is stiffer than its stiffest: the step that rests on that keeps a wild body bounded.
TEST(AnisotropicBody, TumblesForLongWithoutGainingEnergy) {
  Material m = orthotropic();
  m.anisotropy->axes = Vec3(10, 20, 30);
  TetSetup setup = setup_of(box_mesh(Vec3(0.4, 0.3, 0.2), 0.1, 2), m);
  setup.materials[0] = material_of_body(m, Mat3::Identity());
  setup.parameters.gravity.setZero();
  Dice dice(4);
  for (const NodeId n : id_range<NodeId>(setup.state.position.size())) setup.state.velocity[n] = dice.vec(-0.2, 0.2);
  TetSolver solver(std::move(setup));
  const Totals start = solver.totals();
  for (int i = 0; i < 20000; ++i) solver.step(solver.stable_dt());
  const Totals end = solver.totals();
  // Of the fastest modes the energy is uncertain by a tenth at this step; none may grow.
  EXPECT_NEAR(end.kinetic + end.elastic, start.kinetic, 0.15 * start.kinetic);
  EXPECT_LT((end.momentum - start.momentum).norm(), 1e-9 * start.mass);
}

}  // namespace
}  // namespace sunder::tet_oh99
