#pragma once
// The path tracer: light is followed backwards from the camera, from bounce to bounce, aiming at lights on the way.

#include <cstdint>
#include <functional>

#include "render/camera.h"
#include "render/picture.h"
#include "render/ray_scene.h"

namespace sunder::render {

struct TraceSettings {
  int width = 640, height = 360;
  int samples = 64;  // light paths a pixel
  int bounces = 8;   // at most; some more in glass
  std::uint64_t seed = 1;
  float brightest = 8;  // light of one indirect path is cut here: rare caustics would leave bright dots
  std::function<void(double done)> progress;  // share of the picture, now and then, from any thread
};

// The same picture, bit for bit, for any number of threads (core/parallel.h).
Picture trace(const RayScene& scene, const Camera& camera, const TraceSettings& settings);

}  // namespace sunder::render
