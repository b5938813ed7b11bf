#include "render/lights.h"

namespace sunder::render {
namespace {

// Uniform in the cone of half angle acos(cos_edge) about z.
Vec3f cone_direction(float cos_edge, const Vec2f& u) {
  const float z = 1 - u.x() * (1 - cos_edge);
  const float r = std::sqrt(std::max(0.0f, 1 - z * z)), phi = 2 * kPi * u.y();
  return {r * std::cos(phi), r * std::sin(phi), z};
}
// 1 - cos of the sun's radius, without the loss of digits.
float one_minus_cos(float angle) {
  const float s = std::sin(angle / 2);
  return 2 * s * s;
}

// Distance to a lamp along a ray, or kFar.
float meet_sphere(const Ray& ray, const Vec3f& center, float radius) {
  const Vec3f to = center - ray.origin;
  const float along = to.dot(ray.direction);
  const float miss2 = (to - along * ray.direction).squaredNorm();
  if (miss2 > radius * radius) return kFar;
  const float half = std::sqrt(radius * radius - miss2);
  return along - half > 0 ? along - half : kFar;
}

}  // namespace

Lights::Lights(const Stage& stage) : stage_(stage) {
  // Shares by the light that reaches the middle of the stage.
  const Vec3f& middle = stage.ground.center;
  if (stage.sky.has_sun()) entries_.push_back({Kind::sun, 0, luminance(stage.sky.sun_light)});
  for (std::size_t i = 0; i < stage.panels.size(); ++i) {
    const Panel& p = stage.panels[i];
    const float area = 4 * p.half_u.cross(p.half_v).norm();
    entries_.push_back({Kind::panel, i, luminance(p.radiance) * area / (p.center - middle).squaredNorm()});
  }
  for (std::size_t i = 0; i < stage.lamps.size(); ++i) {
    const Lamp& l = stage.lamps[i];
    const float distance2 = std::max((l.center - middle).squaredNorm(), l.radius * l.radius);
    entries_.push_back({Kind::lamp, i, luminance(l.radiance) * kPi * l.radius * l.radius / distance2});
  }
  float sum = 0;
  for (const Entry& entry : entries_) sum += entry.share;
  for (Entry& entry : entries_) entry.share = sum > 0 ? entry.share / sum : 1 / static_cast<float>(entries_.size());
}

LightSample Lights::sample(const Vec3f& point, float choice, const Vec2f& u) const {
  std::size_t i = 0;
  while (i + 1 < entries_.size() && choice >= entries_[i].share) choice -= entries_[i++].share;
  LightSample light = sample_entry(entries_[i], point, u);
  light.pdf *= entries_[i].share;
  return light;
}

LightSample Lights::sample_entry(const Entry& entry, const Vec3f& point, const Vec2f& u) const {
  LightSample light;
  switch (entry.kind) {
    case Kind::sun: {
      const float cap = one_minus_cos(stage_.sky.sun_radius);
      light.direction = Axes(stage_.sky.sun).to_world(cone_direction(1 - cap, u));
      light.radiance = stage_.sky.sun_radiance();
      light.pdf = 1 / (2 * kPi * cap);
      break;
    }
    case Kind::panel: {
      const Panel& p = stage_.panels[entry.index];
      const Vec3f to = p.center + (2 * u.x() - 1) * p.half_u + (2 * u.y() - 1) * p.half_v - point;
      const Vec3f area = 4 * p.half_u.cross(p.half_v);
      light.distance = to.norm();
      light.direction = to / light.distance;
      const float facing = -light.direction.dot(area);  // m^2 seen
      if (facing <= 0) return light;
      light.radiance = p.radiance;
      light.pdf = light.distance * light.distance / facing;
      break;
    }
    case Kind::lamp: {
      const Lamp& l = stage_.lamps[entry.index];
      const Vec3f to = l.center - point;
      const float distance2 = to.squaredNorm(), r2 = l.radius * l.radius;
      if (distance2 <= r2 * 1.0001f) return light;
      const float cos_edge = std::sqrt(1 - r2 / distance2);
      const float cap = (r2 / distance2) / (1 + cos_edge);  // 1 - cos_edge
      light.direction = Axes(to / std::sqrt(distance2)).to_world(cone_direction(1 - cap, u));
      light.distance = meet_sphere({point, light.direction}, l.center, l.radius);
      if (light.distance == kFar) light.distance = to.dot(light.direction);  // grazing
      light.radiance = l.radiance;
      light.pdf = 1 / (2 * kPi * cap);
      break;
    }
  }
  return light;
}

LightSample Lights::met(const Ray& ray, float far, bool from_camera) const {
  LightSample light;
  light.distance = far;
  for (const Entry& entry : entries_) {
    switch (entry.kind) {
      case Kind::sun: {
        if (far != kFar || light.distance != kFar) break;
        const float cap = one_minus_cos(stage_.sky.sun_radius);
        if (1 - ray.direction.dot(stage_.sky.sun) > cap) break;
        light.radiance = stage_.sky.sun_radiance();
        light.pdf = entry.share / (2 * kPi * cap);
        break;
      }
      case Kind::panel: {
        if (from_camera) break;
        const Panel& p = stage_.panels[entry.index];
        const Vec3f area = 4 * p.half_u.cross(p.half_v);
        const float facing = -ray.direction.dot(area);
        if (facing <= 0) break;
        const float t = -(p.center - ray.origin).dot(area) / facing;
        if (t <= 0 || t >= light.distance) break;
        const Vec3f at = ray.origin + t * ray.direction - p.center;
        if (std::abs(at.dot(p.half_u)) > p.half_u.squaredNorm() || std::abs(at.dot(p.half_v)) > p.half_v.squaredNorm())
          break;
        light = {ray.direction, t, p.radiance, entry.share * t * t / facing};
        break;
      }
      case Kind::lamp: {
        const Lamp& l = stage_.lamps[entry.index];
        const float t = meet_sphere(ray, l.center, l.radius);
        if (t >= light.distance) break;
        const float ratio = l.radius * l.radius / (l.center - ray.origin).squaredNorm();
        const float cap = ratio / (1 + std::sqrt(std::max(0.0f, 1 - ratio)));
        light = {ray.direction, t, l.radiance, entry.share / (2 * kPi * cap)};
        break;
      }
    }
  }
  return light;
}

}  // namespace sunder::render
