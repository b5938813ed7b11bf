#pragma once
// Patterns of weakness (fracture/toughness_field.h) that need no more than a few numbers. All in the body's own axes,
// m.

#include <cstdint>
#include <functional>
#include <memory>

#include "core/vec.h"
#include "fracture/toughness_field.h"
#include "geometry/bounds.h"

namespace sunder {

// The same everywhere.
ToughnessPattern uniform_pattern();

// Random between 0 and 1: smooth over `length` (m), or each node by itself where that is 0.
ToughnessPattern noise_pattern(double length, std::uint64_t seed);

// A running bond: rows of bricks along x, one above the other along y, every second row shifted by half a brick. The
// pattern is the mortar between them. The first brick begins at `corner`.
ToughnessPattern brick_pattern(const Vec3& brick, double mortar, const Vec3& corner);

// A plane, as thick as `width`.
ToughnessPattern plane_pattern(const Vec3& point, const Vec3& normal, double width);

// Planes at equal distances along three axes: the lines of a bar of chocolate. 0: none along that axis.
ToughnessPattern grid_pattern(const Vec3& spacing, double width, const Vec3& corner);

// The walls between the cells of `count` random points in a box.
ToughnessPattern voronoi_pattern(std::uint32_t count, double width, std::uint64_t seed, const Bounds& box);

// A direction that wanders: by about `wobble` (radians), over `length` (m). Planes along it (fibres) or across it
// (layers).
ToughnessPattern direction_pattern(PatternPoint::Planes planes, const Vec3& direction, double wobble, double length,
                                   std::uint64_t seed);

// Where the second of two solids of one body was put on the first, from their signed distances: the surface of the
// first, as far as it runs through the second. So a handle comes off its cup along the cup's own surface.
using SignedDistance = std::function<double(const Vec3&)>;
ToughnessPattern joint_pattern(SignedDistance first, SignedDistance second, double width);

}  // namespace sunder
