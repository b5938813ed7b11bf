// Rigid bodies against the ground and each other.
#include "collision/rigid_contacts.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/collision_testing.h"
#include "collision/mass_properties.h"

namespace sunder {
namespace {

using collision_testing::box_surface;
using collision_testing::free_body;
using collision_testing::ground;
using collision_testing::RigidWorld;

// Steps as long as the limits allow, with the solver's safety, and growing slowly as the solver's do.
double safe_step(RigidWorld& world, double most) {
  const ColliderContacts::Limits l = world.contacts.limits();
  const double stable = 4 / (l.viscous + std::sqrt(l.viscous * l.viscous + 4 * l.elastic));
  const double grown = world.last_dt > 0 ? 1.2 * world.last_dt : most;
  const double dt = std::min({most, l.longest, 0.8 * stable, grown});
  world.step(dt);
  return dt;
}
void run_safely(RigidWorld& world, double until) {
  while (world.time < until) safe_step(world, 1e-4);
}

TEST(RigidContacts, AnUndampedSphereBouncesBackToWhereItFell) {
  RigidWorld world({ground(), free_body(SphereCollider{0.1}, 2, Vec3(0, 0.6, 0))});
  const double start = world.books(), drop = 2 * 9.81 * 0.5;
  double highest = 0, lowest_top = 1, deepest = 0, error = 0;
  int bounces = 0;
  bool falling = true;
  while (world.time < 10) {
    world.step(1e-5);
    const double y = world.collider(1).position.y(), v = world.rigid().velocity_at(1, world.collider(1).position).y();
    if (falling && v > 0) {
      ++bounces;
      lowest_top = std::min(lowest_top, highest);
      highest = 0;
    }
    falling = v < 0;
    highest = std::max(highest, y);
    deepest = std::max(deepest, 0.1 - y);
    error = std::max(error, std::abs(world.books() - start));
  }
  EXPECT_GE(bounces, 15);
  EXPECT_NEAR(lowest_top, 0.6, 1e-3);
  EXPECT_LT(error, 2e-3 * drop);
  EXPECT_LT(deepest, 0.01 * 0.2) << "3 m/s go less deep than 10";
  EXPECT_EQ(world.dissipated, 0);
}

TEST(RigidContacts, AnUndampedTumblingBoxKeepsItsEnergy) {
  Collider box = free_body(BoxCollider{Vec3(0.2, 0.1, 0.3)}, 2, Vec3(0, 0.5, 0));
  box.spin = Vec3(3, 1, 5);
  RigidWorld world({ground(), box});
  const double start = world.books(), drop = 2 * 9.81 * 0.45;
  double error = 0;
  while (world.time < 5) {
    world.step(1e-5);
    error = std::max(error, std::abs(world.books() - start));
  }
  EXPECT_LT(error, 5e-3 * drop);
  EXPECT_GT(world.rigid().kinetic_energy(), 0);
}

TEST(RigidContacts, ABoxComesToRestOnTheGroundWhichCarriesItsWeight) {
  Collider box = free_body(BoxCollider{Vec3(0.2, 0.1, 0.3)}, 2, Vec3(0, 0.4, 0), 0.5, 0.5);
  box.spin = Vec3(1, 2, 3);
  RigidWorld world({ground(0.5, 0.5), box});
  const double start = world.books();
  run_safely(world, 1.5);
  EXPECT_LT(world.rigid().kinetic_energy(), 1e-10);
  EXPECT_NEAR(world.last_force[0].y(), 2 * 9.81, 1e-3);
  EXPECT_NEAR(world.books(), start, 0.01 * 2 * 9.81 * 0.35);
  const Vec3 before = world.collider(1).position;
  run_safely(world, 2);
  EXPECT_LT((world.collider(1).position - before).norm(), 1e-8) << "what rests, rests";
}

TEST(RigidContacts, AStackOfThreeBoxesRests) {
  std::vector<Collider> all = {ground(0.5, 0.5)};
  for (int i = 0; i < 3; ++i) {
    // each a little off the one below
    all.push_back(
        free_body(BoxCollider{Vec3(0.2, 0.1, 0.2)}, 2, Vec3(0.01 * i, 0.051 + 0.101 * i, -0.005 * i), 0.5, 0.5));
  }
  RigidWorld world(all);
  run_safely(world, 0.6);
  std::vector<Vec3> before;
  for (std::size_t c = 1; c < 4; ++c) before.push_back(world.collider(c).position);
  run_safely(world, 1.2);
  for (std::size_t c = 1; c < 4; ++c) {
    EXPECT_LT((world.collider(c).position - before[c - 1]).norm(), 1e-5) << c;
    EXPECT_NEAR(world.collider(c).position.y(), 0.05 + 0.1 * static_cast<double>(c - 1), 1e-3);
    EXPECT_GT(world.collider(c).rotation(1, 1), 0.9999);
  }
  EXPECT_NEAR(world.last_force[0].y(), 6 * 9.81, 0.01);
}

TEST(RigidContacts, TwoSpheresTradeTheirVelocitiesAndKeepMomentum) {
  Collider left = free_body(SphereCollider{0.1}, 2, Vec3(-0.5, 0, 0)), right = left;
  left.velocity = Vec3(3, 0, 0);
  right.position = Vec3(0, 0.001, 0);
  RigidWorld world({left, right}, Vec3::Zero());
  const Vec3 momentum = world.rigid().momentum();
  world.run(0.5, 1e-5);
  EXPECT_LT((world.rigid().momentum() - momentum).norm(), 1e-13);
  EXPECT_NEAR(world.rigid().velocity_at(1, world.collider(1).position).x(), 3, 0.01);
  EXPECT_NEAR(world.rigid().velocity_at(0, world.collider(0).position).x(), 0, 0.01);
  EXPECT_NEAR(world.rigid().kinetic_energy(), 9, 1e-3);
}

// Whatever hits whatever, off centre, with friction: momentum and angular momentum are nobody's to take.
TEST(RigidContacts, EveryPairOfShapesCollidesAndKeepsMomentumAndAngularMomentum) {
  std::vector<Collider> shapes = {free_body(SphereCollider{0.1}, 1, Vec3::Zero(), 0.3, 0.1),
                                  free_body(BoxCollider{Vec3(0.2, 0.2, 0.2)}, 2, Vec3::Zero(), 0.3, 0.1),
                                  free_body(CapsuleCollider{0.08, 0.3}, 1.5, Vec3::Zero(), 0.3, 0.1),
                                  free_body(MeshCollider{}, 2.5, Vec3::Zero(), 0.3, 0.1)};
  shapes[3].surface = box_surface(Vec3(0.2, 0.15, 0.25), Vec3(0.02, 0, 0));
  for (Collider a : shapes) {
    for (Collider b : shapes) {
      SCOPED_TRACE(std::string(kind_name(a.shape)) + " " + kind_name(b.shape));
      a.position = Vec3(-0.4, 0.03, 0.02), b.position = Vec3::Zero();
      a.velocity = Vec3(4, 0, 0);
      b.rotation = rotation_by(Vec3(0.3, 0.5, 0.2)).toRotationMatrix();
      RigidWorld world({a, b}, Vec3::Zero());
      const auto angular = [&](double back) {
        // a spin's share by the books: L . w / 2 is the energy; here L itself, by mass and inertia
        Vec3 sum = Vec3::Zero();
        const std::vector<Collider> at = world.rigid().colliders_before(back);
        for (std::size_t c = 0; c < 2; ++c) {
          const MassProperties solid = mass_properties(at[c]);
          const Vec3 centre = at[c].position + at[c].rotation * solid.centre;
          const Vec3 v =
              world.rigid().velocity_at(c, world.collider(c).position + world.collider(c).rotation * solid.centre);
          sum += solid.mass * centre.cross(v);
          sum += at[c].rotation * solid.inertia * at[c].rotation.transpose() * world.rigid().spin(c);
        }
        return sum;
      };
      const Vec3 momentum = world.rigid().momentum(), spin = angular(0);
      const double energy = world.rigid().kinetic_energy();
      std::size_t touched = 0;
      while (world.time < 0.2) {
        world.step(2e-5);
        touched = std::max(touched, world.contacts.touching());
      }
      EXPECT_GT(touched, 0u) << "they missed each other";
      EXPECT_LT((world.rigid().momentum() - momentum).norm(), 1e-12);
      EXPECT_LT((angular(0.5 * world.last_dt) - spin).norm(), 1e-9);
      EXPECT_GT(world.rigid().velocity_at(1, world.collider(1).position).x(), 0.5) << "nothing came through";
      EXPECT_LT(world.rigid().kinetic_energy(), energy);
      EXPECT_NEAR(world.books(), energy, 0.01 * energy);
    }
  }
}

TEST(RigidContacts, CrossedCapsulesTouchBetweenTheirEnds) {
  Collider lying = free_body(CapsuleCollider{0.05, 1}, 1, Vec3::Zero());
  lying.motion = ColliderMotion::fixed;
  lying.mass.reset();
  lying.rotation = rotation_by(Vec3(0, 0, std::acos(0.0))).toRotationMatrix();
  Collider falling = free_body(CapsuleCollider{0.05, 1}, 1, Vec3(0, 0.5, 0));
  falling.rotation = rotation_by(Vec3(std::acos(0.0), 0, 0)).toRotationMatrix();
  RigidWorld world({lying, falling});
  double lowest = 1;
  while (world.time < 0.45) {
    world.step(1e-5);
    lowest = std::min(lowest, world.collider(1).position.y());
  }
  EXPECT_GT(lowest, 0.1 * 0.97);
  EXPECT_LT(lowest, 0.1);
}

TEST(RigidContacts, FrictionStopsASlidingBoxAfterTheRightWay) {
  Collider box = free_body(BoxCollider{Vec3(0.2, 0.1, 0.2)}, 2, Vec3(0, 0.05, 0), 0.3, 0.5);
  box.velocity = Vec3(2, 0, 0);
  RigidWorld world({ground(0.3, 0.5), box});
  const double start = world.books();
  world.run(2, 2e-5);
  EXPECT_NEAR(world.collider(1).position.x(), 4 / (2 * 0.3 * 9.81), 0.02);
  EXPECT_LT(world.rigid().kinetic_energy(), 1e-8);
  EXPECT_NEAR(world.dissipated, 4, 0.05);
  EXPECT_NEAR(world.books(), start, 0.02);
}

TEST(RigidContacts, AKinematicPlatformLiftsABoxAndItsWorkIsBooked) {
  Collider platform;
  platform.name = "platform";
  platform.shape = BoxCollider{Vec3(1, 0.1, 1)};
  platform.motion = ColliderMotion::kinematic;
  platform.keyframes = {{0.2, Vec3(0, -0.05, 0)}, {1.2, Vec3(0, 0.45, 0)}};
  platform.friction = 0.5, platform.damping = 0.5;
  RigidWorld world({platform, free_body(BoxCollider{Vec3(0.2, 0.2, 0.2)}, 3, Vec3(0, 0.1, 0), 0.5, 0.5)});
  const double start = world.books();
  world.run(2, 5e-5);
  EXPECT_NEAR(world.collider(1).position.y(), 0.6, 1e-3);
  // m g h, and m v^2 when it sets out: half of that is the box's motion, half the loss of an inelastic blow
  EXPECT_NEAR(world.work[0], 3 * 9.81 * 0.5 + 3 * 0.25, 1e-3);
  EXPECT_NEAR(world.books(), start, 1e-3 * world.work[0]);
}

TEST(RigidContacts, TheLimitsKeepUndampedContactsFromGainingEnergy) {
  Collider box = free_body(BoxCollider{Vec3(0.2, 0.1, 0.3)}, 2, Vec3(0, 0.25, 0));
  box.spin = Vec3(0, 0, 2);
  RigidWorld world({ground(), box, free_body(SphereCollider{0.05}, 0.1, Vec3(0.02, 0.6, 0))});
  const double start = world.books();
  double most = 0;
  while (world.time < 3) {
    safe_step(world, 1e-3);
    most = std::max(most, world.books() - start);
  }
  EXPECT_LT(most, 0.05 * start);
  EXPECT_GT(world.books(), 0.9 * start);
}

TEST(RigidContacts, AFastBodyIsNotGivenAStepThatTakesItThroughAnother) {
  Collider wall = free_body(BoxCollider{Vec3(0.02, 1, 1)}, 1, Vec3::Zero());
  wall.motion = ColliderMotion::fixed;
  Collider bullet = free_body(SphereCollider{0.01}, 0.01, Vec3(-1, 0, 0));
  bullet.velocity = Vec3(300, 0, 0);
  RigidWorld world({wall, bullet}, Vec3::Zero());
  world.contacts.find({}, {}, 0);
  EXPECT_NEAR(world.contacts.limits().longest, 0.25 * 0.02 / 300, 1e-12);
  for (int i = 0; i < 2000; ++i) safe_step(world, 1);
  EXPECT_LT(world.collider(1).position.x(), 0);
  EXPECT_LT(world.rigid().velocity_at(1, world.collider(1).position).x(), -200);
}

TEST(RigidContacts, SavedAndLoadedGoesOnToTheSameBits) {
  Collider box = free_body(BoxCollider{Vec3(0.2, 0.1, 0.3)}, 2, Vec3(0, 0.08, 0), 0.5, 0.2);
  box.velocity = Vec3(1, 0, 0);
  const std::vector<Collider> all = {ground(0.5, 0.2), box};
  RigidWorld whole(all);
  whole.run(0.2, 5e-5);
  ASSERT_GT(whole.contacts.touching(), 0u);
  Writer out;
  whole.contacts.save_motion(out), whole.contacts.save(out);
  RigidWorld resumed(all);
  Reader in(out.bytes(), "memory");
  resumed.contacts.load_motion(in, true, whole.time), resumed.contacts.load(in);
  EXPECT_TRUE(in.at_end());
  resumed.time = whole.time, resumed.last_dt = whole.last_dt, resumed.dissipated = whole.dissipated;
  whole.run(0.4, 5e-5), resumed.run(0.4, 5e-5);
  EXPECT_EQ(whole.collider(1).position, resumed.collider(1).position);
  EXPECT_EQ(whole.dissipated, resumed.dissipated);

  std::string damaged = out.bytes();
  damaged.resize(damaged.size() - 5);
  RigidWorld refuses(all);
  Reader cut(damaged, "memory");
  EXPECT_THROW((refuses.contacts.load_motion(cut, true, 0), refuses.contacts.load(cut)), FileError);
}

}  // namespace
}  // namespace sunder
