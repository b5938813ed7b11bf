#pragma once
// The lights of a stage that are aimed at: sun, panels and lamps. The dome is found by chance alone.

#include <vector>

#include "render/stage.h"

namespace sunder::render {

struct LightSample {
  Vec3f direction;
  float distance = kFar;
  Color radiance = Color::Zero();
  float pdf = 0;  // per solid angle, the choice of the light included
};

class Lights {
 public:
  explicit Lights(const Stage& stage);

  bool any() const { return !entries_.empty(); }

  // A direction towards some light; pdf 0 if the point cannot see it.
  LightSample sample(const Vec3f& point, float choice, const Vec2f& u) const;

  // The light that a ray meets before `far`, with the pdf that sample() would have had; radiance 0 if none. Panels
  // are left out for rays of the camera.
  LightSample met(const Ray& ray, float far, bool from_camera) const;

 private:
  enum class Kind { sun, panel, lamp };
  struct Entry {
    Kind kind;
    std::size_t index;
    float share;  // how often it is chosen
  };
  LightSample sample_entry(const Entry& entry, const Vec3f& point, const Vec2f& u) const;

  const Stage& stage_;
  std::vector<Entry> entries_;
};

}  // namespace sunder::render
