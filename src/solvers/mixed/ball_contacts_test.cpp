#include "solvers/mixed/ball_contacts.h"

#include <gtest/gtest.h>

#include "core/dice_testing.h"
#include "geometry/triangle.h"
#include "mesh/boundary.h"
#include "meshing/box_mesh.h"

namespace sunder::mixed {
namespace {

// A cube of tets and a cloud of balls that drift about it.
struct World {
  TetMesh mesh;
  Column<NodeId, Vec3> corner, corner_velocity, corner_force;
  Column<NodeId, double> corner_mass, corner_stiffness;
  std::vector<std::array<NodeId, 3>> skin;
  Column<NodeId, Vec3> x, v, force;
  Column<NodeId, double> mass, stiffness;
  std::vector<double> radius;

  explicit World(std::size_t balls, std::uint64_t seed) {
    Dice dice(seed);
    mesh.append(box_mesh(Vec3(1, 1, 1), 0.25, 1), {});
    corner = mesh.material_positions();
    corner_velocity.assign(corner.size(), Vec3::Zero()), corner_force = corner_velocity;
    corner_mass.assign(corner.size(), 2), corner_stiffness.assign(corner.size(), 300);
    for (const BoundaryFace& face : boundary_faces(mesh)) skin.push_back(face.nodes);
    for (std::size_t i = 0; i < balls; ++i) {
      x.push_back(dice.vec(-0.8, 0.8)), v.push_back(dice.vec(-1, 1));
      radius.push_back(dice(0.02, 0.06));
    }
    force.assign(balls, Vec3::Zero()), mass.assign(balls, 0.5), stiffness.assign(balls, 100);
  }

  Touchable balls() { return {x, v, mass, stiffness, force, radius, {}, 0}; }
  Touchable faces() { return {corner, corner_velocity, corner_mass, corner_stiffness, corner_force, {}, skin, 7}; }

  double distance(NodeId ball) const {
    double least = 1e300;
    for (const auto& [a, b, c] : skin) {
      const TriangleCorners t = {corner[a], corner[b], corner[c]};
      least = std::min(least, (closest_point(t, x[ball]).point - x[ball]).norm());
    }
    return least;
  }

