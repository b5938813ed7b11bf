#pragma once
// How thick a solid is behind its surface: a lattice mesher needs to know where its cells are too large for a wall.

#include <cstdint>
#include <vector>

#include "core/vec.h"
#include "meshing/features.h"
#include "meshing/repair_surface.h"
#include "meshing/surface_distance.h"

namespace sunder {

struct SurfaceSample {
  Vec3 point, inward;    // on the surface, and the unit vector from there into the solid
  double thickness = 0;  // along that vector, to where the solid ends
  bool wall = false;     // the surfaces face each other; not the tip of a wedge
  std::uint32_t triangle = 0;
};

// Samples spread evenly over the surface, about one on each square of `spacing`, but no more than `most`. Those that do
// not part inside from outside (buried in another shell, on a loose sheet) are left out.
std::vector<SurfaceSample> sample_thickness(const RepairedSurface& surface, const SurfaceDistance& solid,
                                            const Features& features, double spacing, std::size_t most);

}  // namespace sunder
