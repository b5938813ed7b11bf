#pragma once
// Closed polygons in the plane: area, first moment, whether they cross themselves.

#include <span>

#include "core/vec.h"

namespace sunder {

double signed_area(std::span<const Vec2> loop);  // positive if counter-clockwise

// Volume of the solid that the area sweeps in a whole turn about the y axis (Pappus): 2 pi times the integral of x,
// with the sign of the area.
double revolved_volume(std::span<const Vec2> loop);

// The first two sides that touch or cross though they are not neighbours, or {-1, -1}. Quadratic.
struct SidePair {
  int first = -1, second = -1;
};
SidePair crossing_sides(std::span<const Vec2> loop);
// The same between two loops.
SidePair crossing_sides(std::span<const Vec2> a, std::span<const Vec2> b);

bool is_inside(const Vec2& x, std::span<const Vec2> loop);

// Distance from a point to the nearest side.
double distance_to_outline(const Vec2& x, std::span<const Vec2> loop);

}  // namespace sunder
