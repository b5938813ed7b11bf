#pragma once
// Where a picture is taken from.

#include <span>
#include <vector>

#include "core/vec.h"
#include "render/light_types.h"

namespace sunder::render {

struct Camera {
  Vec3 position = Vec3(0, 0, 1);
  Vec3 target = Vec3::Zero();
  double view_angle = 30;  // degrees, of the picture's height
  double aspect = 16.0 / 9;

  // Right, up and forward, one long each.
  Mat3 axes() const;
};

// Rays through a camera's picture; x and y run from 0 to 1, from left to right and from top to bottom.
class Lens {
 public:
  explicit Lens(const Camera& camera);
  Ray ray(float x, float y, float time) const;

 private:
  Vec3f origin_, right_, up_, forward_;  // right and up as long as half the picture at distance 1
};

// Where a point shows in the picture, as above; z is its distance along the view.
Vec3 project(const Camera& camera, const Vec3& point);

// The nearest camera that looks along `direction` and sees all points with a margin (share of the picture on every
// side). Some points are needed.
Camera frame_points(std::span<const Vec3> points, const Vec3& direction, double view_angle, double aspect,
                    double margin);

// The points without the few that flew far away: frames should show the body, not its dust.
std::vector<Vec3> without_runaways(std::span<const Vec3> points);

// Unit vector of a view from `azimuth` degrees round from the front (+z, towards +x), `height` degrees up, looking in.
Vec3 view_direction(double azimuth, double height);

}  // namespace sunder::render
