#pragma once
// The convex hull of points in space, by quickhull (Barber, Dobkin, Huhdanpaa 1996) on a fine grid of integers: every
// question of side is answered exactly, so that flat and doubled input can spoil nothing.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/vec.h"

namespace sunder {

struct ConvexHull {
  std::vector<std::uint32_t> points;                    // indices of the input that are corners, ascending
  std::vector<std::array<std::uint32_t, 3>> triangles;  // of indices into `points`, counter-clockwise from outside
};

// Points are told apart to 2^-38 of the largest extent. Faces with more than three corners come as several triangles in
// one plane. Empty if the points lie in a plane.
ConvexHull convex_hull(std::span<const Vec3> points);

}  // namespace sunder
