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
    time += dt;
    contacts.move_colliders(time, gravity, dt, dt);
    const ColliderContacts::Booking& booked = contacts.account(dt, velocity);
    dissipated += booked.dissipated;
    if (!booked.work.empty()) work += booked.work[0];
    last_dt = dt;
  }
  const NodeId n{0};
  ColliderContacts contacts;
  Column<NodeId, double> mass;
  Column<NodeId, Vec3> position{1, Vec3::Zero()}, velocity{1, Vec3::Zero()}, force;
  double last_dt = 0, dissipated = 0, time = 0, work = 0;  // work of the first collider
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

// --- colliders that move

Collider free_sphere(double mass, const Vec3& position, double friction = 0, double damping = 0) {
  Collider c = collider(SphereCollider{0.5}, friction, damping);
  c.motion = ColliderMotion::dynamic;
  c.mass = mass;
  c.position = position;
  return c;
}

TEST(MovingColliders, APointAndASphereTradeMomentumAsTwoPointsWould) {
  Collider ball = free_sphere(3, Vec3(0.5, 0, 0));
  PointMass p({ball}, 1, 1e5);
  p.position[p.n] = Vec3(-0.01, 0, 0);
  p.velocity[p.n] = Vec3(4, 0, 0);
  for (int i = 0; i < 20000; ++i) p.step(1e-6, Vec3::Zero());
  EXPECT_NEAR(p.velocity[p.n].x(), -2, 1e-3) << "(m - M) / (m + M) v";
  EXPECT_NEAR(p.contacts.rigid().momentum().x() / 3, 2, 1e-3) << "2 m / (m + M) v";
  EXPECT_NEAR(p.velocity[p.n].x() + p.contacts.rigid().momentum().x(), 4, 1e-12);
  EXPECT_NEAR(0.5 * p.velocity[p.n].squaredNorm() + p.contacts.rigid().kinetic_energy(), 8, 1e-3);
}

TEST(MovingColliders, AGlancingBlowWithFrictionSpinsTheSphereAndTheBooksBalance) {
  Collider ball = free_sphere(3, Vec3(0.5, 0, 0), 0.5, 0.2);
  PointMass p({ball}, 1, 1e5);
  p.position[p.n] = Vec3(-0.01, 0, 0);
  p.velocity[p.n] = Vec3(4, 2, 0);
  // about the origin, of the point and of the sphere
  const auto angular = [&] {
    const RigidBodies& rigid = p.contacts.rigid();
    const Vec3 centre =
        rigid.colliders()[0].position - 0.5 * p.last_dt * rigid.velocity_at(0, rigid.colliders()[0].position);
    return Vec3((p.position[p.n] - 0.5 * p.last_dt * p.velocity[p.n]).cross(p.velocity[p.n]) +
                centre.cross(rigid.momentum()) + 0.4 * 3 * 0.25 * rigid.spin(0));
  };
  const Vec3 start = angular();
  for (int i = 0; i < 20000; ++i) p.step(1e-6, Vec3::Zero());
  EXPECT_LT((angular() - start).norm(), 1e-9);
  EXPECT_GT(std::abs(p.contacts.rigid().spin(0).z()), 0.1);
  EXPECT_GT(p.dissipated, 0.1);
  EXPECT_NEAR(0.5 * p.velocity[p.n].squaredNorm() + p.contacts.rigid().kinetic_energy() + p.dissipated, 10, 0.01);
}

