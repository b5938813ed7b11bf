#include "collision/keyframes.h"

#include "core/keyframes.h"
#include "core/rotation.h"

namespace sunder {

KeyframedPose pose_at(std::span<const ColliderKeyframe> keyframes, double time) {
  const KeyframeInterval interval = keyframe_interval(keyframes, time);
  const ColliderKeyframe &from = keyframes[interval.from], &to = keyframes[interval.to];
  if (interval.from == interval.to) return {from.position, from.rotation};
  const double since = time - from.time, whole = to.time - from.time;
  KeyframedPose pose;
  pose.velocity = (to.position - from.position) / whole;
  pose.spin = turn_between(from.rotation, to.rotation) / whole;
  pose.position = from.position + since * pose.velocity;
  pose.rotation = (rotation_by(since * pose.spin) * from.rotation).normalized();
  return pose;
}

}  // namespace sunder
