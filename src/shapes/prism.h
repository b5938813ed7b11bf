#pragma once
// A polygon with holes, extruded along z: what extruded polygons and letters share.

#include <span>
#include <vector>

#include "core/vec.h"
#include "shapes/mapping.h"

namespace sunder {

// The rectangle that is centred at the origin, and that texture coordinates span.
struct PrismFrame {
  Vec2 lower, upper;
};
PrismFrame frame_of(std::span<const Vec2> points);

// The outline first, then holes, each either way round, parts not yet named; sound loops are the caller's business.
Mapping extruded(std::vector<PolygonDomain::Loop> loops, double depth, const PrismFrame& frame);

}  // namespace sunder
