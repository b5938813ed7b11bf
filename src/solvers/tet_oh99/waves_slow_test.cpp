// verification.md, Deformation 6: waves, a cantilever, damping, against the continuum.
#include <gtest/gtest.h>

#include <numbers>

#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99 {
namespace {

using std::numbers::pi;

Region hold(const std::vector<NodeId>& nodes, std::array<bool, 3> axes) {
  Region region;
  region.name = "held";
  region.nodes = nodes;
  region.axes = axes;
  return region;
}

// The motion of a body started with velocities `shape`, seen through that shape: sum m v . shape.
struct Mode {
  TetSolver solver;
  Column<NodeId, Vec3> shape;

  double amplitude() const {
    double sum = 0;
    for (const NodeId n : id_range<NodeId>(shape.size())) {
      sum += solver.masses()[n] * solver.state().velocity[n].dot(shape[n]);
    }
    return sum;
  }
};

// Times at which the amplitude passes zero, to the second order.
std::vector<double> zero_crossings(Mode& mode, std::size_t count) {
  std::vector<double> times;
  double before = mode.amplitude();
  const double dt = mode.solver.stable_dt();
  while (times.size() < count) {
    mode.solver.step(dt);
    const double now = mode.amplitude();
    if (before * now < 0) times.push_back(mode.solver.time() - dt * now / (now - before));
    before = now;
  }
  return times;
}

// A free bar along x whose nodes may move only along `axis`: one-dimensional waves. Started in its first mode.
Mode bar_mode(int axis, int cells, const Material& material) {
  const double edge = 0.9 / cells;
  const double width = 2.0 / cells;
  TetSetup setup = testing::setup_of(box_mesh(Vec3(1, width, width), edge, 5), material);
  setup.parameters.gravity.setZero();
  setup.parameters.damping.capped = false;
  Column<NodeId, Vec3> shape(setup.mesh.node_slots(), Vec3::Zero());
  std::vector<NodeId> all;
  for (const NodeId n : id_range<NodeId>(setup.mesh.node_slots())) {
    shape[n][axis] = std::cos(pi * (setup.mesh.material_position(n).x() + 0.5));
    setup.state.velocity[n] = 1e-6 * shape[n];
    all.push_back(n);
  }
  std::array<bool, 3> axes = {true, true, true};
  axes[static_cast<std::size_t>(axis)] = false;
  setup.regions.push_back(hold(all, axes));
  return {TetSolver(std::move(setup)), std::move(shape)};
}

double wave_speed(int axis, int cells, const Material& material) {
  Mode mode = bar_mode(axis, cells, material);
  const std::vector<double> zeros = zero_crossings(mode, 5);
  const double period = (zeros[4] - zeros[0]) / 2;  // omega = pi c / L, L = 1
  return 2 / period;
}

class Waves : public ::testing::TestWithParam<int> {};

TEST_P(Waves, RunAtTheContinuumsSpeedWithSecondOrder) {
  Material m;
  m.lambda = 1e6, m.mu = 2e6, m.density = 1200;
  const double speed = std::sqrt((GetParam() == 0 ? m.lambda + 2 * m.mu : m.mu) / m.density);
  double last_error = 0;
  for (const int cells : {8, 16, 32}) {
    const double error = std::abs(wave_speed(GetParam(), cells, m) / speed - 1);
    RecordProperty("error_" + std::to_string(cells), std::to_string(error));
    EXPECT_LT(error, 1.5 / (cells * cells)) << cells << " cells";
    if (last_error > 0) {
      EXPECT_NEAR(std::log2(last_error / error), 2, 0.5) << cells << " cells";
    }
    last_error = error;
  }
}
INSTANTIATE_TEST_SUITE_P(PressureAndShear, Waves, ::testing::Values(0, 1));

TEST(Bar, WavesDecayWithTheDampingRatioBOmegaOverTwo) {
  Material m;
  m.lambda = 1e6, m.mu = 2e6, m.density = 1200;
  const double speed = std::sqrt((m.lambda + 2 * m.mu) / m.density);
  const double omega = pi * speed, ratio = 0.05, b = 2 * ratio / omega;
  m.phi = b * m.lambda, m.psi = b * m.mu;
  Mode mode = bar_mode(0, 24, m);
  const double start = mode.amplitude();
  // After whole periods of the damped motion started with pure velocity, v = v0 exp(-xi omega t).
  const double period = 2 * pi / (omega * std::sqrt(1 - ratio * ratio));
  const int steps = static_cast<int>(std::ceil(3 * period / mode.solver.stable_dt()));
  for (int i = 0; i < steps; ++i) mode.solver.step(3 * period / steps);
  const double measured = -std::log(mode.amplitude() / start) / (omega * 3 * period);
  EXPECT_NEAR(measured, ratio, 0.02 * ratio);
}

// First bending frequency of a beam of length 1 and thickness 0.1, clamped at one end, `layers` elements thick.
double cantilever_frequency(int layers, const Material& m) {
  TetSetup setup = testing::setup_of(box_mesh(Vec3(1, 0.1, 0.1), 0.1 / layers * 0.95, 3), m);
  setup.parameters.gravity.setZero();
  Column<NodeId, Vec3> shape(setup.mesh.node_slots(), Vec3::Zero());
  std::vector<NodeId> clamped;
  for (const NodeId n : id_range<NodeId>(setup.mesh.node_slots())) {
    const double x = setup.mesh.material_position(n).x() + 0.5, k = 1.875104;
    const double s = (std::cos(k) + std::cosh(k)) / (std::sin(k) + std::sinh(k));
    shape[n].y() = std::cosh(k * x) - std::cos(k * x) - s * (std::sinh(k * x) - std::sin(k * x));
    setup.state.velocity[n] = 1e-6 * shape[n];
    if (x < 1e-9) clamped.push_back(n);
  }
  setup.regions.push_back(hold(clamped, {true, true, true}));
  Mode mode{TetSolver(std::move(setup)), std::move(shape)};
  const std::vector<double> zeros = zero_crossings(mode, 2);
  return 0.5 / (zeros[1] - zeros[0]);
}

TEST(Cantilever, FrequencyConvergesAndLockingVanishesUnderRefinement) {
  const double young = 1e7, poisson = 0.3;
  const Lame lame = lame_from_young(young, poisson);
  Material m;
  m.lambda = lame.lambda, m.mu = lame.mu, m.density = 1000;
  // Euler and Bernoulli, with Timoshenko's correction for shear and rotary inertia of the first mode (-1.3 %).
  const double euler = 1.875104 * 1.875104 / (2 * pi) * std::sqrt(young * 0.1 * 0.1 / 12 / m.density);
  const double one = cantilever_frequency(1, m), two = cantilever_frequency(2, m), four = cantilever_frequency(4, m);
  RecordProperty("one_over_euler", std::to_string(one / euler));
  RecordProperty("two_over_euler", std::to_string(two / euler));
  RecordProperty("four_over_euler", std::to_string(four / euler));
  EXPECT_GT(one / euler, 1.15) << "one element through the thickness locks";
  EXPECT_LT(two, one);
  EXPECT_LT(four, two);
  // Second order: what is left after one more halving follows from the last two.
  const double limit = four - (two - four) / 3;
  EXPECT_NEAR(limit / euler, 0.987, 0.03);
  EXPECT_LT(four / limit - 1, 0.12);
}

}  // namespace
}  // namespace sunder::tet_oh99
