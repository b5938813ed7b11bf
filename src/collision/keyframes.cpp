#include "collision/keyframes.h"

#include <algorithm>

#include "core/rotation.h"

namespace sunder {

KeyframedPose pose_at(std::span<const ColliderKeyframe> keyframes, double time) {
  const auto next = std::upper_bound(keyframes.begin(), keyframes.end(), time,
                                     [](double t, const ColliderKeyframe& k) { return t < k.time; });
  if (next == keyframes.begin() || next == keyframes.end()) {
    const ColliderKeyframe& k = next == keyframes.begin() ? keyframes.front() : keyframes.back();
    return {k.position, k.rotation};
  }
  const ColliderKeyframe &from = *(next - 1), &to = *next;
  const double since = time - from.time, whole = to.time - from.time;
  KeyframedPose pose;
  pose.velocity = (to.position - from.position) / whole;
  pose.spin = turn_between(from.rotation, to.rotation) / whole;
  pose.position = from.position + since * pose.velocity;
  pose.rotation = (rotation_by(since * pose.spin) * from.rotation).normalized();
  return pose;
}

}  // namespace sunder
