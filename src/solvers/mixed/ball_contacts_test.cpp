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
  }
  EXPECT_GT(seen, 1000u);
}

// The push acts at the point of the face, some way off the middle of the ball, so friction would turn the ball, which
// has no spin: only what is along the normals has no moment.
TEST(BallContacts, NetForceVanishesAndSoDoesTheMomentWithoutFriction) {
  for (const double friction : {0.0, 0.4}) {
    World world(400, 5);
    BallContacts contacts({.friction = friction});
    for (const double away : {1.2, 0.5}) {  // of a radius, off one of the sides: they come, and touch
      for (const NodeId n : id_range<NodeId>(world.x.size())) {
        Vec3& x = world.x[n];
        x = x.cwiseMin(0.4).cwiseMax(-0.4);
        x[static_cast<int>(n.index % 3)] = (n.index % 2 == 0 ? 1 : -1) * (0.5 + away * world.radius[n.index]);
      }
      contacts.find(world.balls(), world.faces());
    }
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

}  // namespace
}  // namespace sunder::mixed