TEST(MovingColliders, APointRidesOnAMovingFloorWithoutSlipping) {
  Collider belt = collider(BoxCollider{Vec3(100, 1, 100)}, 0.5, 0.5);
  belt.motion = ColliderMotion::kinematic;
  belt.keyframes = {{0, Vec3(0, -0.5, 0)}, {10, Vec3(20, -0.5, 0)}};
  PointMass p({belt}, 2, 5e4);
  p.position[p.n] = Vec3(0, -2 * 9.81 / 5e4, 0);
  for (int i = 0; i < 200000; ++i) p.step(1e-5, Vec3(0, -9.81, 0));
  EXPECT_NEAR(p.velocity[p.n].x(), 2, 1e-6);
  // mu g until it goes along: 2 / (0.5 9.81) s at half the belt's speed
  EXPECT_NEAR(p.position[p.n].x(), 2 * 2 - 2 * 2 / (0.5 * 9.81) / 2, 0.01);
  EXPECT_NEAR(p.work, 2 * 2 * 2, 0.02) << "force times the belt's way: twice what became motion";
  EXPECT_NEAR(p.dissipated, 0.5 * 2 * 4, 0.02) << "and the other half heat";
}

TEST(MovingColliders, APointOnATurntableGoesRoundWithIt) {
  Collider table = collider(BoxCollider{Vec3(4, 1, 4)}, 2, 0.5);
  table.motion = ColliderMotion::kinematic;
  for (int i = 0; i <= 40; ++i) {
    const double angle = 0.25 * i;
    table.keyframes.push_back(
        {0.25 * i, Vec3(0, -0.5, 0), Eigen::Quaterniond(Eigen::AngleAxisd(angle, Vec3::UnitY()))});
  }
  PointMass p({table}, 2, 5e4);
  p.position[p.n] = Vec3(1, -2 * 9.81 / 5e4, 0);
  p.velocity[p.n] = Vec3(0, 0, -1);
  for (int i = 0; i < 400000; ++i) p.step(1e-5, Vec3(0, -9.81, 0));
  const Vec3 expected(std::cos(4.0), 0, -std::sin(4.0));
  EXPECT_LT((p.position[p.n] - expected).norm(), 2e-3);
}

TEST(MovingColliders, TheLimitsCountHowTheColliderGivesWay) {
  Collider light = free_sphere(0.01, Vec3(0, -0.49, 0), 0, 0.2);
  PointMass p({light}, 2, 5000);
  p.contacts.find(p.position, p.velocity, 1e-3);
  const double inertia = 0.4 * 0.01 * 0.25, mobility = 1 / 0.01 + 0.49 * 0.49 / inertia;
  EXPECT_NEAR(p.contacts.limits().elastic, 5000 * (0.5 + mobility), 1e-6 * 5000 * mobility);
  EXPECT_NEAR(p.contacts.limits().viscous, 0.4 * std::sqrt(5000.0 * 2) * (0.5 + mobility), 1e-6 * 40 * mobility);
}

TEST(MovingColliders, TheStepIsShortWhereAFastOneIsNearTheMesh) {
  Collider bullet = free_sphere(1, Vec3(-0.7, 0, 0));
  bullet.velocity = Vec3(100, 0, 0);
  PointMass p({bullet}, 2, 5000);
  p.contacts.find(p.position, p.velocity, 1e-5);
  EXPECT_NEAR(p.contacts.limits().longest, 0.25 * 1 / 100, 1e-12);
  EXPECT_NEAR(p.contacts.limits(0.01).longest, 0.25 * 0.01 / 100, 1e-12);
  p.position[p.n] = Vec3(10, 0, 0);
  p.contacts.find(p.position, p.velocity, 1e-5);
  EXPECT_NEAR(p.contacts.limits(0.01).longest, 0.25 * 1 / 100, 1e-12) << "the mesh is far";
}

// A node that stands in the ground, and cracks round it.
struct CrackedContact : ::testing::Test {
  CrackedContact() : contacts({collider(GroundCollider{}, 1)}) {
    contacts.set_surface({NodeId(0)}, Column<NodeId, double>(1, 1000.0), Column<NodeId, double>(1, 1.0));
    position.assign(1, Vec3(0, -0.01, 0)), velocity.assign(1, Vec3(0.5, 0, 0));
    contacts.find(position, velocity, 0);
    contacts.find(position, velocity, 1e-3);  // the tangential spring is stretched by half a millimetre
    push();
  }
  void add_node(const Vec3& x, double stiffness) {
    contacts.set_node(NodeId(position.size()), stiffness, 1);
    position.push_back(x), velocity.push_back(Vec3::Zero());
  }
  void push() {
    force.assign(position.size(), Vec3::Zero());
    contacts.add_forces(velocity, force);
  }
  double energy() const { return contacts.energy(position, velocity, 0, 0); }
  double lost() {
    velocity.assign(velocity.size(), Vec3::Zero());
    return contacts.account(0, velocity).dissipated;
  }
  ColliderContacts contacts;
  Column<NodeId, Vec3> position, velocity, force;
};

