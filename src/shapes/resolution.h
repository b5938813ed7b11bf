#pragma once
// How finely a shape is cut at an edge length: the meshers build what these counts say, and the estimates of how many
// tets that makes use the same ones. Counts are doubles so that absurd requests do not overflow.

#include <array>

#include "core/vec.h"

namespace sunder {

// Cells of the body-centred cubic mesh of a box along x, y and z, at least 1 each: as near to cubes as whole numbers
// allow, and such that the mean edge of the mesh is `edge`. 12 tets a cell.
std::array<double, 3> box_cells(const Vec3& size, double edge);

// Shells of the mesh of a ball, at least 1, such that the mean edge is `edge`. 20 n^3 tets.
double ball_shells(double radius, double edge);

}  // namespace sunder
