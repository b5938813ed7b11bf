// Colliders in pictures: at the poses that were recorded, with their ropes.
#include "sim/stage_of_run.h"

#include <gtest/gtest.h>

#include "core/rotation.h"
#include "scene/read_scene.h"

namespace sunder {
namespace {

constexpr const char* kScene = R"(
[[body]]
shape = { kind = "box" }
material = "glass"
[[collider]]
name = "rod"
shape = { kind = "capsule", radius = 0.1, height = 1 }
motion = "dynamic"
mass = 1
position = [9, 9, 9]
rope = { point = [9, 12, 9], attach = [0, 0.5, 0] }
)";

struct Box {
  Vec3 lower = Vec3::Constant(1e9), upper = Vec3::Constant(-1e9);
};
Box bounds(const std::vector<render::Vec3f>& points) {
  Box b;
  for (const render::Vec3f& p : points) {
    b.lower = b.lower.cwiseMin(p.cast<double>()), b.upper = b.upper.cwiseMax(p.cast<double>());
  }
  return b;
}

TEST(StageOfRun, ACapsuleAndItsRopeStandAtTheRecordedPose) {
  const Scene scene = read_scene({.text = kScene, .file_name = "s.toml"});
  StageMaker maker(scene);
  Frame frame;
  frame.position = frame.rest = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  frame.velocity.assign(4, Vec3::Zero());
  frame.node_uid = {1, 2, 3, 4};
  frame.tets = {{0, 1, 2, 3}};
  frame.body = frame.fragment = frame.material = {0};
  frame.tet_uid = {1}, frame.stress = {0}, frame.crack_faces = {0};
  const RigidPose pose{
      .name = "rod", .kind = "capsule", .position = Vec3(1, 2, 3), .rotation = rotation_matrix(Vec3(0, 0, 90))};
  const render::Stage stage = maker.stage(frame, {pose}, {}, {});
  ASSERT_EQ(stage.surfaces.size(), 2u);
  const render::SurfaceMesh& rod = stage.surfaces[1];
  const Box box = bounds(rod.open);
  EXPECT_LT((box.lower - Vec3(0.5, 1.9, 2.9)).norm(), 1e-3);
  EXPECT_LT((box.upper - Vec3(1.5, 2.1, 3.1)).norm(), 1e-3);
  double volume = 0;  // outward triangles only add up to the capsule's
  for (const auto& t : rod.triangles) {
    const Vec3 a = rod.open[t[0]].cast<double>() - pose.position, b = rod.open[t[1]].cast<double>() - pose.position,
               c = rod.open[t[2]].cast<double>() - pose.position;
    volume += a.dot(b.cross(c)) / 6;
  }
  EXPECT_NEAR(volume, 3.14159265 * 0.01 * (0.8 + 0.4 / 3), 0.02 * volume);
  ASSERT_EQ(stage.wires.size(), 1u);
  EXPECT_LT((stage.wires[0].open[0].cast<double>() - Vec3(9, 12, 9)).norm(), 1e-5);
  EXPECT_LT((stage.wires[0].open[1].cast<double>() - Vec3(0.5, 2, 3)).norm(), 1e-5);
}

TEST(StageOfRun, SlowMotionMovesAndTurnsCollidersBetweenFrames) {
  const RigidPose from{.name = "rod", .kind = "capsule"};
  RigidPose to = from;
  to.position = Vec3(2, 0, 0), to.rotation = rotation_matrix(Vec3(0, 0, 80));
  const std::vector<RigidPose> quarter = poses_between({from}, {to}, 0.25);
  ASSERT_EQ(quarter.size(), 1u);
  EXPECT_LT((quarter[0].position - Vec3(0.5, 0, 0)).norm(), 1e-12);
  EXPECT_LT((quarter[0].rotation - rotation_matrix(Vec3(0, 0, 20))).norm(), 1e-12);
}

}  // namespace
}  // namespace sunder
