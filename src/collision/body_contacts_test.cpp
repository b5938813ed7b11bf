// verification.md, Collisions, for bodies against bodies: one node and one tet, by closed forms.
#include "collision/body_contacts.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "core/random.h"

namespace sunder {
namespace {

// A heavy tet whose top face looks up, and a small one that stands on its tip above it: nodes 0 to 3, and 4 to 7, of
// which 4 is the tip. Everything is rigid by decree: only the small tet's speed along y changes.
struct Tip {
  explicit Tip(const ContactRules& rules, double height = 0.001) : contacts(rules, 1) {
    add_tet({Vec3(-3, 0, -3), Vec3(3, 0, -3), Vec3(0, 0, 3), Vec3(0, -3, 0)}, 0);
    add_tet({Vec3(0, height, 0), Vec3(0.2, height + 1, 0), Vec3(-0.1, height + 1, -0.2), Vec3(-0.1, height + 1, 0.2)},
            1);
    for (std::size_t i = 0; i < 8; ++i) {
      velocity.push_back(Vec3::Zero());
      mass.push_back(i < 4 ? 1e12 : 1);
      stiffness.push_back(i < 4 ? 1e12 : kStiffness);
    }
  }
  void add_tet(const std::array<Vec3, 4>& corners, std::uint32_t body) {
    std::array<NodeId, 4> nodes;
    for (std::size_t i = 0; i < 4; ++i) {
      nodes[i] = mesh.add_node(corners[i]);
      position.push_back(corners[i]);
    }
    mesh.add_tet(nodes, {body, body});
  }
  void find(double dt) { contacts.find({mesh, position, velocity, mass, stiffness}, dt); }
  // The four nodes of the small tet as one mass of 4 kg.
  void step(double dt, double gravity) {
    find(last_dt);
    Column<NodeId, Vec3> force(8, Vec3::Zero());
    contacts.add_forces(velocity, force);
    double pull = -4 * gravity;
    for (std::size_t i = 4; i < 8; ++i) pull += force[NodeId(i)].y();
    for (std::size_t i = 4; i < 8; ++i) {
      velocity[NodeId(i)].y() += dt * pull / 4;
      position[NodeId(i)] += dt * velocity[NodeId(i)];
    }
    dissipated += contacts.account(dt, velocity);
    last_dt = dt;
  }
  double depth() const { return -position[tip].y(); }

  static constexpr double kStiffness = 4000;  // N/m; in a row with 1e12: the same
  const NodeId tip{4};
  TetMesh mesh;
  Column<NodeId, Vec3> position, velocity;
  Column<NodeId, double> mass, stiffness;
  BodyContacts contacts;
  double last_dt = 0, dissipated = 0;
};

ContactRules bare() {
  ContactRules rules;
  rules.friction = rules.damping = 0;
  return rules;
}

TEST(BodyContacts, RestsAtDepthWeightOverStiffness) {
  ContactRules rules = bare();
  rules.damping = 0.5;
  Tip tip(rules);
  for (int i = 0; i < 20000; ++i) tip.step(1e-3, 9.81);
  EXPECT_NEAR(tip.depth(), 4 * 9.81 / Tip::kStiffness, 1e-6);
}

TEST(BodyContacts, GoesSpeedTimesRootOfMassOverStiffnessDeepAndComesBackAsFast) {
  Tip tip(bare());
  for (std::size_t i = 4; i < 8; ++i) tip.velocity[NodeId(i)].y() = -2;
  double deepest = 0;
  for (int i = 0; i < 4000; ++i) {
    tip.step(5e-5, 0);
    deepest = std::max(deepest, tip.depth());
  }
  EXPECT_NEAR(deepest, 2 * std::sqrt(4 / Tip::kStiffness), 1e-4);
  EXPECT_NEAR(tip.velocity[tip.tip].y(), 2, 2e-3);
}

TEST(BodyContacts, ForcesAndMomentsVanish) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    ContactRules rules;
    Tip tip(rules, 0.01);
    const auto random = [&](std::uint64_t i) { return random_unit(seed, i) - 0.5; };
    const Mat3 turn = Eigen::Quaterniond(random(0), random(1), random(2), random(3)).normalized().toRotationMatrix();
    const Vec3 push(0.3 * random(4), -0.05, 0.3 * random(5));
    for (const NodeId n : id_range<NodeId>(8)) tip.position[n] = turn * tip.position[n];
    tip.find(0);
    for (std::size_t i = 4; i < 8; ++i) {
      tip.position[NodeId(i)] += turn * push;
      tip.velocity[NodeId(i)] = turn * (push + Vec3(random(6), -1, random(7)));
    }
    tip.find(1);
    ASSERT_EQ(tip.contacts.touching(), 1u);
    Column<NodeId, Vec3> force(8, Vec3::Zero());
    tip.contacts.add_forces(tip.velocity, force);
    Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
    double size = 0;
    for (const NodeId n : id_range<NodeId>(8)) {
      sum += force[n], moment += tip.position[n].cross(force[n]);
      size += force[n].norm();
    }
    ASSERT_GT(size, 1);
    EXPECT_LT(sum.norm(), 1e-12 * size);
    EXPECT_LT(moment.norm(), 1e-12 * size);
  }
}

