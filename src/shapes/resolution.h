#pragma once
// How finely a shape is cut at an edge length: the meshers build what these counts say, and the estimates of how many
// tets that makes use the same ones. Counts are doubles so that absurd requests do not overflow.

#include <array>
#include <cstdint>

#include "core/vec.h"
#include "shapes/mapping.h"
#include "shapes/shape.h"

namespace sunder {

// Cells of the body-centred cubic mesh of a box along x, y and z, at least 1 each: as near to cubes as whole numbers
// allow, and such that the mean edge of the mesh is `edge`. 12 tets a cell.
std::array<double, 3> box_cells(const Vec3& size, double edge);

// Shells of the mesh of a ball, at least 1, such that the mean edge is `edge`. 20 n^3 tets.
double ball_shells(double radius, double edge);

// Shells of each half ball at the ends of a capsule, and layers of prisms between them.
struct CapsuleResolution {
  double shells, layers;
};
CapsuleResolution capsule_resolution(const CapsuleShape& capsule, double edge);

// Layers through the thickness of a mapped shape: `wanted`, or if that is 0 as many as keep the tets well shaped, at
// least 3 round a closed shape.
std::uint32_t layers_through(const Mapping& mapping, double edge, std::uint32_t wanted);

// Tets of a mapped shape, within a tenth or so.
double mapped_tet_count(const Mapping& mapping, double edge, std::uint32_t layers);

}  // namespace sunder
