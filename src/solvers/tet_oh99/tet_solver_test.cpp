// The whole step: books of energy and momentum, supports and loads, contact, save and load.
#include "solvers/tet_oh99/tet_solver.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include "core/parallel.h"
#include "mesh/boundary.h"
#include "solvers/tet_oh99/testing.h"

namespace sunder::tet_oh99 {
namespace {

using testing::setup_of;

Material jelly() {
  Material m;
  const Lame lame = lame_from_young(2e5, 0.35);
  m.lambda = lame.lambda, m.mu = lame.mu;
  m.phi = 150, m.psi = 150;
  m.density = 1000;
  return m;
}

TetSoup placed(TetSoup soup, const Vec3& position, const Mat3& rotation = Mat3::Identity()) {
  for (Vec3& p : soup.points) p = rotation * p + position;
  return soup;
}

Collider ground(double friction = 0.4, double damping = 0.2) {
  Collider collider;
  collider.name = "ground";
  collider.shape = GroundCollider{};
  collider.friction = friction;
  collider.damping = damping;
  return collider;
}

double energy(const Totals& t) { return t.kinetic + t.elastic + t.gravity + t.contact + t.dissipated; }

void run_until(TetSolver& solver, double time) {
  while (solver.time() < time) {
    const StepReport report = solver.step(solver.stable_dt());
    ASSERT_TRUE(report.finite);
  }
}

Vec3 centre(const TetSolver& solver) {
  Vec3 moment = Vec3::Zero();
  double mass = 0;
  for (const NodeId n : id_range<NodeId>(solver.mesh().node_slots())) {
    moment += solver.masses()[n] * solver.state().position[n];
    mass += solver.masses()[n];
  }
  return moment / mass;
}

TEST(FallingBlock, FallsFreelyBouncesRestsAndTheBooksBalance) {
  Material thick = jelly();
  thick.phi = thick.psi = 800;  // or it wobbles for a minute, as jelly does
  const Mat3 tilt = Eigen::AngleAxisd(0.3, Vec3(1, 0.4, 1).normalized()).toRotationMatrix();
  TetSetup setup = setup_of(placed(box_mesh(Vec3(0.4, 0.3, 0.3), 0.1, 5), Vec3(0, 0.8, 0), tilt), thick);
  setup.colliders.push_back(ground());
  TetSolver solver(std::move(setup));
  const Totals start = solver.totals();
  const double drop = start.mass * 9.81 * 0.6;  // the energy at stake, roughly
  EXPECT_NEAR(start.mass, 0.4 * 0.3 * 0.3 * 1000, 1e-9);

  // Free fall: momentum m g t, and the fall's energy to round-off.
  run_until(solver, 0.2);
  Totals now = solver.totals();
  EXPECT_NEAR(now.momentum.y(), -now.mass * 9.81 * solver.time(), 1e-9 * now.mass);
  EXPECT_NEAR(now.momentum.x(), 0, 1e-9 * now.mass);
  EXPECT_NEAR(energy(now), energy(start), 1e-9 * drop);

  double lowest = 1, highest_after = 0, largest_error = 0;
  while (solver.time() < 9) {
    solver.step(solver.stable_dt());
    const double height = centre(solver).y();
    if (solver.time() < 0.5) lowest = std::min(lowest, height);
    if (solver.time() > 0.5 && solver.time() < 1.2) highest_after = std::max(highest_after, height);
    now = solver.totals();
    largest_error = std::max(largest_error, std::abs(energy(now) - energy(start)));
  }
  EXPECT_LT(largest_error, 5e-3 * drop);
  EXPECT_GT(highest_after, lowest + 0.03) << "it does not bounce";
  EXPECT_LT(now.kinetic, 1e-4 * drop) << "it does not come to rest";
  EXPECT_GT(now.dissipated, 0.5 * drop);
  EXPECT_GT(centre(solver).y(), 0.1);
  // At rest the ground carries the weight.
  solver.begin_frame();
  const double since = solver.time();
  run_until(solver, since + 0.2);
  const Reaction& floor = solver.reactions().back();
  EXPECT_NEAR(floor.impulse.y() / (solver.time() - since), now.mass * 9.81, 0.01 * now.mass * 9.81);
}

TEST(Spinning, FreeBodyKeepsMomentumAngularMomentumAndEnergy) {
  Material m = jelly();
  m.phi = m.psi = 0;
  TetSetup setup = setup_of(box_mesh(Vec3(0.4, 0.3, 0.2), 0.1, 5), m);
  setup.parameters.gravity.setZero();
  for (const NodeId n : id_range<NodeId>(setup.mesh.node_slots())) {
    setup.state.velocity[n] = Vec3(0.5, 0, 0) + Vec3(3, 5, 1).cross(setup.state.position[n]);
  }
  TetSolver solver(std::move(setup));
  const auto angular = [&] {
    Vec3 sum = Vec3::Zero();
    for (const NodeId n : id_range<NodeId>(solver.mesh().node_slots())) {
      sum += solver.masses()[n] * solver.state().position[n].cross(solver.state().velocity[n]);
    }
    return sum;
  };
  const Totals start = solver.totals();
  const Vec3 angular_start = angular();
  run_until(solver, 1);
  const Totals end = solver.totals();
  EXPECT_LT((end.momentum - start.momentum).norm(), 1e-11 * start.momentum.norm());
  EXPECT_LT((angular() - angular_start).norm(), 1e-10 * angular_start.norm());
  EXPECT_NEAR(energy(end), energy(start), 1e-2 * start.kinetic);
}

TEST(Supports, HangingBarStretchesAsStaticsSaysAndItsSupportCarriesTheWeight) {
  Material m = jelly();
  m.phi = m.psi = 2000;  // so that it hangs still soon
  TetSetup setup = setup_of(box_mesh(Vec3(0.1, 1, 0.1), 0.06, 5), m);
  setup.parameters.damping.capped = false;
  Region top;
  top.name = "top", top.kind = Region::Kind::hold;
  for (const NodeId n : id_range<NodeId>(setup.mesh.node_slots())) {
    if (setup.mesh.material_position(n).y() > 0.5 - 1e-9) top.nodes.push_back(n);
  }
  top.axes = {false, true, false};  // free to contract: exact uniaxial stress
  setup.regions.push_back(top);
  setup.parameters.gravity = Vec3(0, -1, 0);
  TetSolver solver(std::move(setup));
  run_until(solver, 6);
  const Totals t = solver.totals();
  EXPECT_LT(t.kinetic, 1e-8 * t.mass);
  const Reaction& reaction = solver.reactions()[0];
  EXPECT_NEAR(reaction.force.y(), t.mass * 1, 1e-3 * t.mass);
  EXPECT_NEAR(reaction.work, 0, 1e-9);
  double lowest = 0;
  for (const Vec3& p : solver.state().position) lowest = std::min(lowest, p.y());
  // rho g L^2 / (2 E), small strain (0.25 %)
  EXPECT_NEAR(-0.5 - lowest, 1000.0 * 1 / (2 * 2e5), 0.03 * 1000.0 / (2 * 2e5));
}

TEST(Loads, AForceAcceleratesTheBodyByForceOverMassAndItsWorkIsBooked) {
  TetSetup setup = setup_of(box_mesh(Vec3(0.2, 0.2, 0.2), 0.1, 5), jelly());
  setup.parameters.gravity.setZero();
  Region push;
  push.name = "push", push.kind = Region::Kind::force, push.force = Vec3(4, 0, 0), push.end = 0.5;
  for (const NodeId n : id_range<NodeId>(setup.mesh.node_slots())) push.nodes.push_back(n);
  push.share.assign(push.nodes.size(), 1.0 / static_cast<double>(push.nodes.size()));
  setup.regions.push_back(push);
  TetSolver solver(std::move(setup));
  const double mass = solver.totals().mass;
  const int steps = static_cast<int>(std::ceil(0.5 / solver.stable_dt()));
  for (int i = 0; i < steps; ++i) solver.step(0.5 / steps);
  Totals t = solver.totals();
  EXPECT_NEAR(t.momentum.x(), 4 * 0.5, 1e-3);
  EXPECT_NEAR(t.momentum.x() / mass, 4 / mass * 0.5, 1e-3);
  EXPECT_NEAR(solver.reactions()[0].work, t.kinetic + t.elastic + t.dissipated, 1e-3 * t.kinetic);
  const double before = t.momentum.x();
  for (int i = 0; i < steps; ++i) solver.step(0.5 / steps);
  EXPECT_NEAR(solver.totals().momentum.x(), before, 0.01) << "the force must end at its end";
}

TEST(Loads, PressureAllAroundCompressesByTheBulkModulusWithoutNetForce) {
  Material m = jelly();
  m.phi = m.psi = 300;
  TetSetup setup = setup_of(box_mesh(Vec3(0.2, 0.2, 0.2), 0.08, 5), m);
  setup.parameters.gravity.setZero();
  Region squeeze;
  squeeze.name = "squeeze", squeeze.kind = Region::Kind::pressure, squeeze.pressure = 1000;
  for (const BoundaryFace& face : boundary_faces(setup.mesh)) squeeze.faces.push_back(face.nodes);
  setup.regions.push_back(squeeze);
  TetSolver solver(std::move(setup));
  run_until(solver, 2);
  double volume = 0;
  for (const TetId t : id_range<TetId>(solver.mesh().tet_slots())) {
    volume += signed_volume(solver.mesh().corner_positions(t, solver.state().position));
  }
  const double bulk = m.lambda + 2.0 / 3 * m.mu;
  EXPECT_NEAR(1 - volume / 0.008, 1000 / bulk, 0.02 * 1000 / bulk);
  EXPECT_LT(solver.totals().momentum.norm(), 1e-9);
  EXPECT_LT(solver.reactions()[0].force.norm(), 1e-9 * 1000 * 0.24);
}

TEST(Supports, MovedEndStretchesABarAndItsWorkBecomesElasticEnergy) {
  Material m = jelly();
  TetSetup setup = setup_of(box_mesh(Vec3(0.4, 0.1, 0.1), 0.06, 5), m);
  setup.parameters.gravity.setZero();
  Region left, right;
  left.name = "left", left.kind = Region::Kind::hold;
  right.name = "right", right.kind = Region::Kind::move, right.velocity = Vec3(0.02, 0, 0);
  for (const NodeId n : id_range<NodeId>(setup.mesh.node_slots())) {
    if (setup.mesh.material_position(n).x() < -0.2 + 1e-9) left.nodes.push_back(n);
    if (setup.mesh.material_position(n).x() > 0.2 - 1e-9) right.nodes.push_back(n);
  }
  left.axes = right.axes = {true, false, false};
  setup.regions = {left, right};
  TetSolver solver(std::move(setup));
  const double start = energy(solver.totals());
  run_until(solver, 1);
  const Totals t = solver.totals();
  EXPECT_NEAR(energy(t) - start, solver.reactions()[0].work + solver.reactions()[1].work, 2e-3 * t.elastic);
  EXPECT_NEAR(t.elastic, 0.5 * 2e5 * 0.01 / 0.4 * 0.02 * 0.02, 0.1 * t.elastic);  // 1/2 E A / L u^2, at 5 % strain
  EXPECT_NEAR(solver.reactions()[1].force.x(), -solver.reactions()[0].force.x(),
              0.05 * solver.reactions()[1].force.x());
}

// A block of one cell on the ground with friction, pulled sideways by tilted gravity.
double slide_after(double slope, double friction, double time) {
  Material m = jelly();
  m.lambda *= 10, m.mu *= 10, m.phi = m.psi = 300;
  TetSetup setup = setup_of(placed(box_mesh(Vec3(0.4, 0.1, 0.4), 0.1, 5), Vec3(0, 0.05, 0)), m);
  setup.parameters.gravity = 9.81 * Vec3(std::sin(slope), -std::cos(slope), 0);
  setup.colliders.push_back(ground(friction));
  TetSolver solver(std::move(setup));
  run_until(solver, 0.2);  // settles
  const double start = centre(solver).x();
  run_until(solver, 0.2 + time);
  return centre(solver).x() - start;
}

TEST(Friction, HoldsOnASlopeBelowItsAngleForGood) { EXPECT_LT(std::abs(slide_after(std::atan(0.3), 0.4, 2)), 2e-4); }

TEST(Friction, LetsGoAboveItsAngleWithTheRightAcceleration) {
  const double slope = std::atan(0.6), friction = 0.3;
  const double a = 9.81 * (std::sin(slope) - friction * std::cos(slope));
  // distance in [0.2, 0.7] from rest at about 0
  const double expected = 0.5 * a * (0.7 * 0.7 - 0.2 * 0.2);
  EXPECT_NEAR(slide_after(slope, friction, 0.5), expected, 0.05 * expected);
}

TEST(Contact, NoBounceGainsEnergy) {
  Material m = jelly();
  m.phi = m.psi = 0;
  TetSetup setup = setup_of(placed(box_mesh(Vec3(0.3, 0.3, 0.3), 0.12, 5), Vec3(0, 0.5, 0)), m);
  setup.colliders.push_back(ground(0, 0));  // no friction, no damping: nothing may be lost or won
  TetSolver solver(std::move(setup));
  const Totals start = solver.totals();
  const double drop = start.mass * 9.81 * 0.35;
  for (int i = 0; i < 20; ++i) {
    run_until(solver, solver.time() + 0.1);
    EXPECT_NEAR(energy(solver.totals()), energy(start), 0.02 * drop) << "t = " << solver.time();
  }
  EXPECT_EQ(solver.totals().dissipated, 0);
}

TEST(TetSolver, SavedAndLoadedGoesOnToTheSameBits) {
  const auto make = [] {
    TetSetup setup =
        setup_of(placed(box_mesh(Vec3(0.3, 0.3, 0.3), 0.12, 5), Vec3(0, 0.16, 0)), jelly(), Vec3(1, -1, 0));
    setup.colliders.push_back(ground());
    return TetSolver(std::move(setup));
  };
  TetSolver whole = make();
  for (int i = 0; i < 300; ++i) whole.step(whole.stable_dt());
  Writer out;
  whole.save(out);
  for (int i = 0; i < 300; ++i) whole.step(whole.stable_dt());

  TetSolver resumed = make();
  Reader in(out.bytes(), "memory");
  resumed.load(in);
  EXPECT_TRUE(in.at_end());
  Threads(3).run([&] {
    for (int i = 0; i < 300; ++i) resumed.step(resumed.stable_dt());
  });
  EXPECT_EQ(resumed.state_hash(), whole.state_hash());
  EXPECT_EQ(energy(resumed.totals()), energy(whole.totals()));
  EXPECT_EQ(resumed.reactions().back().impulse, whole.reactions().back().impulse);
}

TEST(TetSolver, AllIntegratorsAgreeOnABouncingBlock) {
  const auto height = [](Scheme scheme) {
    Material m = jelly();
    m.phi = m.psi = 400;
    TetSetup setup = setup_of(placed(box_mesh(Vec3(0.3, 0.3, 0.3), 0.15, 5), Vec3(0, 0.3, 0)), m);
    setup.colliders.push_back(ground(0.4, 0.5));
    setup.parameters.scheme = scheme;
    setup.parameters.damping.capped = false;
    setup.parameters.dt = 2e-5;
    TetSolver solver(std::move(setup));
    while (solver.time() < 0.35) solver.step(solver.stable_dt());
    return centre(solver).y();
  };
  const double symplectic = height(Scheme::symplectic_euler);
  EXPECT_NEAR(height(Scheme::taylor2), symplectic, 2e-3);
  EXPECT_NEAR(height(Scheme::forward_euler), symplectic, 2e-3);
}

}  // namespace
}  // namespace sunder::tet_oh99