TEST(BodyContacts, FrictionHoldsBelowItsCoefficientAndSlipsAboveIt) {
  for (const double slope : {0.3, 0.5}) {  // gravity's, against a coefficient of 0.4
    ContactRules rules;
    rules.friction = 0.4, rules.damping = 0.5;
    Tip tip(rules);
    for (int i = 0; i < 5000; ++i) {
      tip.find(tip.last_dt);
      Column<NodeId, Vec3> force(8, Vec3::Zero());
      tip.contacts.add_forces(tip.velocity, force);
      Vec3 pull = 4 * Vec3(9.81 * slope, -9.81, 0);
      for (std::size_t n = 4; n < 8; ++n) pull += force[NodeId(n)];
      for (std::size_t n = 4; n < 8; ++n) {
        tip.velocity[NodeId(n)] += 1e-4 * pull / 4;
        tip.position[NodeId(n)] += 1e-4 * tip.velocity[NodeId(n)];
      }
      tip.last_dt = 1e-4;
    }
    const double speed = tip.velocity[tip.tip].x(), slipping = 0.5 * 9.81 * (slope - 0.4);
    if (slope < 0.4) {
      EXPECT_LT(std::abs(speed), 1e-3);
    } else {
      EXPECT_NEAR(speed, slipping, 0.05 * slipping);
    }
  }
}

TEST(BodyContacts, OverlapAtTheStartDoesNotPush) {
  Tip tip(bare(), -0.05);
  for (int i = 0; i < 100; ++i) tip.step(1e-3, 0);
  EXPECT_EQ(tip.velocity[tip.tip].y(), 0);
  EXPECT_EQ(tip.contacts.touching(), 1u);
  // What is free is let go of: moved out by 0.03, it is pushed from there.
  for (std::size_t i = 4; i < 8; ++i) tip.velocity[NodeId(i)].y() = 0.3;
  for (int i = 0; i < 100; ++i) tip.step(1e-3, 0);
  EXPECT_NEAR(tip.depth(), 0.02, 1e-9);
  for (std::size_t i = 4; i < 8; ++i) tip.velocity[NodeId(i)].y() = -0.3;
  for (int i = 0; i < 300; ++i) tip.step(1e-3, 0);
  EXPECT_NEAR(tip.velocity[tip.tip].y(), 0.3, 0.01);
}

TEST(BodyContacts, FastNodesLimitTheStep) {
  Tip tip(bare());
  tip.find(0);
  EXPECT_TRUE(std::isinf(tip.contacts.limits().longest));
  tip.velocity[tip.tip] = Vec3(0, -50, 0);
  tip.find(0);
  EXPECT_LE(tip.contacts.limits().longest * 50, 0.1);
}

TEST(BodyContacts, StepBoundHoldsForTheSpringsOfOneNode) {
  // A node of mass 1 on a spring k against a tet that does not move has w2 = k.
  Tip tip(bare());
  for (std::size_t i = 4; i < 8; ++i) tip.velocity[NodeId(i)].y() = -1;
  for (int i = 0; i < 20; ++i) tip.step(1e-4, 0);
  ASSERT_EQ(tip.contacts.touching(), 1u);
  EXPECT_NEAR(tip.contacts.limits().elastic, Tip::kStiffness, 1e-3 * Tip::kStiffness);
}

}  // namespace
}  // namespace sunder
