#include "render/sky.h"

#include <algorithm>

namespace sunder::render {

Color dome(const Sky& sky, const Vec3f& direction) {
  const float height = direction.y();
  Color light = height <= 0 ? sky.below : sky.horizon + (sky.zenith - sky.horizon) * std::pow(height, sky.blend);
  if (height <= 0 && height > -0.08f) light += (sky.horizon - sky.below) * (1 + height / 0.08f);  // no hard line
  if (sky.glow.maxCoeff() > 0) {
    const float c = std::max(0.0f, direction.dot(sky.sun));
    light += sky.glow * (0.3f * std::pow(c, 8.0f) + 0.7f * std::pow(c, 64.0f));
  }
  return light;
}

Sky studio_sky() {
  Sky sky;
  sky.zenith = Color(0.22f, 0.24f, 0.28f);
  sky.horizon = Color(0.66f, 0.655f, 0.645f);  // as bright as the lit floor, which goes over into it
  sky.below = sky.horizon;
  sky.blend = 0.75f;
  return sky;
}

Sky day_sky(const Vec3f& sun) {
  Sky sky;
  sky.sun = sun.normalized();
  const float height = std::clamp(sky.sun.y(), 0.05f, 1.0f);
  const float redness = std::exp(-4 * height);  // a low sun shines through more air
  sky.sun_light = 3.2f * Color(1.0f, 0.93f - 0.35f * redness, 0.82f - 0.60f * redness);
  sky.zenith = Color(0.16f, 0.30f, 0.62f);
  sky.horizon = Color(0.72f, 0.82f, 0.95f) * (1 - 0.3f * redness);
  sky.below = Color(0.55f, 0.56f, 0.58f);
  sky.blend = 0.42f;
  sky.glow = Color(0.9f, 0.75f, 0.5f);
  return sky;
}

Sky overcast_sky() {
  Sky sky;
  sky.zenith = Color(1.0f, 1.02f, 1.06f);
  sky.horizon = Color(0.55f, 0.57f, 0.60f);
  sky.below = Color(0.45f, 0.46f, 0.48f);
  sky.blend = 0.7f;
  return sky;
}

Sky dark_sky() {
  Sky sky;
  sky.zenith = Color(0.045f, 0.05f, 0.06f);
  sky.horizon = Color(0.03f, 0.033f, 0.04f);
  sky.below = Color(0.02f, 0.021f, 0.024f);
  return sky;
}

Sky uniform_sky(const Color& radiance) {
  Sky sky;
  sky.zenith = sky.horizon = sky.below = radiance;
  return sky;
}

}  // namespace sunder::render
