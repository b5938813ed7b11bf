// verification.md, Collisions, for rigid colliders: one node against closed forms.
#include "collision/collider_contacts.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

namespace sunder {
namespace {

// A point mass and colliders, stepped by symplectic Euler.
struct PointMass {
  PointMass(std::vector<Collider> colliders, double mass_kg, double stiffness) : contacts(std::move(colliders)) {
    mass.assign(1, mass_kg);
    contacts.set_surface({NodeId(0)}, Column<NodeId, double>(1, stiffness), mass);
  }
  void step(double dt, const Vec3& gravity) {
    force.assign(1, mass[n] * gravity);
    contacts.find(position, velocity, last_dt);
    contacts.add_forces(velocity, force);
    velocity[n] += dt * force[n] / mass[n];
    position[n] += dt * velocity[n];
    dissipated += contacts.account(dt, velocity).dissipated;
    last_dt = dt;
  }
  const NodeId n{0};
  ColliderContacts contacts;
  Column<NodeId, double> mass;
  Column<NodeId, Vec3> position{1, Vec3::Zero()}, velocity{1, Vec3::Zero()}, force;
  double last_dt = 0, dissipated = 0;
};

Collider collider(const ColliderShape& shape, double friction = 0, double damping = 0) {
  Collider c;
  c.shape = shape;
  c.friction = friction;
  c.damping = damping;
  return c;
}

TEST(Penetration, OfEveryShapeIsDepthAndOutwardNormal) {
  const Collider ground = collider(GroundCollider{0.5});
  EXPECT_NEAR(penetration(ground, Vec3(3, 0.2, 1)).depth, 0.3, 1e-15);
  EXPECT_EQ(penetration(ground, Vec3(3, 0.2, 1)).normal, Vec3(0, 1, 0));

  Collider plane = collider(PlaneCollider{Vec3(1, 0, 0)});
  plane.position = Vec3(1, 0, 0);
  plane.rotation = Eigen::AngleAxisd(std::acos(-1.0) / 2, Vec3::UnitZ()).toRotationMatrix();  // normal turns to +y
  EXPECT_NEAR(penetration(plane, Vec3(7, -2, 0)).depth, 2, 1e-12);
  EXPECT_LT((penetration(plane, Vec3(7, -2, 0)).normal - Vec3::UnitY()).norm(), 1e-12);

  Collider sphere = collider(SphereCollider{2});
  sphere.position = Vec3(0, 1, 0);
  EXPECT_NEAR(penetration(sphere, Vec3(0, 2.5, 0)).depth, 0.5, 1e-15);
  EXPECT_NEAR(penetration(sphere, Vec3(3, 1, 0)).depth, -1, 1e-15);
  EXPECT_LT((penetration(sphere, Vec3(3, 1, 0)).normal - Vec3::UnitX()).norm(), 1e-15);
  EXPECT_TRUE(penetration(sphere, sphere.position).normal.allFinite());

  Collider box = collider(BoxCollider{Vec3(2, 4, 6)});
  box.rotation = Eigen::AngleAxisd(std::acos(-1.0) / 2, Vec3::UnitZ()).toRotationMatrix();  // x and y trade places
  EXPECT_NEAR(penetration(box, Vec3(1.9, 0, 0)).depth, 0.1, 1e-12);
  EXPECT_LT((penetration(box, Vec3(1.9, 0, 0)).normal - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_LT(penetration(box, Vec3(0, 1.5, 0)).depth, 0);
}

TEST(ColliderContacts, RestingDepthIsWeightOverStiffness) {
  PointMass p({collider(GroundCollider{}, 0.4, 1)}, 2, 500);
  for (int i = 0; i < 20000; ++i) p.step(1e-3, Vec3(0, -9.81, 0));
  EXPECT_NEAR(p.position[p.n].y(), -2 * 9.81 / 500, 1e-9);
}

TEST(ColliderContacts, PeakDepthIsSpeedTimesRootOfMassOverStiffness) {
  PointMass p({collider(GroundCollider{})}, 2, 5000);
  p.velocity[p.n] = Vec3(0, -3, 0);
  double deepest = 0;
  for (int i = 0; i < 20000; ++i) {
    p.step(1e-5, Vec3::Zero());
    deepest = std::max(deepest, -p.position[p.n].y());
  }
  EXPECT_NEAR(deepest, 3 * std::sqrt(2.0 / 5000), 1e-3 * deepest);
  EXPECT_NEAR(p.velocity[p.n].y(), 3, 1e-3) << "an undamped bounce returns the speed";
}

TEST(ColliderContacts, DampingOnlyTakesAndNeverPulls) {
  for (const double damping : {0.1, 0.5, 1.0, 3.0}) {
    PointMass p({collider(GroundCollider{}, 0, damping)}, 2, 5000);
    p.velocity[p.n] = Vec3(0, -3, 0);
    for (int i = 0; i < 20000; ++i) {
      p.step(1e-5, Vec3::Zero());
      EXPECT_GE(p.force[p.n].y(), 0);
    }
    const double kinetic = p.velocity[p.n].squaredNorm();  // mass 2
    EXPECT_LT(kinetic, 9);
    EXPECT_NEAR(kinetic + p.dissipated, 9, 0.01);
  }
}

TEST(ColliderContacts, SlidingLosesExactlyFrictionTimesPathAndStops) {
  const double mass = 2, k = 5e4, friction = 0.3;
  PointMass p({collider(GroundCollider{}, friction, 0.5)}, mass, k);
  p.position[p.n] = Vec3(0, -mass * 9.81 / k, 0);
  p.velocity[p.n] = Vec3(2, 0, 0);
  for (int i = 0; i < 200000; ++i) p.step(1e-5, Vec3(0, -9.81, 0));
  EXPECT_NEAR(p.position[p.n].x(), 4 / (2 * friction * 9.81), 0.01);
  EXPECT_LT(p.velocity[p.n].norm(), 1e-6);
  EXPECT_NEAR(p.dissipated, 0.5 * mass * 4, 0.02 * 0.5 * mass * 4);
}

TEST(ColliderContacts, NodesAboutToTouchCountInTheLimits) {
  PointMass p({collider(GroundCollider{}, 0, 0.2)}, 2, 5000);
  p.position[p.n] = Vec3(0, 0.01, 0);
  p.contacts.find(p.position, p.velocity, 1e-3);
  EXPECT_EQ(p.contacts.limits().elastic, 0) << "a resting node in the air is no limit";
  p.velocity[p.n] = Vec3(0, -20, 0);
  p.contacts.find(p.position, p.velocity, 1e-3);
  EXPECT_NEAR(p.contacts.limits().elastic, 2500, 1e-9);
  EXPECT_NEAR(p.contacts.limits().viscous, 2 * 0.2 * std::sqrt(2500), 1e-9);
  EXPECT_EQ(p.contacts.touching(), 0u);
}

TEST(ColliderContacts, OwnStiffnessOfAColliderWins) {
  Collider soft = collider(GroundCollider{}, 0, 1);
  soft.stiffness = 100;
  PointMass p({soft}, 2, 5000);
  for (int i = 0; i < 20000; ++i) p.step(1e-3, Vec3(0, -1, 0));
  EXPECT_NEAR(p.position[p.n].y(), -2 * 1.0 / 100, 1e-9);
}

}  // namespace
}  // namespace sunder
