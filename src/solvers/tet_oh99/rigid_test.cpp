// Rigid bodies among deformable ones: momentum, books, stability, checkpoints.
#include <gtest/gtest.h>

#include "collision/collision_testing.h"
#include "core/parallel.h"
#include "core/rotation.h"
#include "solvers/tet_oh99/testing.h"
#include "solvers/tet_oh99/tet_solver.h"

namespace sunder::tet_oh99 {
namespace {

using collision_testing::free_body;
using collision_testing::ground;
using testing::setup_of;

Material jelly(double viscosity) {
  Material m;
  const Lame lame = lame_from_young(2e5, 0.35);
  m.lambda = lame.lambda, m.mu = lame.mu;
  m.phi = m.psi = viscosity;
  m.density = 1000;
  return m;
}

TetSoup block_at(const Vec3& position) {
  TetSoup soup = box_mesh(Vec3(0.3, 0.3, 0.3), 0.1, 5);
  for (Vec3& p : soup.points) p += position;
  return soup;
}

double books(const TetSolver& solver) {
  const Totals t = solver.totals();
  double sum = t.kinetic + t.elastic + t.gravity + t.contact + t.dissipated;
  for (const Reaction& r : solver.reactions()) sum -= r.work;
  return sum;
}

TEST(Rigid, ABlockThatHitsAFreeBoxKeepsMomentumToRoundOffAndEnergyToTheIntegratorsError) {
  for (const bool with_loss : {false, true}) {
    TetSetup setup = setup_of(block_at(Vec3(0.05, 0.35, 0)), jelly(with_loss ? 100 : 0), Vec3(0, -2, 0));
    setup.parameters.gravity.setZero();
    Collider box =
        free_body(BoxCollider{Vec3(0.4, 0.3, 0.5)}, 20, Vec3::Zero(), with_loss ? 0.5 : 0, with_loss ? 0.2 : 0);
    box.spin = Vec3(0.3, 0, 0.2);
    setup.colliders.push_back(box);
    TetSolver solver(std::move(setup));
    const Totals start = solver.totals();
    const double energy = books(solver);
    EXPECT_NEAR(start.mass, 27 + 20, 1e-9);
    EXPECT_NEAR(start.momentum.y(), -54, 1e-9);
    double error = 0;
    while (solver.time() < 0.5) {
      ASSERT_TRUE(solver.step(solver.stable_dt()).finite);
      error = std::max(error, std::abs(books(solver) - energy));
    }
    const Totals end = solver.totals();
    EXPECT_LT((end.momentum - start.momentum).norm(), 1e-12 * 54);
    EXPECT_LT(error, 0.02 * start.kinetic);
    EXPECT_LT(solver.poses()[0].velocity.y(), -0.5) << "the box was not pushed";
    if (with_loss) {
      EXPECT_GT(end.dissipated, 1);
    } else {
      EXPECT_EQ(end.dissipated, 0);
    }
  }
}

TEST(Rigid, AFallingPairGainsTheMomentumOfItsWeight) {
  TetSetup setup = setup_of(block_at(Vec3(0, 1, 0)), jelly(100));
  setup.colliders.push_back(free_body(SphereCollider{0.1}, 5, Vec3(0, 1.27, 0), 0.4, 0.2));
  setup.colliders.back().velocity = Vec3(0, -1, 0);
  setup.parameters.dt = 2e-4;  // where the step changes, velocities are not of the time of positions
  TetSolver solver(std::move(setup));
  const double energy = books(solver);
  while (solver.time() < 0.3) solver.step(solver.stable_dt());
  EXPECT_NEAR(solver.totals().momentum.y(), -5 - 32 * 9.81 * solver.time(), 1e-9);
  EXPECT_GT(solver.totals().dissipated, 0.1);
  EXPECT_NEAR(books(solver), energy, 0.02 * (5 * 9.81 * 0.5 + 2.5));
}

TEST(Rigid, AVeryLightBodyOnABlockStaysStable) {
  TetSetup setup = setup_of(block_at(Vec3(0, 0.15, 0)), jelly(200));
  setup.colliders.push_back(ground(0.5, 0.2));
  setup.colliders.push_back(free_body(BoxCollider{Vec3(0.25, 0.05, 0.25)}, 0.02, Vec3(0, 0.33, 0), 0.5, 0.2));
  TetSolver solver(std::move(setup));
  while (solver.time() < 0.5) {
    ASSERT_TRUE(solver.step(solver.stable_dt()).finite);
    ASSERT_LT(solver.kinetic_energy(), 1) << "at " << solver.time() << " s";
  }
  EXPECT_NEAR(solver.poses()[1].position.y(), 0.325, 0.01);
}

TEST(Rigid, AKinematicPressDoesTheWorkThatItsReactionBooks) {
  TetSetup setup = setup_of(block_at(Vec3(0, 0.15, 0)), jelly(100));
  setup.parameters.gravity.setZero();
  setup.colliders.push_back(ground(0, 0.2));
  Collider press;
  press.name = "press";
  press.shape = BoxCollider{Vec3(1, 0.2, 1)};
  press.friction = 0, press.damping = 0.2;
  press.motion = ColliderMotion::kinematic;
  press.keyframes = {{0, Vec3(0, 0.41, 0)}, {0.3, Vec3(0, 0.36, 0)}, {0.6, Vec3(0, 0.45, 0)}};
  setup.colliders.push_back(press);
  TetSolver solver(std::move(setup));
  const double energy = books(solver);
  double most = 0;
  while (solver.time() < 0.8) {
    solver.step(solver.stable_dt());
    most = std::max(most, solver.reactions()[1].work);
    ASSERT_NEAR(books(solver), energy, 0.02 * std::max(most, 0.1)) << "at " << solver.time() << " s";
  }
  EXPECT_GT(most, 1) << "it squeezed nothing";
  EXPECT_LT(solver.reactions()[1].work, most) << "the block did not push back";
  EXPECT_NEAR(solver.poses()[1].position.y(), 0.45, 1e-12);
}

// A ball on a rope, a box and a hammer on keyframes about a block: all there is to save.
TetSolver workshop() {
  TetSetup setup = setup_of(block_at(Vec3(0, 0.15, 0)), jelly(100));
  setup.colliders.push_back(ground(0.5, 0.2));
  Collider ball = free_body(SphereCollider{0.1}, 10, Vec3(-0.45, 0.4, 0), 0.4, 0.2);
  ball.name = "ball";
  ball.velocity = Vec3(2, 0, 0);
  ball.rope = Rope{Vec3(-0.2, 1, 0), Vec3(0, 0.1, 0), {}};
  Collider box = free_body(BoxCollider{Vec3(0.1, 0.1, 0.1)}, 1, Vec3(0.02, 0.36, 0.02), 0.4, 0.2);
  box.spin = Vec3(0, 3, 1);
  Collider hammer;
  hammer.name = "hammer";
  hammer.shape = CapsuleCollider{0.1, 0.4};
  hammer.motion = ColliderMotion::kinematic;
  hammer.keyframes = {{0, Vec3(0.4, 0.2, 0), Eigen::Quaterniond::Identity()},
                      {0.2, Vec3(0.1, 0.2, 0), rotation_by(Vec3(0, 0, 1))}};
  setup.colliders.insert(setup.colliders.end(), {ball, box, hammer});
  return TetSolver(std::move(setup));
}

TEST(Rigid, SavedAndLoadedGoesOnToTheSameBitsWithAnyNumberOfThreads) {
  TetSolver whole = workshop();
  while (whole.time() < 0.1) whole.step(whole.stable_dt());
  Writer out;
  whole.save(out);
  for (int i = 0; i < 300; ++i) whole.step(whole.stable_dt());
  TetSolver resumed = workshop();
  Reader in(out.bytes(), "memory");
  resumed.load(in);
  EXPECT_TRUE(in.at_end());
  Threads(3).run([&] {
    for (int i = 0; i < 300; ++i) resumed.step(resumed.stable_dt());
  });
  EXPECT_EQ(resumed.state_hash(), whole.state_hash());
  EXPECT_EQ(books(resumed), books(whole));
  for (std::size_t c = 0; c < whole.poses().size(); ++c) {
    EXPECT_EQ(resumed.poses()[c].position, whole.poses()[c].position);
    EXPECT_EQ(resumed.poses()[c].spin, whole.poses()[c].spin);
    EXPECT_EQ(resumed.reactions()[c].impulse, whole.reactions()[c].impulse);
  }
}

TEST(Rigid, TheStateHashTellsRigidMotionsApart) {
  const auto hash = [](const Vec3& spin) {
    TetSetup setup = setup_of(block_at(Vec3(0, 0.15, 0)), jelly(100));
    setup.colliders.push_back(free_body(SphereCollider{0.1}, 1, Vec3(0, 5, 0), 0, 0));
    setup.colliders[0].spin = spin;
    return TetSolver(std::move(setup)).state_hash();
  };
  EXPECT_EQ(hash(Vec3(0, 1, 0)), hash(Vec3(0, 1, 0)));
  EXPECT_NE(hash(Vec3(0, 1, 0)), hash(Vec3(0, 1, 1e-12)));
}

TEST(Rigid, ABranchTakesRigidMotionOver) {
  TetSolver parent = workshop();
  while (parent.time() < 0.1) parent.step(parent.stable_dt());
  Writer out;
  parent.save(out);
  TetSolver branch = workshop();
  Reader in(out.bytes(), "memory");
  branch.load_motion(in);
  for (std::size_t c = 0; c < parent.poses().size(); ++c) {
    EXPECT_LT((branch.poses()[c].position - parent.poses()[c].position).norm(), 1e-12) << c;
    EXPECT_LT((branch.poses()[c].velocity - parent.poses()[c].velocity).norm(), 1e-6) << c;
  }
  branch.step(branch.stable_dt());
  EXPECT_TRUE(std::isfinite(books(branch)));
}

TEST(Rigid, ADamagedStateIsRefused) {
  TetSolver solver = workshop();
  for (int i = 0; i < 50; ++i) solver.step(solver.stable_dt());
  Writer out;
  solver.save(out);
  for (std::size_t size = 0; size < out.bytes().size(); size += 1 + out.bytes().size() / 60) {
    TetSolver fresh = workshop();
    Reader in(std::string_view(out.bytes()).substr(0, size), "memory");
    EXPECT_THROW(fresh.load(in), FileError) << size;
  }
}

TEST(Rigid, AllIntegratorsAgreeOnABallThatFallsOnABlock) {
  const auto height = [](Scheme scheme) {
    TetSetup setup = setup_of(block_at(Vec3(0, 0.15, 0)), jelly(400));
    setup.colliders.push_back(ground(0.4, 0.5));
    setup.colliders.push_back(free_body(SphereCollider{0.1}, 5, Vec3(0, 0.42, 0), 0.4, 0.5));
    setup.parameters.scheme = scheme;
    setup.parameters.damping.capped = false;
    setup.parameters.dt = 2e-5;
    TetSolver solver(std::move(setup));
    while (solver.time() < 0.25) solver.step(solver.stable_dt());
    return solver.poses()[1].position.y();
  };
  const double symplectic = height(Scheme::symplectic_euler);
  EXPECT_LT(symplectic, 0.42 - 0.02);
  EXPECT_NEAR(height(Scheme::taylor2), symplectic, 1e-3);
  EXPECT_NEAR(height(Scheme::forward_euler), symplectic, 1e-3);
}

}  // namespace
}  // namespace sunder::tet_oh99
