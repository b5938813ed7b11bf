// verification.md, Collisions, for contact by overlap volume: closed forms with two tets and with boxes.
#include "collision/overlap_contacts.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>

#include "collision/body_contacts.h"
#include "core/random.h"
#include "meshing/box_mesh.h"

namespace sunder {
namespace {

ContactRules bare() {
  ContactRules rules;
  rules.friction = rules.damping = 0;
  return rules;
}

// Bodies of tets, rigid by decree; the nodes from `first_upper` on are one body of 4 kg that moves, the others stand.
struct Pile {
  explicit Pile(const ContactRules& rules, double edge = 1) : contacts(rules, edge) {}

  void add(const TetSoup& soup, const Mat3& turn, const Vec3& at, std::uint32_t body) {
    first_upper = mesh.append(soup, {body, body}).index;
    for (const Vec3& p : soup.points) {
      position.push_back(turn * p + at);
      velocity.push_back(Vec3::Zero());
      mass.push_back(body == 0 ? 1e12 : 4.0 / static_cast<double>(soup.points.size()));
      stiffness.push_back(kStiffness);
    }
  }
  static TetSoup tet(const std::array<Vec3, 4>& corners) {
    TetSoup soup;
    soup.points.assign(corners.begin(), corners.end());
    soup.tets.push_back({0, 1, 2, 3});
    return soup;
  }
  TouchingBodies bodies() const { return {mesh, position, velocity, mass, stiffness}; }
  void set_speed(const Vec3& v) {
    for (std::size_t i = first_upper; i < position.size(); ++i) velocity[NodeId(i)] = v;
  }
  Vec3 speed() const { return velocity[NodeId(first_upper)]; }
  Vec3 pull() {
    Column<NodeId, Vec3> force(position.size(), Vec3::Zero());
    contacts.add_forces(velocity, force);
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = first_upper; i < position.size(); ++i) sum += force[NodeId(i)];
    return sum;
  }
  void step(double dt, const Vec3& gravity = Vec3::Zero()) {
    contacts.find(bodies(), last_dt);
    const Vec3 v = speed() + dt * (pull() / 4 + gravity);
    set_speed(v);
    for (std::size_t i = first_upper; i < position.size(); ++i) position[NodeId(i)] += dt * v;
    dissipated += contacts.account(dt, velocity);
    last_dt = dt;
  }
  double kinetic() const { return 2 * speed().squaredNorm(); }

