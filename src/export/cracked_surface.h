#pragma once
// A cracked surface as meshes and as a picture over its texture coordinates.

#include <string>

#include "frame/frame.h"
#include "mesh/triangle_mesh.h"
#include "render/image_file.h"

namespace sunder {

// As displayed, gaps open: group `outside`, and the walls of cracks as group `inside`.
TriangleMesh surface_with_walls(const Frame& frame);

// PLY with `crack` of every vertex (1 on cracks), and of every face `fragment` and, of the edge opposite each corner,
// crack_order_0 ... 2 (the number of the event, 0 for none) and crack_time_0 ... 2 (s).
std::string cracked_ply(const Frame& frame);

// Black cracks on white over u and v from 0 to 1, v upwards: a mask for bump, displacement or colour. Lines are `width`
// metres wide on the surface. UsageError if the surface has no texture coordinates.
render::Image crack_mask(const Frame& frame, int size, double width);

}  // namespace sunder
