#pragma once
// Where rays meet a stage. The one place that sees Embree.

#include <memory>

#include "render/stage.h"

namespace sunder::render {

struct Hit {
  float distance = kFar;
  Vec3f point = Vec3f::Zero();
  Vec3f facet = Vec3f::UnitY();        // normal of the triangle, outwards, one long
  Vec3f normal = Vec3f::UnitY();       // smooth
  Vec3f smooth_point = Vec3f::Zero();  // where the curved surface would be that `normal` stands for; outside `facet`
  PaintId paint = 0;
  Color color = Color::Zero();  // the paint's, with tint and texture
  bool ground = false;
};

class RayScene {
 public:
  explicit RayScene(const Stage& stage);  // the stage must outlive it
  ~RayScene();
  RayScene(const RayScene&) = delete;
  RayScene& operator=(const RayScene&) = delete;

  // The first hit between `near` and `far`; false if there is none.
  bool nearest(const Ray& ray, float near, float far, Hit& hit) const;
  bool blocked(const Ray& ray, float near, float far) const;

  const Stage& stage() const { return stage_; }

 private:
  struct Embree;
  const Stage& stage_;
  std::unique_ptr<Embree> embree_;
};

}  // namespace sunder::render
