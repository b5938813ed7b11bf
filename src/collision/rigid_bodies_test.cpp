// Free flight, spin and ropes against closed forms and conservation.
#include "collision/rigid_bodies.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "collision/collision_testing.h"
#include "collision/mass_properties.h"

namespace sunder {
namespace {

using collision_testing::free_body;
using collision_testing::l_surface;
using collision_testing::RigidWorld;

TEST(RigidBodies, AThrownBodyFollowsItsParabola) {
  Collider ball = free_body(SphereCollider{0.1}, 2, Vec3(0, 1, 0));
  ball.velocity = Vec3(3, 4, 0);
  RigidWorld world({ball});
  world.step(1e-3);
  const double start = world.motion_energy();
  world.run(1, 1e-3);
  // Leapfrog starts with a whole kick: g dt t / 2 below the parabola.
  EXPECT_LT((world.collider(0).position - Vec3(3, 1 + 4 - 9.81 / 2, 0)).norm(), 9.81 * 1e-3);
  EXPECT_NEAR(world.motion_energy(), start, 1e-12 * start);
  EXPECT_LT((world.rigid().momentum() - 2 * Vec3(3, 4 - 9.81, 0)).norm(), 1e-11);
}

// A spin about the middle axis of inertia is unstable: the hardest motion a free body has.
TEST(RigidBodies, AFreeSpinKeepsItsAngularMomentumAndItsEnergy) {
  Collider box = free_body(BoxCollider{Vec3(0.1, 0.2, 0.4)}, 3, Vec3::Zero());
  box.spin = Vec3(0.05, 8, 0.1);
  const Mat3 inertia = mass_properties(box).inertia;
  const auto swing = [&](double dt) {
    RigidWorld world({box}, Vec3::Zero());
    const double start = world.motion_energy();
    double error = 0;
    bool tumbled = false;
    while (world.time < 10) {
      world.step(dt);
      error = std::max(error, std::abs(world.motion_energy() - start) / start);
      const Mat3 halfway = world.rigid().colliders_before(0.5 * dt)[0].rotation;
      const Vec3 momentum = halfway * inertia * halfway.transpose() * world.rigid().spin(0);
      EXPECT_LT((momentum - inertia * box.spin).norm(), 1e-9 * (inertia * box.spin).norm());
      tumbled = tumbled || halfway(1, 1) < -0.9;
    }
    EXPECT_TRUE(tumbled);
    const Mat3 r = world.collider(0).rotation;
    EXPECT_LT((r * r.transpose() - Mat3::Identity()).norm(), 1e-13);
    return error;
  };
  const double coarse = swing(4e-3), fine = swing(2e-3);
  EXPECT_LT(fine, 2e-4);
  EXPECT_LT(fine, 0.3 * coarse) << "second order";
}

TEST(RigidBodies, AMeshTurnsAboutItsCentreOfMassNotItsOrigin) {
  Collider l = free_body(MeshCollider{}, 1, Vec3(1, 2, 3));
  l.surface = l_surface();
  l.spin = Vec3(0, 0, 2);
  const Vec3 centre = mass_properties(l).centre;
  RigidWorld world({l}, Vec3::Zero());
  world.run(1, 1e-3);
  const Mat3 turn = rotation_by(Vec3(0, 0, 2)).toRotationMatrix();
  EXPECT_LT((world.collider(0).rotation - turn).norm(), 1e-10);
  EXPECT_LT((world.collider(0).position - (Vec3(1, 2, 3) + centre - turn * centre)).norm(), 1e-10);
  EXPECT_LT(world.rigid().momentum().norm(), 1e-15);
}

TEST(RigidBodies, AForceBesideTheCentreTurnsByTorqueOverInertia) {
  RigidBodies bodies({free_body(BoxCollider{Vec3(1, 1, 1)}, 6, Vec3::Zero())});
  bodies.push(0, Vec3(0.5, 0, 0), Vec3(0, 12, 0));
  bodies.move(1e-3, Vec3::Zero(), 1e-3, 1e-3);
  EXPECT_LT((bodies.velocity_at(0, bodies.colliders()[0].position) - Vec3(0, 2e-3, 0)).norm(), 1e-12);
  EXPECT_LT((bodies.spin(0) - Vec3(0, 0, 6e-3)).norm(), 1e-9);  // I = 1
  EXPECT_NEAR(bodies.mobility(0, Vec3(0.5, 0, 0)), 1.0 / 6 + 0.25, 1e-5);
}

TEST(RigidBodies, AKinematicOneIsWhereItsKeyframesSay) {
  Collider hammer;
  hammer.shape = BoxCollider{};
  hammer.motion = ColliderMotion::kinematic;
  hammer.keyframes = {{0, Vec3::Zero(), Eigen::Quaterniond::Identity()},
                      {1, Vec3(2, 0, 0), rotation_by(Vec3(0, 1, 0))}};
  RigidWorld world({hammer});
  EXPECT_LT((world.rigid().velocity_at(0, Vec3::Zero()) - Vec3(2, 0, 0)).norm(), 1e-15) << "from the start";
  world.run(0.5, 1e-3);
  EXPECT_LT((world.collider(0).position - Vec3(1, 0, 0)).norm(), 1e-12);
  EXPECT_LT((world.rigid().spin(0) - Vec3(0, 1, 0)).norm(), 1e-9);
  EXPECT_LT((world.rigid().velocity_at(0, Vec3(1, 0, 1)) - Vec3(3, 0, 0)).norm(), 1e-9);
  world.run(1.5, 1e-3);
  EXPECT_EQ(world.collider(0).position, Vec3(2, 0, 0));
  EXPECT_EQ(world.rigid().spin(0), Vec3(Vec3::Zero()));
  EXPECT_EQ(world.rigid().mass(), 0) << "nobody's energy but its own";
}

// --- ropes

Collider pendulum(double angle, double length) {
  Collider ball = free_body(SphereCollider{0.05}, 3, length * Vec3(std::sin(angle), -std::cos(angle), 0));
  ball.rope = Rope{Vec3::Zero(), Vec3::Zero(), {}};
  return ball;
}

// T = 2 pi sqrt(l / g) / agm(1, cos(angle / 2)); the ball does not turn, since the rope pulls at its centre.
TEST(Rope, APendulumSwingsWithItsPeriodAndKeepsItsEnergy) {
  const double angle = 1.2, length = 0.7, g = 9.81;
  double a = 1, b = std::cos(angle / 2);
  for (int i = 0; i < 10; ++i) std::tie(a, b) = std::pair((a + b) / 2, std::sqrt(a * b));
  const double period = 2 * std::numbers::pi * std::sqrt(length / g) / a;

  RigidWorld world({pendulum(angle, length)});
  const double start = world.motion_energy(), drop = 3 * g * length * (1 - std::cos(angle));
  double error = 0, last_x = 1, ten_swings = 0;
  int swings = 0;
  const double dt = 1e-3;
  while (swings < 10) {
    world.step(dt);
    const Vec3& x = world.collider(0).position;
    EXPECT_NEAR(x.norm(), length, 1e-12);
    error = std::max(error, std::abs(world.motion_energy() - start));
    if (last_x < 0 && x.x() >= 0) {
      ++swings;
      ten_swings = world.time - dt * x.x() / (x.x() - last_x);
    }
    last_x = x.x();
  }
  EXPECT_LT(error, 1e-4 * drop);
  EXPECT_NEAR(ten_swings, 9.75 * period, 1e-4 * 9.75 * period);
  EXPECT_LT(std::abs(world.dissipated), 1e-4 * drop);
}

TEST(Rope, ARodHungByItsEndSwingsAsACompoundPendulum) {
  const double half = 0.5;
  Collider rod = free_body(BoxCollider{Vec3(0.02, 2 * half, 0.02)}, 2, Vec3(0, -half - 0.3, 0));
  rod.rope = Rope{Vec3::Zero(), Vec3(0, half, 0), {}};
  rod.rotation = rotation_by(Vec3(0, 0, 0.5)).toRotationMatrix();
  rod.position = Vec3(0, -0.3, 0) - rod.rotation * Vec3(0, half, 0);
  RigidWorld world({rod});
  const double start = world.motion_energy();
  double error = 0;
  while (world.time < 10) {
    world.step(1e-3);
    const Vec3 tied = world.collider(0).position + world.collider(0).rotation * Vec3(0, half, 0);
    EXPECT_LT(tied.norm(), 0.3 + 1e-12);
    error = std::max(error, std::abs(world.motion_energy() + world.dissipated - start));
  }
  EXPECT_LT(error, 1e-3 * 2 * 9.81 * half);
  EXPECT_GT(world.rigid().kinetic_energy(), 0);
}

TEST(Rope, IsNotThereWhileSlackAndComesTautWithALoss) {
  // Falls past the fixed point, half a metre beside it, on a rope of a metre.
  Collider ball = free_body(SphereCollider{0.05}, 2, Vec3(0.5, 0, 0));
  ball.rope = Rope{Vec3::Zero(), Vec3::Zero(), 1.0};
  RigidWorld world({ball});
  const double start = world.motion_energy(), dt = 1e-4;
  const double taut_at = std::sqrt(2 * std::sqrt(0.75) / 9.81);
  world.run(taut_at - 0.01, dt);
  EXPECT_EQ(world.rigid().ropes()[0].force, Vec3(Vec3::Zero()));
  EXPECT_EQ(world.collider(0).position.x(), 0.5) << "a slack rope does not pull";
  EXPECT_NEAR(world.motion_energy(), start, 1e-10);
  world.run(taut_at + 0.01, dt);
  // It keeps only the speed across the rope: falling at v, the rope 30 degrees off the vertical, v sin 30.
  const double speed2 = 2 * 9.81 * std::sqrt(0.75);
  EXPECT_NEAR(world.dissipated, 0.5 * 2 * speed2 * 0.75, 0.01 * speed2);
  EXPECT_NEAR(world.motion_energy() + world.dissipated, start, 1e-4 * speed2);
  EXPECT_LT(world.collider(0).position.norm(), 1 + 1e-12);
  const double booked = world.dissipated;
  world.run(taut_at + 2, dt);
  EXPECT_NEAR(world.dissipated, booked, 1e-3 * booked) << "and no more while it swings";
  EXPECT_NEAR(world.motion_energy() + world.dissipated, start, 1e-4 * speed2);
}

TEST(Rope, ThrownTowardsItsFixedEndFliesFreely) {
  Collider ball = pendulum(0, 1);
  ball.velocity = Vec3(0, 2, 0);
  RigidWorld world({ball});
  world.run(0.3, 1e-4);
  EXPECT_NEAR(world.collider(0).position.y(), -1 + 2 * 0.3 - 9.81 * 0.045, 1e-3);
  EXPECT_EQ(world.dissipated, 0);
}

TEST(RigidBodies, SavedAndLoadedGoesOnToTheSameBitsAndDamageIsRefused) {
  Collider ball = pendulum(0.4, 1), l = free_body(MeshCollider{}, 1, Vec3(1, 2, 3));
  ball.name = "ball";
  l.surface = l_surface();
  l.spin = Vec3(1, 2, 3);
  RigidWorld whole({ball, l});
  whole.run(0.2, 1e-3);
  Writer out;
  whole.contacts.save_motion(out);
  RigidWorld resumed({ball, l});
  Reader in(out.bytes(), "memory");
  resumed.contacts.load_motion(in, true, whole.time);
  EXPECT_TRUE(in.at_end());
  resumed.time = whole.time, resumed.last_dt = whole.last_dt;
  const auto hash = [](const RigidWorld& w) {
    Hash64 h;
    w.rigid().add_to(h);
    return h.value();
  };
  whole.run(0.4, 1e-3), resumed.run(0.4, 1e-3);
  EXPECT_EQ(hash(whole), hash(resumed));
  EXPECT_EQ(whole.collider(1).position, resumed.collider(1).position);

  // Cut short, without one of the bodies, and with a turn that is none.
  const auto load = [&](const std::string& bytes, std::vector<Collider> colliders) {
    RigidBodies bodies(std::move(colliders));
    Reader damaged(bytes, "memory");
    bodies.load(damaged, true, 0);
  };
  const std::string& bytes = out.bytes();
  EXPECT_NO_THROW(load(bytes, {ball, l}));
  for (const std::size_t size : {std::size_t{0}, std::size_t{20}, bytes.size() - 1}) {
    EXPECT_THROW(load(bytes.substr(0, size), {ball, l}), FileError);
  }
  Collider stranger = l;
  stranger.name = "stranger";
  EXPECT_THROW(load(bytes, {ball, l, stranger}), FileError);
  std::string turned = bytes;
  const std::size_t quaternion = 8 + 8 + 4 + 1 + 24;  // count, name "ball", motion, centre
  turned[quaternion + 7] = 0x40;                      // the scalar part becomes larger than 1
  EXPECT_THROW(load(turned, {ball, l}), FileError);
}

TEST(RigidBodies, ABranchTakesTheMotionOverAlsoWithAnotherMass) {
  Collider box = free_body(BoxCollider{Vec3(0.1, 0.2, 0.3)}, 1, Vec3::Zero());
  box.spin = Vec3(1, 2, 3), box.velocity = Vec3(1, 0, 0);
  RigidWorld parent({box});
  parent.run(0.1, 1e-3);
  Writer out;
  parent.contacts.save_motion(out);
  box.mass = 5;
  RigidBodies branch({box});
  Reader in(out.bytes(), "memory");
  branch.load(in, false, 0.1);
  EXPECT_EQ(branch.colliders()[0].position, parent.collider(0).position);
  EXPECT_EQ(branch.spin(0), parent.rigid().spin(0));
  EXPECT_LT((branch.momentum() - 5 * parent.rigid().momentum()).norm(), 1e-12);
  EXPECT_NEAR(branch.kinetic_energy(), 5 * parent.rigid().kinetic_energy(), 0.01 * branch.kinetic_energy());
}

}  // namespace
}  // namespace sunder
