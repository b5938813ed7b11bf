#pragma once
// The boundary of tets as a surface of triangles, with all that its faces know.

#include "mesh/tet_soup.h"
#include "mesh/triangle_mesh.h"

namespace sunder {

// Points on the boundary, in their order; triangles in the order of soup_boundary(), counter-clockwise seen from
// outside. Groups are the parts; texture coordinates and normals are there if any face has them.
TriangleMesh boundary_surface(const TetSoup& soup);

}  // namespace sunder
