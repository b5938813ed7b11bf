#pragma once
// What the artist painted: every boundary face of a tet mesh carries the look of the surface it was made from.

#include <span>

#include "mesh/soup_boundary.h"
#include "mesh/tet_soup.h"
#include "mesh/triangle_mesh.h"
#include "meshing/features.h"
#include "meshing/repair_surface.h"

namespace sunder {

// Gives the faces of `boundary`, in its order, their skin: the nearest triangle of the input, its group as part, its
// texture coordinates, and its normals, or if it has none those of the surface, smooth within its sharp edges. The soup
// is in the frame of the repaired surface. All three corners of a face take their look from the part of the surface
// around its middle that has no seam of the texture, sharp edge or change of group in it, so that no face is stretched
// over a seam.
void add_surface_skin(TetSoup& soup, std::span<const SoupFace> boundary, const TriangleMesh& input,
                      const RepairedSurface& surface, const Features& features, const TriangleTree& tree);

}  // namespace sunder