TEST_F(CrackedContact, NewNodePushesOnlyWhenItSinksFurther) {
  const double before = energy();
  add_node(Vec3(1, -0.02, 0), 1000);
  contacts.find(position, velocity, 0), push();
  EXPECT_EQ(force[NodeId(1)], Vec3(0, 0, 0));
  EXPECT_NEAR(energy(), before, 1e-15);
  position[NodeId(1)].y() = -0.021;
  contacts.find(position, velocity, 0), push();
  EXPECT_NEAR(force[NodeId(1)].y(), 1, 1e-12);
  EXPECT_NEAR(energy() - before, 0.5 * 1000 * 1e-6, 1e-15);
  // Once it has come up a little it pushes from there on, and from the surface once it has left.
  position[NodeId(1)].y() = -0.005;
  contacts.find(position, velocity, 0);
  position[NodeId(1)].y() = -0.006;
  contacts.find(position, velocity, 0), push();
  EXPECT_NEAR(force[NodeId(1)].y(), 1, 1e-12);
  position[NodeId(1)].y() = 0.001;
  contacts.find(position, velocity, 0);
  position[NodeId(1)].y() = -0.001;
  contacts.find(position, velocity, 0), push();
  EXPECT_NEAR(force[NodeId(1)].y(), 1, 1e-12);
}

TEST_F(CrackedContact, TwinsShareWhatTheSpringHeld) {
  const double before = energy();
  const Vec3 push_before = force[NodeId(0)];
  for (const double stiffness : {400.0, 900.0}) {
    contacts.add_twin(NodeId(position.size()), NodeId(position.size() - 1));  // the second of the first twin
    add_node(position[NodeId(0)], stiffness);
  }
  contacts.set_node(NodeId(0), 700, 1);
  contacts.find(position, velocity, 0), push();
  EXPECT_NEAR(energy(), before, 1e-12);  // 2000 N/m would have held twice as much
  EXPECT_NEAR(lost(), 0, 1e-15);
  Vec3 sum = Vec3::Zero();
  for (const Vec3& f : force) sum += f;
  EXPECT_NEAR(sum.y(), push_before.y() * std::sqrt(2), 1e-9);
}

TEST_F(CrackedContact, SofterSpringsLoseWhatTheBooksSay) {
  const double before = energy();
  contacts.add_twin(NodeId(1), NodeId(0));
  add_node(position[NodeId(0)], 100);
  contacts.set_node(NodeId(0), 300, 1);
  contacts.find(position, velocity, 0), push();
  const double lost_in_crack = lost();
  EXPECT_NEAR(lost_in_crack, 0.5 * 600 * 1e-4, 1e-12);
  EXPECT_NEAR(energy() + lost_in_crack, before, 1e-12);
}

TEST_F(CrackedContact, PlaySurvivesACheckpoint) {
  add_node(Vec3(1, -0.02, 0), 1000);
  contacts.find(position, velocity, 0);
  Writer out;
  contacts.save_surface(out), contacts.save(out);
  ColliderContacts other({collider(GroundCollider{}, 1)});
  Reader in(out.bytes(), "memory");
  other.load_surface(in, position.size()), other.load(in);
  position[NodeId(1)].y() = -0.021;
  other.find(position, velocity, 0);
  force.assign(2, Vec3::Zero());
  other.add_forces(velocity, force);
  EXPECT_NEAR(force[NodeId(1)].y(), 1, 1e-12);
}

}  // namespace
}  // namespace sunder
