#pragma once
// A disc as irregular triangles of equal size, facing y.

#include <cstdint>

#include "mesh/triangle_mesh.h"
#include "shapes/shape.h"

namespace sunder {

// Edges are about `edge` (m); the rim has six at least. Texture coordinates run over the bounding box.
TriangleMesh disc_mesh(const DiscShape& disc, double edge, std::uint64_t seed);

}  // namespace sunder
