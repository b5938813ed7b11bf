// Grains fly on parabolas, slide as Coulomb says and come to rest; what they take from colliders they give back.
#include "collision/dust.h"

#include <gtest/gtest.h>

#include <cmath>

#include "collision/collision_testing.h"

namespace sunder {
namespace {

const Vec3 kGravity(0, -9.81, 0);
constexpr double kDt = 1e-4;

Grain grain_at(const Vec3& position, const Vec3& velocity) {
  Grain g;
  g.position = position, g.velocity = velocity, g.mass = 2e-6, g.radius = 5e-4;
  return g;
}

using collision_testing::ground;

// Returns what was dissipated, J.
double fly(Dust& dust, RigidBodies& rigid, double time) {
  double lost = 0;
  for (int i = 0; i < static_cast<int>(std::lround(time / kDt)); ++i) {
    rigid.clear_forces();
    lost += dust.fly(kGravity, kDt, kDt, rigid);
    rigid.move((i + 1) * kDt, kGravity, kDt, kDt);
  }
  return lost;
}

double energy_of(const Dust& dust) { return dust.kinetic_energy() + dust.gravity_energy(kGravity, kDt / 2); }

TEST(Dust, AGrainFollowsItsParabola) {
  RigidBodies nothing({});
  Dust dust(0);
  dust.add(grain_at(Vec3(0, 1, 0), Vec3(1, 2, -3)));
  fly(dust, nothing, 0.3);
  const Vec3 there = Vec3(0, 1, 0) + 0.3 * Vec3(1, 2, -3) + 0.5 * 0.09 * kGravity;
  EXPECT_LT((dust.grains()[0].position - there).norm(), 9.81 * kDt * 0.3) << "the first kick is a whole one";
  EXPECT_EQ(dust.grains()[0].rests_on, Grain::kFlies);
}

TEST(Dust, AGrainSlidesAsFarAsFrictionLetsItAndStaysOnTheGround) {
  RigidBodies rigid({ground(0.5)});
  Dust dust(1);
  dust.add(grain_at(Vec3(0, 5e-4, 0), Vec3(1.2, 0, 0)));
  const double start = energy_of(dust);
  const double lost = fly(dust, rigid, 0.5);
  const Grain& g = dust.grains()[0];
  EXPECT_NEAR(g.position.x(), 1.2 * 1.2 / (2 * 0.5 * 9.81), 2e-4);
  EXPECT_NEAR(g.position.y(), 5e-4, 1e-12) << "it lies on its own surface";
  EXPECT_EQ(g.velocity, Vec3::Zero());
  EXPECT_EQ(g.rests_on, 0u);
  EXPECT_NEAR(start, energy_of(dust) + lost, 1e-9 * start);
  EXPECT_LT((dust.force()[0] - Vec3(0, g.mass * 9.81, 0)).norm(), 1e-12) << "the ground bears its weight";
}

TEST(Dust, AFallLeavesNoBounce) {
  RigidBodies rigid({ground(0.5)});
  Dust dust(1);
  dust.add(grain_at(Vec3(0, 0.5, 0), Vec3::Zero()));
  const double height = 0.5 - 5e-4;
  const double lost = fly(dust, rigid, 0.5);
  EXPECT_NEAR(lost, 2e-6 * 9.81 * height, 0.01 * 2e-6 * 9.81 * height);
  EXPECT_EQ(dust.grains()[0].rests_on, 0u);
}

TEST(Dust, AWallStopsAGrainButDoesNotHoldIt) {
  Collider wall;
  wall.shape = PlaneCollider{Vec3::UnitX()};
  wall.friction = 0.5;
  RigidBodies rigid({wall});
  Dust dust(1);
  dust.add(grain_at(Vec3(0.01, 0, 0), Vec3(-2, 0, 0)));
  fly(dust, rigid, 0.2);
  const Grain& g = dust.grains()[0];
  EXPECT_EQ(g.rests_on, Grain::kFlies);
  EXPECT_NEAR(g.position.x(), 5e-4, 1e-12);
  EXPECT_NEAR(g.position.y(), -0.5 * 9.81 * 0.195 * 0.195, 5e-3) << "it falls from where it was stopped";
}

TEST(Dust, WhatAGrainLosesABallThatItHitsGains) {
  RigidBodies rigid({collision_testing::free_body(SphereCollider{0.1}, 1e-5, Vec3(0, 0, 0))});
  Dust dust(1);
  dust.add(grain_at(Vec3(-0.2, 0.02, 0), Vec3(4, 0, 0)));
  const Vec3 before = dust.momentum() + rigid.momentum();
  const double mass = dust.mass() + rigid.mass();
  fly(dust, rigid, 0.06);
  EXPECT_GT(rigid.momentum().x(), 0.2 * before.x());
  EXPECT_LT((dust.momentum() + rigid.momentum() - before - 0.06 * mass * kGravity).norm(), 1e-12 * before.norm());
  EXPECT_EQ(dust.grains()[0].rests_on, Grain::kFlies) << "what moves carries nobody for good";
}

}  // namespace
}  // namespace sunder
