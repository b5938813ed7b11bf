#include "collision/keyframes.h"

#include <gtest/gtest.h>

#include <numbers>

#include "core/rotation.h"

namespace sunder {
namespace {

constexpr double kPi = std::numbers::pi;

std::vector<ColliderKeyframe> keyframes() {
  return {{1, Vec3(0, 0, 0), rotation_by(Vec3(0, 0, 0))},
          {2, Vec3(1, 0, 0), rotation_by(Vec3(0, 0, 1))},
          {4, Vec3(1, 4, 0), rotation_by(Vec3(0, 0, 1 + 1.5 * kPi))}};
}

TEST(Keyframes, StandStillBeforeTheFirstAndAfterTheLast) {
  for (const double time : {-1.0, 0.999, 4.0, 100.0}) {
    const KeyframedPose pose = pose_at(keyframes(), time);
    EXPECT_EQ(pose.velocity, Vec3(Vec3::Zero())) << time;
    EXPECT_EQ(pose.spin, Vec3(Vec3::Zero())) << time;
    EXPECT_EQ(pose.position, time < 1 ? Vec3(0, 0, 0) : Vec3(1, 4, 0));
  }
}

TEST(Keyframes, GoEvenlyFromOneToTheNext) {
  const KeyframedPose pose = pose_at(keyframes(), 1.25);
  EXPECT_LT((pose.position - Vec3(0.25, 0, 0)).norm(), 1e-15);
  EXPECT_EQ(pose.velocity, Vec3(1, 0, 0));
  EXPECT_LT((pose.spin - Vec3(0, 0, 1)).norm(), 1e-14);
  EXPECT_LT(turn_between(rotation_by(Vec3(0, 0, 0.25)), pose.rotation).norm(), 1e-14);
  EXPECT_EQ(pose_at(keyframes(), 3).velocity, Vec3(0, 2, 0));
}

TEST(Keyframes, TurnTheShortestWay) {
  const KeyframedPose pose = pose_at(keyframes(), 3);
  EXPECT_LT((pose.spin - Vec3(0, 0, -0.25 * kPi)).norm(), 1e-12) << "three quarters one way are a quarter the other";
  EXPECT_LT(turn_between(rotation_by(Vec3(0, 0, 1 - 0.25 * kPi)), pose.rotation).norm(), 1e-12);
}

TEST(Rotation, TurnBetweenUndoesRotationBy) {
  for (const double angle : {0.0, 1e-9, 1e-5, 1.1e-4, 0.3, 3.0}) {
    const Vec3 turn = angle * Vec3(1, -2, 0.5).normalized();
    const Eigen::Quaterniond start = rotation_by(Vec3(0.3, 2, -1));
    EXPECT_LT((turn_between(start, rotation_by(turn) * start) - turn).norm(), 1e-15 + 1e-14 * angle) << angle;
  }
}

}  // namespace
}  // namespace sunder
