// Walls of revolution by name: bowl, cup, vase, plate; and any profile.

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/error.h"
#include "shapes/mapped_shapes.h"
#include "shapes/profile.h"

namespace sunder {
namespace {

void require_thin(double wall, double size, const char* what) {
  if (wall < size / 2) return;
  throw InputError({}, fmt::format("a wall of {:g} m does not fit a {} of {:g} m", wall, what, size),
                   fmt::format("make `wall` smaller than half the {}", what));
}

// A curve drawn in units of radius and height, scaled so that the finished wall is `radius` wide and `height` high.
Profile fitted(std::span<const Vec2> control, double radius, double height, double wall) {
  constexpr int rounds = 8;  // each brings a factor of ten or more
  Vec2 scale(radius - wall / 2, height - wall);
  Profile profile;
  for (int round = 0; round < rounds; ++round) {
    std::vector<Vec2> scaled;
    for (const Vec2& p : control) scaled.emplace_back(p.cwiseProduct(scale));
    profile = bezier_profile(scaled);
    Vec2 low(0, 1e300), high(0, -1e300);
    for (const Vec2& p : wall_section(profile, wall)) {
      low = low.cwiseMin(p);
      high = high.cwiseMax(p);
    }
    scale += Vec2(radius - high.x(), height - (high.y() - low.y()));
    scale = scale.cwiseMax(wall / 2);
  }
  return profile;
}

}  // namespace

Mapping map_shape(const BowlShape& bowl) {
  require_thin(bowl.wall, bowl.radius, "radius");
  require_thin(bowl.wall, bowl.depth, "depth");
  // The middle line is a quarter of an ellipse; at bottom and rim the wall is exactly `wall` thick inside the bowl's
  // measures.
  constexpr int samples = 128;
  const double a = bowl.radius - bowl.wall / 2, b = bowl.depth - bowl.wall / 2;
  Profile profile;
  for (int i = 0; i <= samples; ++i) {
    const double angle = std::numbers::pi / 2 * i / samples;
    profile.points.emplace_back(i == 0 ? 0 : a * std::sin(angle), -b * std::cos(angle));
    profile.corner.push_back(false);
  }
  return revolved_wall(profile, bowl.wall);
}

Mapping map_shape(const CupShape& cup) {
  require_thin(cup.wall, cup.radius, "radius");
  require_thin(cup.wall, cup.height, "height");
  const std::vector<Vec2> control = {{0, 0},       {0.2, 0},    {0.4, 0},   {0.55, 0}, {0.75, 0},
                                     {0.83, 0.05}, {0.86, 0.2}, {0.9, 0.4}, {1, 0.7},  {1, 1}};
  return revolved_wall(fitted(control, cup.radius, cup.height, cup.wall), cup.wall);
}

Mapping map_shape(const VaseShape& vase) {
  require_thin(vase.wall, vase.radius, "radius");
  require_thin(vase.wall, vase.height, "height");
  // Flat foot, belly below the middle, neck, lip.
  const std::vector<Vec2> control = {{0, 0},      {0.15, 0},    {0.3, 0},  {0.42, 0},    {0.72, 0},
                                     {1, 0.2},    {1, 0.42},    {1, 0.66}, {0.46, 0.64}, {0.44, 0.82},
                                     {0.43, 0.9}, {0.52, 0.96}, {0.62, 1}};
  return revolved_wall(fitted(control, vase.radius, vase.height, vase.wall), vase.wall);
}

Mapping map_shape(const PlateShape& plate) {
  require_thin(plate.wall, plate.radius, "radius");
  constexpr double depth = 0.14;  // of the radius
  const std::vector<Vec2> control = {{0, 0},      {0.2, 0},   {0.4, 0},     {0.58, 0},    {0.7, 0},
                                     {0.7, 0.45}, {0.8, 0.7}, {0.86, 0.84}, {0.92, 0.94}, {1, 1}};
  return revolved_wall(fitted(control, plate.radius, depth * plate.radius + plate.wall, plate.wall), plate.wall);
}

Mapping map_shape(const RevolveShape& revolve) {
  const bool smooth = revolve.curve == CurveKind::bezier;
  Profile profile = smooth ? bezier_profile(revolve.profile) : polyline(revolve.profile);
  if (!revolve.closed) return revolved_wall(profile, revolve.wall);
  if (profile.points.front() == profile.points.back()) {
    profile.points.pop_back();
    profile.corner.pop_back();
  }
  if (profile.points.size() < 3) {
    throw InputError({}, "a closed profile needs at least 3 points", "add points, or set `closed = false`");
  }
  profile.corner.front() = true;
  return revolved_outline(profile);
}

}  // namespace sunder
