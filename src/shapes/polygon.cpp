// Extruded polygons.

#include <fmt/format.h>

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "shapes/distance.h"
#include "shapes/mapped_shapes.h"
#include "shapes/outline.h"
#include "shapes/prism.h"

namespace sunder {
namespace {

constexpr std::size_t kMostCorners = 1000;  // triangulating them takes time that grows with the square, or worse

void require_simple(const std::vector<Vec2>& loop, const std::string& name) {
  if (loop.size() < 3) throw InputError({}, fmt::format("{} has {} points, it needs 3", name, loop.size()));
  const SidePair crossing = crossing_sides(loop);
  if (crossing.first >= 0) {
    throw InputError({},
                     fmt::format("sides {} and {} of {} cross or touch", crossing.first + 1, crossing.second + 1, name),
                     "give its points in order, each once");
  }
}

}  // namespace

Mapping extruded(std::vector<PolygonDomain::Loop> loops, double depth, const PrismFrame& frame) {
  Mapping mapping;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    PolygonDomain::Loop& loop = loops[i];
    if ((signed_area(loop.points) > 0) != (i == 0)) {
      std::reverse(loop.points.begin(), loop.points.end());
      std::reverse(loop.corner.begin(), loop.corner.end());
    }
    mapping.area += signed_area(loop.points);
    loop.part = i == 0 ? "side" : "hole";
  }
  std::vector<std::vector<Vec2>> outlines;
  for (const auto& loop : loops) outlines.push_back(loop.points);
  mapping.domain = PolygonDomain{std::move(loops)};
  mapping.bottom = "back";
  mapping.top = "front";
  mapping.thickness = depth;
  mapping.volume = mapping.area * depth;
  const Vec2 centre = (frame.lower + frame.upper) / 2, size = frame.upper - frame.lower, lower = frame.lower;
  mapping.place = [=](const Vec2& x, double w) {
    return Vec3(x.x() - centre.x(), x.y() - centre.y(), (w - 0.5) * depth);
  };
  mapping.distance = [=](const Vec3& x) {
    const Vec2 in_plane(x.x() + centre.x(), x.y() + centre.y());
    return prism_distance(outline_distance(in_plane, outlines), std::abs(x.z()) - depth / 2);
  };
  mapping.texture = [=](const Vec2& x) { return Vec2((x - lower).cwiseQuotient(size)); };
  return mapping;
}

PrismFrame frame_of(std::span<const Vec2> points) {
  PrismFrame frame{points[0], points[0]};
  for (const Vec2& p : points) {
    frame.lower = frame.lower.cwiseMin(p);
    frame.upper = frame.upper.cwiseMax(p);
  }
  return frame;
}

Mapping map_shape(const PolygonShape& polygon) {
  std::vector<std::vector<Vec2>> loops = {polygon.points};
  loops.insert(loops.end(), polygon.holes.begin(), polygon.holes.end());
  std::size_t corners = 0;
  for (std::size_t i = 0; i < loops.size(); ++i) {
    const std::string name = i == 0 ? "the polygon" : fmt::format("hole {}", i);
    corners += loops[i].size();
    if (corners > kMostCorners) {
      throw InputError({}, fmt::format("the polygon has more than {} corners", kMostCorners), "leave some out");
    }
    require_simple(loops[i], name);
    for (std::size_t j = 0; j < i; ++j) {
      const bool apart = j == 0 ? is_inside(loops[i][0], loops[0])
                                : !is_inside(loops[i][0], loops[j]) && !is_inside(loops[j][0], loops[i]);
      if (!apart || crossing_sides(loops[i], loops[j]).first >= 0) {
        throw InputError(
            {},
            j == 0 ? fmt::format("{} is not inside the polygon", name) : fmt::format("holes {} and {} overlap", j, i),
            "move it");
      }
    }
  }
  std::vector<PolygonDomain::Loop> named;
  for (auto& loop : loops) named.push_back({std::move(loop), {}, ""});
  return extruded(std::move(named), polygon.depth, frame_of(polygon.points));
}

}  // namespace sunder
