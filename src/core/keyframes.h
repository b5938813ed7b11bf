#pragma once
// Where a time lies among keyframes: what every keyframed value asks first.

#include <algorithm>
#include <cstddef>
#include <span>

namespace sunder {

// `from` and `to` are the same before the first keyframe and after the last.
struct KeyframeInterval {
  std::size_t from = 0, to = 0;
  double share = 0;  // of the way from one to the other, in [0, 1)
};

// Keyframes have a `time` (s), each later than the one before; there is at least one.
template <class Keyframe>
KeyframeInterval keyframe_interval(std::span<const Keyframe> keyframes, double time) {
  const auto next = std::upper_bound(keyframes.begin(), keyframes.end(), time,
                                     [](double t, const Keyframe& k) { return t < k.time; });
  const auto index = static_cast<std::size_t>(next - keyframes.begin());
  if (index == 0) return {0, 0, 0};
  if (index == keyframes.size()) return {index - 1, index - 1, 0};
  const double start = keyframes[index - 1].time;
  return {index - 1, index, (time - start) / (keyframes[index].time - start)};
}

}  // namespace sunder
