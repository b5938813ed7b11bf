#pragma once
// The path of a kinematic collider: straight and evenly from keyframe to keyframe, turning the shortest way; still
// before the first and after the last.

#include <span>

#include "collision/collider.h"

namespace sunder {

struct KeyframedPose {
  Vec3 position = Vec3::Zero();
  Eigen::Quaterniond rotation = Eigen::Quaterniond::Identity();
  Vec3 velocity = Vec3::Zero();  // m/s, from this time on
  Vec3 spin = Vec3::Zero();      // rad/s
};
KeyframedPose pose_at(std::span<const ColliderKeyframe> keyframes, double time);

}  // namespace sunder