  static constexpr double kStiffness = 8000;  // N/m; two one behind the other: 4000
  TetMesh mesh;
  Column<NodeId, Vec3> position, velocity;
  Column<NodeId, double> mass, stiffness;
  OverlapContacts contacts;
  std::size_t first_upper = 0;
  double last_dt = 0, dissipated = 0;
};

// A tet with a wide top face at y = 0, and above it one that stands on a face of 1 m edge, 3 m tall.
struct Tower : Pile {
  explicit Tower(const ContactRules& rules, double height = 0.001) : Pile(rules) {
    add(tet({Vec3(-6, 0, -4), Vec3(6, 0, -4), Vec3(0, 0, 8), Vec3(0, -9, 0)}), Mat3::Identity(), Vec3::Zero(), 0);
    const double r = 1 / std::sqrt(3.0);
    add(tet({Vec3(0, 0, r), Vec3(0.5, 0, -0.5 * r), Vec3(-0.5, 0, -0.5 * r), Vec3(0, kTall, 0)}), Mat3::Identity(),
        Vec3(0, height, 0), 1);
  }
  double depth() const { return -position[NodeId(4)].y(); }
  // Of the overlap, a frustum.
  static double volume(double d) { return kFoot * kTall / 3 * (1 - std::pow(1 - d / kTall, 3)); }
  // The side faces are boundary faces too: the mean of all four.
  static double modulus() {
    const double slant = std::sqrt(kTall * kTall + 1.0 / 12);
    return kStiffness / 2 / ((kFoot + 3 * 0.5 * slant) / 4);
  }
  static constexpr double kTall = 3, kFoot = 0.4330127018922193;
};

TEST(OverlapContacts, FlatContactPushesWithVolumeTimesModulus) {
  Tower tower(bare());
  tower.set_speed(Vec3(0, -1, 0));
  for (int i = 1; i <= 50; ++i) {
    for (std::size_t n = 4; n < 8; ++n) tower.position[NodeId(n)].y() -= 0.002;
    tower.contacts.find(tower.bodies(), 0.002);
    if (tower.depth() <= 0) continue;
    ASSERT_EQ(tower.contacts.touching(), 1u);
    const double expected = Tower::modulus() * Tower::volume(tower.depth());
    EXPECT_NEAR(tower.contacts.volume(), Tower::volume(tower.depth()), 1e-13);
    EXPECT_LT((tower.pull() - Vec3(0, expected, 0)).norm(), 1e-9 * expected);
  }
  EXPECT_NEAR(tower.depth(), 0.099, 1e-12);
}

TEST(OverlapContacts, ForceOfBoxesFaceToFaceGrowsWithAreaTimesDepthAndActsInTheMiddle) {
  double first = 0;
  for (const double depth : {0.002, 0.004, 0.02}) {
    Pile pile(bare(), 0.5);
    pile.add(box_mesh(Vec3::Ones(), 0.5, 1), Mat3::Identity(), Vec3(0, -0.5, 0), 0);
    pile.add(box_mesh(Vec3::Ones(), 0.4, 2), Mat3::Identity(), Vec3(0, 0.501, 0), 1);
    pile.set_speed(Vec3(0, -1, 0));
    pile.contacts.find(pile.bodies(), 0);
    for (std::size_t i = pile.first_upper; i < pile.position.size(); ++i) pile.position[NodeId(i)].y() -= 0.001 + depth;
    pile.contacts.find(pile.bodies(), 0.001 + depth);
    // Tets without a boundary face hold the rest of the volume: it goes with the square of the depth.
    EXPECT_NEAR(pile.contacts.volume(), depth, 6 * depth * depth);
    Column<NodeId, Vec3> force(pile.position.size(), Vec3::Zero());
    pile.contacts.add_forces(pile.velocity, force);
    Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
    for (std::size_t i = pile.first_upper; i < pile.position.size(); ++i) {
      sum += force[NodeId(i)];
      moment += pile.position[NodeId(i)].cross(force[NodeId(i)]);
    }
    EXPECT_LT(Vec3(sum.x(), 0, sum.z()).norm(), 0.01 * sum.y());
    EXPECT_LT(moment.norm(), 0.05 * sum.y());  // m: k_v differs from face to face
    if (first == 0) first = sum.y() / depth;
    EXPECT_NEAR(sum.y() / depth, first, 6 * depth * first);
    // As stiff as nodes would be: of the order of a spring for each of the faces, 8 and more.
    EXPECT_GT(first, 5 * Pile::kStiffness / 2);
    EXPECT_LT(first, 40 * Pile::kStiffness / 2);
  }
}

TEST(OverlapContacts, ForcesAndMomentsVanish) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Tower tower({}, 0.01);
    const auto random = [&](std::uint64_t i) { return random_unit(seed, i) - 0.5; };
    const Mat3 turn = Eigen::Quaterniond(random(0), random(1), random(2), random(3)).normalized().toRotationMatrix();
    const Mat3 tilt = Eigen::AngleAxisd(random(8), Vec3(random(9), 0, random(10)).normalized()).toRotationMatrix();
    const Vec3 push(0.3 * random(4), -0.3, 0.3 * random(5));
    for (std::size_t n = 4; n < 8; ++n) tower.position[NodeId(n)] = tilt * tower.position[NodeId(n)] + Vec3(0, 0.25, 0);
    for (Vec3& x : tower.position) x = turn * x;
    tower.contacts.find(tower.bodies(), 0);
    for (std::size_t n = 4; n < 8; ++n) {
      tower.position[NodeId(n)] += turn * push;
      tower.velocity[NodeId(n)] = turn * (push + Vec3(random(6), -1, random(7)));
    }
    tower.contacts.find(tower.bodies(), 1);
    ASSERT_EQ(tower.contacts.touching(), 1u);
    Column<NodeId, Vec3> force(8, Vec3::Zero());
    tower.contacts.add_forces(tower.velocity, force);
    Vec3 sum = Vec3::Zero(), moment = Vec3::Zero();
    double size = 0;
    for (const NodeId n : id_range<NodeId>(8)) {
      sum += force[n], moment += tower.position[n].cross(force[n]);
      size += force[n].norm();
    }
    ASSERT_GT(size, 1);
    EXPECT_LT(sum.norm(), 1e-12 * size);
    EXPECT_LT(moment.norm(), 1e-12 * size);
  }
}

