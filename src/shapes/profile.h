#pragma once
// A wall of revolution: a curve in the half plane (r, y) that is turned about the y axis and thickened.

#include <span>
#include <string>
#include <vector>

#include "core/vec.h"
#include "shapes/mapping.h"

namespace sunder {

// Vertices (r, y) of the middle line of the wall, m. Corners become edges of the mesh; between corners the curve counts
// as smooth, and its vertices are samples.
struct Profile {
  std::vector<Vec2> points;
  std::vector<bool> corner;  // one for each point; ends do not matter
};

// All inner vertices are corners.
Profile polyline(std::span<const Vec2> points);
// Cubic Bezier curves end to end: 4, 7, 10, ... control points. Corners where the tangents of neighbours differ.
Profile bezier_profile(std::span<const Vec2> control);

// The wall: w = 0 on the right of the curve as it is walked from the axis or from its lower end (`outside`), w = 1 on
// the left (`inside`). Centred at the origin along y. InputError without a place if it cannot be built.
Mapping revolved_wall(const Profile& profile, double wall);

// The outline of the cross-section of that wall, before it is centred, unchecked.
std::vector<Vec2> wall_section(const Profile& profile, double wall);

// A full turn of a closed outline that stays clear of the axis, centred along y.
Mapping revolved_outline(const Profile& outline);

}  // namespace sunder
