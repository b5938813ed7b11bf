#pragma once
// What the artist painted: every boundary face of a tet mesh carries the look of the surface it was made from.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/vec.h"
#include "mesh/soup_boundary.h"
#include "mesh/triangle_mesh.h"
#include "meshing/features.h"
#include "meshing/repair_surface.h"

namespace sunder {

struct PaintedFace {
  std::uint32_t tet = 0;
  int corner = 0;                    // opposite the face
  std::uint32_t input_triangle = 0;  // nearest to the middle of the face
  std::uint32_t group = 0;           // of that triangle
  // At the corners of the face, counter-clockwise seen from outside (the order of kTetFaces).
  std::array<Vec2, 3> uv{};       // zero if the input has none
  std::array<Vec3, 3> normals{};  // unit vectors outwards: the input's, or smooth within its sharp edges
};

struct SurfaceSkin {
  std::vector<PaintedFace> faces;  // in the order of soup_boundary
  std::vector<std::string> group_names;
  bool has_uv = false;
};

// `points` of the tets are in the frame of the repaired surface. All three corners of a face take their look from the
// part of the surface around its middle that has no seam of the texture, sharp edge or change of group in it, so that
// no face is stretched over a seam.
SurfaceSkin surface_skin(std::span<const Vec3> points, std::span<const SoupFace> boundary, const TriangleMesh& input,
                         const RepairedSurface& surface, const Features& features, const TriangleTree& tree);

}  // namespace sunder
