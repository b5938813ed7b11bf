#pragma once
// How far a mesh and the surface it was made from lie apart.

#include <span>

#include "mesh/soup_boundary.h"
#include "meshing/surface_distance.h"
#include "meshing/wall_thickness.h"

namespace sunder {

struct Deviation {
  double max = 0, mean = 0;            // of the boundary's points and middles of faces to the surface
  double back_max = 0, back_mean = 0;  // of samples of the surface to the boundary
  Vec3 back_place = Vec3::Zero();      // where the largest of those is
  double lost = 0;                     // part of the samples that lie farther than `far` from the boundary
  double filled = 0;  // part of the boundary's area that lies farther than `far` from the surface: closes holes
};

// Distances in the frame of both. Parts of the boundary that close holes do not count in max and mean.
Deviation surface_deviation(std::span<const Vec3> points, std::span<const SoupFace> boundary,
                            const SurfaceDistance& solid, std::span<const SurfaceSample> samples, double far);

}  // namespace sunder
