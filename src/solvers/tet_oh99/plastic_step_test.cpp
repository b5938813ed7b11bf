#include "solvers/tet_oh99/plastic_step.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "solvers/tet_oh99/cracking_testing.h"
#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99 {
namespace {

using testing::setup_of;

// As soft as jelly, and it flows: long steps, and strains that are easy to see.
Material soft_metal(double hardening = 0) {
  Material m;
  const Lame lame = lame_from_young(1e6, 0.3);
  m.lambda = lame.lambda, m.mu = lame.mu;
  m.phi = 100, m.psi = 100;
  m.density = 1000;
  m.yield_stress = 2e4, m.hardening = hardening;
  return m;
}

double energy(const Totals& t) { return t.kinetic + t.elastic + t.gravity + t.contact + t.dissipated; }

// The ends of a bar along x: one held along x, the other moved or let go.
Region end_of(const TetSetup& setup, double x, Region::Kind kind, double speed, double until) {
  Region region;
  region.name = kind == Region::Kind::hold ? "hold" : "move";
  region.kind = kind;
  region.axes = {true, false, false};
  region.velocity = Vec3(speed, 0, 0);
  region.end = until;
  for (const NodeId n : id_range<NodeId>(setup.state.position.size())) {
    if (std::abs(setup.state.position[n].x() - x) < 1e-9) region.nodes.push_back(n);
  }
  return region;
}

// Mean distance of the two ends.
double length_along_x(const TetSolver& solver) {
  double low = 0, high = 0, low_count = 0, high_count = 0;
  for (const NodeId n : id_range<NodeId>(solver.mesh().node_slots())) {
    const double x = solver.mesh().material_position(n).x(), now = solver.state().position[n].x();
    if (x < -0.15 + 1e-9) low += now, ++low_count;
    if (x > 0.15 - 1e-9) high += now, ++high_count;
  }
  return high / high_count - low / low_count;
}

TetSetup pulled_bar(const Material& material, double speed, double until) {
  TetSetup setup = setup_of(box_mesh(Vec3(0.3, 0.1, 0.1), 0.05, 1), material);
  setup.parameters.gravity.setZero();
  setup.regions.push_back(end_of(setup, -0.15, Region::Kind::hold, 0, 1e9));
  setup.regions.push_back(end_of(setup, 0.15, Region::Kind::move, speed, until));
  return setup;
}

// The true elastic strain h of a bar (E 1e6, nu 0.3) that bears the stress t: the law is S = E e with Green's strain
// e = (exp(2 h) - 1) / 2, and t = exp(2 h) S.
double elastic_strain(double stress) {
  double h = stress / 1e6;
  for (int i = 0; i < 50; ++i) h = 0.5 * std::log(1 + 2 * stress / 1e6 * std::exp(-2 * h));
  return h;
}

// The bar bears t = 2e4 + H a, and its true strain ln(L / L0) is a + h(t); the sides are free.
double plastic_strain(double strain, double hardening) {
  double a = strain;
  for (int i = 0; i < 50; ++i) a = strain - elastic_strain(2e4 + hardening * a);
  return a;
}

// Without enough hardening a bar necks, so the one without is pulled less far.
TEST(PlasticBar, BearsItsYieldStressAndTheHardeningAndStaysLonger) {
  for (const double hardening : {0.0, 1e5}) {
    constexpr double kSpeed = 0.1;                   // waves cross the bar a hundred times
    const double time = hardening > 0 ? 0.9 : 0.15;  // to 1.3 or 1.05 of its length
    TetSolver solver(pulled_bar(soft_metal(hardening), kSpeed, time));
    const double start = energy(solver.totals());
    double mean = 0, weight = 0, strain = 0;
    while (solver.time() < time - 1e-9) {
      const double dt = std::min(solver.stable_dt(), time - solver.time());
      solver.step(dt);
      if (solver.time() < 0.8 * time) continue;
      mean += solver.reactions()[1].force.x() * dt, weight += dt;
      strain += std::log(length_along_x(solver) / 0.3) * dt;
    }
    mean /= weight, strain /= weight;
    const double a = plastic_strain(strain, hardening), stress = 2e4 + hardening * a;
    const double force =
        0.01 * stress / std::exp(strain);  // Kirchhoff's stress over the stretch is force per area at first
    EXPECT_NEAR(mean, force, 0.015 * force);

    // Let go: the elastic part springs back, the plastic one stays.
    const double loaded = std::log(length_along_x(solver) / 0.3), work = solver.reactions()[1].work;
    while (solver.time() < time + 3) solver.step(solver.stable_dt());
    EXPECT_NEAR(std::log(length_along_x(solver) / 0.3), plastic_strain(loaded, hardening), 0.0015);
    const Totals end = solver.totals();
    EXPECT_LT(end.elastic, 0.02 * end.plastic);
    EXPECT_GT(end.plastic, 0.7 * work);
    EXPECT_NEAR(energy(end) - work, start, 0.003 * work);
  }
}

TEST(PlasticBar, FlowIsIsochoricAndThereIsNoneBelowTheYieldStress) {
  TetSolver stretched(pulled_bar(soft_metal(), 0.1, 0.05));  // to a strain of 0.0167, below 0.02
  while (stretched.time() < 0.05) stretched.step(stretched.stable_dt());
  EXPECT_EQ(stretched.totals().plastic, 0);

  TetSolver solver(pulled_bar(soft_metal(1e5), 0.3, 1));
  while (solver.time() < 0.5) solver.step(solver.stable_dt());
  Frame frame;
  solver.snapshot(frame);
  double volume = 0;
  for (const auto& t : frame.tets) {
    volume += signed_volume({frame.position[t[0]], frame.position[t[1]], frame.position[t[2]], frame.position[t[3]]});
  }
  EXPECT_NEAR(volume, 0.003, 0.02 * 0.003);  // at 1.5 of the length
  ASSERT_EQ(frame.plastic_strain.size(), frame.tets.size());
  for (const double a : frame.plastic_strain) EXPECT_NEAR(a, std::log(1.5) - 0.055, 0.1);
}

// Considere: where the stress gains less than the section loses, one place gives way to all others.
TEST(PlasticBar, WithoutHardeningItNecks) {
  TetSolver solver(pulled_bar(soft_metal(), 0.3, 1));
  while (solver.time() < 0.5) solver.step(solver.stable_dt());
  Frame frame;
  solver.snapshot(frame);
  std::sort(frame.plastic_strain.begin(), frame.plastic_strain.end());
  EXPECT_LT(frame.plastic_strain[frame.plastic_strain.size() / 10], 0.1);
  EXPECT_GT(frame.plastic_strain[frame.plastic_strain.size() * 9 / 10], 0.6);
}

// Falls on its corner, dents, jumps and slides: nothing is lost but what is booked.
TEST(PlasticBlock, BooksBalanceThroughAFall) {
  TetSoup soup = box_mesh(Vec3(0.3, 0.3, 0.3), 0.1, 3);
  const Mat3 tilt = Eigen::AngleAxisd(0.7, Vec3(1, 0.4, 1).normalized()).toRotationMatrix();
  for (Vec3& p : soup.points) p = tilt * p + Vec3(0, 0.5, 0);
  TetSetup setup = setup_of(soup, soft_metal(1e4), Vec3(0, -3, 0));
  Collider ground;
  ground.name = "ground", ground.shape = GroundCollider{};
  setup.colliders.push_back(ground);
  TetSolver solver(std::move(setup));
  const double start = energy(solver.totals());
  const double at_stake = solver.totals().kinetic + solver.totals().mass * 9.81 * 0.3;
  double worst = 0;
  while (solver.time() < 1) {
    solver.step(solver.stable_dt());
    worst = std::max(worst, std::abs(energy(solver.totals()) - start));
  }
  EXPECT_LT(worst, 0.005 * at_stake);
  EXPECT_GT(solver.totals().plastic, 0.3 * at_stake);
}

// A block that has flowed, each tet by itself.
struct FlowedBlock : testing::Body {
  FlowedBlock() : Body(box_mesh(Vec3(0.4, 0.3, 0.3), 0.1, 1), soft_metal(1e5)) {
    testing::Dice dice(5);
    for (const NodeId n : id_range<NodeId>(state.position.size())) {
      state.position[n] += dice.vec(-0.02, 0.02);
      state.velocity[n] = dice.vec(-1, 1);
    }
    PlasticStep step(mesh, materials, {.capped = false});
    lost = step.run(state, 0, elements);
    flowed = step.flowed().size();
    for (const NodeId n : id_range<NodeId>(state.position.size())) state.position[n] += dice.vec(-0.01, 0.01);
  }
  double lost = 0;
  std::size_t flowed = 0;
};

TEST(PlasticShapes, FastAndPlainForcesAgree) {
  FlowedBlock body;
  ASSERT_GT(body.flowed, body.mesh.tet_count() / 2);
  EXPECT_GT(body.lost, 0);
  FastForces fast(body.mesh, body.materials, body.elements);
  Column<NodeId, Vec3> force;
  const ForceReport a = body.evaluate(), b = fast.evaluate(body.state, force, true);
  double largest = 0;
  for (const Vec3& f : body.force) largest = std::max(largest, f.norm());
  for (const NodeId n : id_range<NodeId>(force.size())) {
    EXPECT_LT((force[n] - body.force[n]).norm(), 1e-12 * largest);
  }
  EXPECT_NEAR(a.viscous_power, b.viscous_power, 1e-12 * a.viscous_power);
  EXPECT_NEAR(a.elastic_eigen, b.elastic_eigen, 1e-11 * a.elastic_eigen);

  // What flows later is seen, too.
  PlasticStep step(body.mesh, body.materials, {.capped = false});
  step.run(body.state, 0, body.elements);
  ASSERT_FALSE(step.flowed().empty());
  fast.reshape(step.flowed());
  body.evaluate();
  fast.evaluate(body.state, force, false);
  for (const NodeId n : id_range<NodeId>(force.size())) {
    EXPECT_LT((force[n] - body.force[n]).norm(), 1e-12 * largest);
  }
}

TEST(PlasticShapes, BoundsOnTheStepAreSafeAndNotMuchTooLarge) {
  FlowedBlock body;
  Material stiff = body.materials[0].constants;
  stiff.yield_stress = 0;
  for (const TetId t : id_range<TetId>(body.mesh.tet_slots())) {
    TetMesh one;
    TetSoup soup;
    for (const Vec3& x : rest_corners(body.mesh, body.elements.plastic, t)) soup.points.push_back(x);
    soup.tets.push_back({0, 1, 2, 3});
    one.append(soup, {});
    std::vector<TetMaterial> materials;
    materials.push_back(isotropic_material(stiff));
    const ElementConstants exact = element_constants(one, materials, {.capped = false});
    EXPECT_GE(body.elements.elastic_eigen[t], exact.elastic_eigen[TetId(0)] * (1 - 1e-12));
    EXPECT_LE(body.elements.elastic_eigen[t], exact.elastic_eigen[TetId(0)] * 1.5);
    EXPECT_GE(body.elements.viscous_eigen[t], exact.viscous_eigen[TetId(0)] * (1 - 1e-12));
    EXPECT_NEAR(body.elements.volume[t], exact.volume[TetId(0)], 1e-12 * exact.volume[TetId(0)]);
  }
}

TEST(PlasticShapes, ForcesAreTheGradientOfTheEnergyAndKeepMomentum) {
  FlowedBlock body;
  for (Vec3& v : body.state.velocity) v.setZero();
  body.evaluate();
  Vec3 sum = Vec3::Zero(), torque = Vec3::Zero();
  double largest = 0;
  for (const NodeId n : id_range<NodeId>(body.force.size())) {
    sum += body.force[n], torque += body.state.position[n].cross(body.force[n]);
    largest = std::max(largest, body.force[n].norm());
  }
  EXPECT_LT(sum.norm(), 1e-11 * largest);
  EXPECT_LT(torque.norm(), 1e-11 * largest);
  for (const std::uint32_t i : {0u, 7u, 20u}) {
    const NodeId n(i);
    for (int axis = 0; axis < 3; ++axis) {
      const double h = 1e-6;
      Column<NodeId, Vec3> x = body.state.position;
      x[n][axis] += h;
      const double up = body.forces.elastic_energy(x);
      x[n][axis] -= 2 * h;
      EXPECT_NEAR(-(up - body.forces.elastic_energy(x)) / (2 * h), body.force[n][axis], 1e-5 * largest);
    }
  }
}

// A block of soft metal that is torn apart.
TetSetup torn_block(bool cull) {
  testing::StretchedBlock block;
  block.toughness = 60, block.rate = 500;
  block.fracture.cull = cull;
  TetSetup setup = block.setup();
  Material m = setup.materials[0].constants;
  m.phi = m.psi = 10;
  m.yield_stress = 4e4, m.hardening = 3e5, m.plastic_limit = 0.6;
  setup.materials[0] = isotropic_material(m);
  return setup;
}

// sum of volume times plastic strain, m^3: only flow changes it, and only upwards.
double flowed_volume(const TetSolver& solver) {
  Frame frame;
  solver.snapshot(frame);
  double sum = 0;
  for (std::size_t t = 0; t < frame.tets.size(); ++t) {
    const auto& c = frame.tets[t];
    const double v = signed_volume({frame.rest[c[0]], frame.rest[c[1]], frame.rest[c[2]], frame.rest[c[3]]});
    sum += v * frame.plastic_strain[t];
  }
  return sum;
}

TEST(PlasticFracture, TearsAfterItHasFlowedAndChildrenInheritTheFlow) {
  TetSolver solver(torn_block(true));
  double before = 0;
  std::uint64_t seen = 0;
  while (solver.time() < 0.02 && seen < 60) {
    solver.step(solver.stable_dt());
    const double now = flowed_volume(solver);
    if (seen == 0 && solver.fracture().counts().splits > 0) {
      EXPECT_GT(before, 0.005 * 0.1 * 0.08 * 0.08);  // a mean strain of half a per cent
    }
    EXPECT_GE(now, before * (1 - 1e-12));
    before = now, seen = solver.fracture().counts().splits;
    if (seen % 7 == 0) solver.prepare_frame();  // renumbers
  }
  EXPECT_GE(seen, 60u);
}

TEST(PlasticFracture, TheBoundCullsNothingThatBreaks) {
  TetSolver all(torn_block(false)), culled(torn_block(true));
  testing::run_until_cracked(all, 40, 0.01), testing::run_until_cracked(culled, 40, 0.01);
  EXPECT_GE(all.fracture().counts().splits, 40u);
  EXPECT_EQ(all.state_hash(), culled.state_hash());
}

TEST(PlasticFracture, SameBitsForAnyNumberOfThreads) {
  std::uint64_t hash = 0;
  for (const int threads : {1, 2, 3}) {
    Threads(threads).run([&] {
      TetSolver solver(torn_block(true));
      testing::run_until_cracked(solver, 60, 0.02);
      if (threads == 1) hash = solver.state_hash();
      EXPECT_EQ(solver.state_hash(), hash) << threads;
    });
  }
}

void expect_resume_gives_the_same_bits(const std::function<TetSetup()>& make, int steps) {
  TetSolver first(make());
  for (int i = 0; i < steps; ++i) first.step(first.stable_dt());
  first.prepare_frame();
  Writer out;
  first.save(out);
  TetSolver second(make());
  const std::string bytes = out.take();
  Reader in(bytes, "memory");
  second.load(in);
  EXPECT_TRUE(in.at_end());
  EXPECT_EQ(first.state_hash(), second.state_hash());
  for (int i = 0; i < steps; ++i) {
    first.step(first.stable_dt()), second.step(second.stable_dt());
    if (i % 64 == 0) first.prepare_frame(), second.prepare_frame();
  }
  EXPECT_EQ(first.state_hash(), second.state_hash());
  EXPECT_EQ(first.totals().plastic, second.totals().plastic);
  EXPECT_EQ(first.totals().dissipated, second.totals().dissipated);
  EXPECT_GT(second.totals().plastic, 0);
}

TEST(PlasticState, ResumeGivesTheSameBits) {
  expect_resume_gives_the_same_bits([] { return pulled_bar(soft_metal(1e5), 0.3, 1e9); }, 300);
  expect_resume_gives_the_same_bits([] { return torn_block(true); }, 150);
}

TEST(PlasticState, DamagedShapesAreRefused) {
  TetSolver solver(pulled_bar(soft_metal(), 0.3, 1e9));
  for (int i = 0; i < 200; ++i) solver.step(solver.stable_dt());
  Writer out;
  solver.save(out);
  std::string bytes = out.take();
  // time, last dt, dissipated, no mesh, flows, work, count of strains: then the first strain
  const std::size_t at = 3 * 8 + 2 + 8 + 8;
  const double wrong = -1;
  std::memcpy(bytes.data() + at, &wrong, sizeof wrong);
  TetSolver other(pulled_bar(soft_metal(), 0.3, 1e9));
  Reader in(bytes, "memory");
  EXPECT_THROW(other.load(in), FileError);
}

}  // namespace
}  // namespace sunder::tet_oh99
