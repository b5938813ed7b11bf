// Surfaces (in OFF, the simplest format) filled with tetrahedra: coarsely, since every input takes a while.

#include "fuzz_target.h"
#include "meshfile/surface_formats.h"
#include "meshing/mesh_surface.h"
#include "use_mesh.h"

void sunder::fuzz::try_input(std::string_view input) {
  const TriangleMesh surface = read_off(input, "surface");
  Vec3 lower = surface.points.front(), upper = lower;
  for (const Vec3& x : surface.points) {
    lower = lower.cwiseMin(x);
    upper = upper.cwiseMax(x);
  }
  SurfaceMeshOptions options;
  options.edge = (upper - lower).norm() / 4;
  options.most_tets = 2000;
  use_mesh(mesh_surface(surface, options, "surface").soup);
}