// On a foot and on a tip. What is left is the integrator's, and falls with the step.
TEST(OverlapContacts, UndampedBounceComesBackAsFastAndBalancesOnTheWay) {
  const Mat3 on_its_tip = Eigen::AngleAxisd(M_PI, Vec3::UnitX()).toRotationMatrix();
  for (const int shape : {0, 1}) {
    double error[2];
    for (const int half : {0, 1}) {
      Tower tower(bare());
      if (shape == 1) {
        for (std::size_t n = 4; n < 8; ++n) {
          tower.position[NodeId(n)] = on_its_tip * tower.position[NodeId(n)] + Vec3(0, Tower::kTall + 0.002, 0);
        }
      }
      tower.set_speed(Vec3(0, -2, 0));
      const double before = tower.kinetic(), dt = half == 1 ? 1e-4 : 2e-4;
      double worst = 0, most = 0;
      for (int i = 0; i * dt < 1 && tower.speed().y() < 1.98; ++i) {
        tower.step(dt);
        Column<NodeId, Vec3> x = tower.position;
        for (const NodeId n : id_range<NodeId>(8)) x[n] -= 0.5 * dt * tower.velocity[n];
        const double stored = tower.contacts.energy(x, tower.velocity, 0.5 * dt);
        most = std::max(most, stored);
        worst = std::max(worst, std::abs(tower.kinetic() + stored + tower.dissipated - before));
      }
      EXPECT_GT(most, 0.95 * before);
      EXPECT_NEAR(tower.speed().y(), 2, 0.02);
      error[half] = worst / before;
    }
    EXPECT_LT(error[0], 1e-4) << shape;
    EXPECT_LT(error[1], 0.6 * error[0]) << shape;
  }
}

TEST(OverlapContacts, FrictionHoldsBelowItsCoefficientAndSlipsAboveIt) {
  for (const double slope : {0.3, 0.5}) {  // gravity's, against a coefficient of 0.4
    ContactRules rules;
    rules.friction = 0.4, rules.damping = 0.5;
    Tower tower(rules);
    for (int i = 0; i < 10000; ++i) tower.step(1e-4, Vec3(9.81 * slope, -9.81, 0));
    const double speed = tower.speed().x(), slipping = 9.81 * (slope - 0.4);
    if (slope < 0.4) {
      EXPECT_LT(std::abs(speed), 1e-3);
    } else {
      EXPECT_NEAR(speed, slipping, 0.05 * slipping);
    }
    EXPECT_GT(tower.dissipated, 0);
  }
}

TEST(OverlapContacts, OverlapAtTheStartDoesNotPush) {
  Tower tower(bare(), -0.05);
  for (int i = 0; i < 100; ++i) tower.step(1e-3);
  EXPECT_EQ(tower.speed(), Vec3::Zero());
  EXPECT_EQ(tower.contacts.touching(), 1u);
  // What is free is let go of: moved out by 0.03, it is pushed from there.
  tower.set_speed(Vec3(0, 0.3, 0));
  for (int i = 0; i < 100; ++i) tower.step(1e-3);
  EXPECT_NEAR(tower.depth(), 0.02, 1e-9);
  tower.set_speed(Vec3(0, -0.3, 0));
  for (int i = 0; i < 300; ++i) tower.step(1e-3);
  EXPECT_NEAR(tower.speed().y(), 0.3, 0.01);
}

// Two square bars, each turned about its axis by 45 degrees, cross at right angles, edge on edge. No node comes near
// the place where they meet.
TEST(OverlapContacts, EdgesThatCrossPushEachOtherThoughNoNodeIsInside) {
  const TetSoup bar = box_mesh({2.25, 0.2, 0.2}, 0.25, 1);
  const Mat3 on_edge = Eigen::AngleAxisd(M_PI / 4, Vec3::UnitX()).toRotationMatrix();
  const Mat3 across = Eigen::AngleAxisd(M_PI / 2, Vec3::UnitY()).toRotationMatrix();
  const double apart = 0.2 * std::sqrt(2.0) + 0.001;
  Pile pile(bare(), 0.25);
  pile.add(bar, on_edge, Vec3(0.13, 0, 0), 0);
  pile.add(bar, across * on_edge, Vec3(0, apart, 0.13), 1);
  BodyContacts nodes(bare(), 0.25);
  pile.set_speed(Vec3(0, -0.05, 0));
  double highest = 0;
  std::size_t by_nodes = 0;
  for (int i = 0; i < 8000; ++i) {
    pile.step(2e-4);
    highest = std::max(highest, pile.pull().y());
    nodes.find(pile.bodies(), 2e-4);
    by_nodes = std::max(by_nodes, nodes.touching());
  }
  EXPECT_GT(highest, 0.5);
  EXPECT_EQ(by_nodes, 0u);
  EXPECT_NEAR(pile.speed().y(), 0.05, 0.002);
}

TEST(OverlapContacts, StepBoundHoldsForOnePair) {
  // w^2 of the pair's spring against a tet that does not move, with k = k_v A and the foot's three nodes of 1 kg.
  Tower tower(bare());
  tower.set_speed(Vec3(0, -1, 0));
  for (int i = 0; i < 20; ++i) tower.step(1e-4);
  ASSERT_EQ(tower.contacts.touching(), 1u);
  const double stiffness = Tower::modulus() * Tower::kFoot;
  EXPECT_NEAR(tower.contacts.limits().elastic, stiffness / 3, 0.01 * stiffness / 3);
}

}  // namespace
}  // namespace sunder
