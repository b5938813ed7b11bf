#pragma once
// The first triangles of a sheet: its outline and creases, sampled at the edge length of the world, and nothing inside.

#include <cstdint>
#include <vector>

#include "meshing/sheet_mesh.h"
#include "shapes/mapping.h"

namespace sunder {

struct Sheet {
  SheetMesh mesh;
  std::vector<double> along;  // of the first vertices, those of the outline: how far round their loop, 0 to 1
};

// Labels of the edges of a ring domain; those of a polygon have the number of their loop, from 1.
inline constexpr SheetMesh::Index kInnerRing = 1, kOuterRing = 2, kCrease = 3;

// Points on the outline about `edge` (m) apart in the world, at w = 1/2. The seed turns the rings.
Sheet sheet_start(const Mapping& mapping, double edge, std::uint64_t seed);

}  // namespace sunder