  // All balls come to one of the sides, and touch it.
  void bring_to_sides(BallContacts& contacts) {
    for (const double away : {1.1, 0.5}) {  // of a radius
      for (const NodeId n : id_range<NodeId>(x.size())) {
        Vec3& p = x[n];
        p = p.cwiseMin(0.4).cwiseMax(-0.4);
        p[static_cast<int>(n.index % 3)] = (n.index % 2 == 0 ? 1 : -1) * (0.5 + away * radius[n.index]);
      }
      contacts.find(balls(), faces());
      contacts.account(balls(), faces(), 100, {1, 1});
    }
  }
};

TEST(BallContacts, FindsWhatBruteForceFindsWhileAllMove) {
  World world(400, 3);
  BallContacts contacts;
  // Balls that are near at first are taken as they are; so let those start far away.
  for (const NodeId n : id_range<NodeId>(world.x.size())) {
    if (world.x[n].cwiseAbs().maxCoeff() < 0.6) world.x[n].y() += 2;
  }
  std::size_t seen = 0;
  for (int step = 0; step < 300; ++step) {
    contacts.find(world.balls(), world.faces());
    std::vector<NodeId> expected;
    for (const NodeId n : id_range<NodeId>(world.x.size())) {
      const bool inside = world.x[n].cwiseAbs().maxCoeff() < 0.5;
      if (!inside && world.distance(n) < world.radius[n.index]) expected.push_back(n);
    }
    std::vector<NodeId> outside;
    for (const NodeId n : contacts.touched_balls()) {
      if (!(world.x[n].cwiseAbs().maxCoeff() < 0.5)) outside.push_back(n);
    }
    ASSERT_EQ(outside, expected) << "step " << step;
    seen += expected.size();
    for (const NodeId n : id_range<NodeId>(world.x.size())) world.x[n] += 0.004 * world.v[n];
    contacts.account(world.balls(), world.faces(), 0.004, {0.004, 0.004});
  }
  EXPECT_GT(seen, 1000u);
}

// The push acts at the point of the face, some way off the middle of the ball, so friction would turn the ball, which
// has no spin: only what is along the normals has no moment.
TEST(BallContacts, NetForceVanishesAndSoDoesTheMomentWithoutFriction) {
  for (const double friction : {0.0, 0.4}) {
    World world(400, 5);
    BallContacts contacts({.friction = friction});
    world.bring_to_sides(contacts);
    ASSERT_EQ(contacts.touching(), 400u);
    contacts.add_forces(world.balls(), world.faces(), {1e-3, 1e-3});
    Vec3 net = Vec3::Zero(), moment = Vec3::Zero();
    double sum = 0;
    for (const NodeId n : id_range<NodeId>(world.x.size())) {
      sum += world.force[n].norm(), net += world.force[n], moment += world.x[n].cross(world.force[n]);
    }
    for (const NodeId n : id_range<NodeId>(world.corner.size())) {
      net += world.corner_force[n], moment += world.corner[n].cross(world.corner_force[n]);
    }
    EXPECT_GT(sum, 0);
    EXPECT_LT(net.norm(), 1e-12 * sum);
    if (friction == 0) {
      EXPECT_LT(moment.norm(), 1e-12 * sum);
    }
  }
}

// A shard points at x. Above its tip the face below is the one that is seen best, and a ball there is behind it.
TEST(BallContacts, ABallBeyondASharpCornerIsOutside) {
  World world(1, 3);
  world.corner.assign(4, Vec3::Zero());
  world.corner[NodeId(1)] = Vec3(-1, 0, 0.3);
  world.corner[NodeId(2)] = Vec3(-1, 0.5, 0), world.corner[NodeId(3)] = Vec3(-1, -0.5, 0);
  world.skin = {{NodeId(0), NodeId(2), NodeId(1)},
                {NodeId(0), NodeId(1), NodeId(3)},
                {NodeId(0), NodeId(3), NodeId(2)},
                {NodeId(1), NodeId(2), NodeId(3)}};
  world.corner_velocity.assign(4, Vec3::Zero()), world.corner_force = world.corner_velocity;
  world.corner_mass.assign(4, 2), world.corner_stiffness.assign(4, 300);
  world.radius[0] = 0.03;
  const NodeId ball(0);
  BallContacts contacts;
  for (const double away : {0.034, 0.02}) {
    world.x[ball] = away * Vec3(0.35, 0, 1), world.v[ball] = Vec3(0, 0, -1);
    contacts.find(world.balls(), world.faces());
    contacts.account(world.balls(), world.faces(), 100, {1, 1});
  }
  ASSERT_EQ(contacts.touching(), 1u);
  contacts.add_forces(world.balls(), world.faces(), {1e-3, 1e-3});
  EXPECT_GT(world.force[ball].z(), 0);
  const double depth = world.radius[0] - world.x[ball].norm();
  EXPECT_NEAR(contacts.energy(world.balls(), world.faces()), 0.5 * 0.5 * 100 * depth * depth, 1e-9);
}

// Among crack faces a ball may be outside of one moment, inside of another the next, without that anything has moved.
TEST(BallContacts, ADistanceThatJumpsBringsNoEnergy) {
  World world(400, 5);
  BallContacts contacts;
  world.bring_to_sides(contacts);
  contacts.find(world.balls(), world.faces());
  const double before = contacts.energy(world.balls(), world.faces());
  EXPECT_GT(before, 0.1);
  for (auto& face : world.skin) std::swap(face[0], face[1]);  // now outside is inside
  contacts.account(world.balls(), world.faces(), 0, {1, 1});
  contacts.find(world.balls(), world.faces());
  EXPECT_LE(contacts.energy(world.balls(), world.faces()), (1 + 1e-9) * before);
}

}  // namespace
}  // namespace sunder::mixed
