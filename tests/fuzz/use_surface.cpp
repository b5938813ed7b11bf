#include "use_surface.h"

#include "fuzz_target.h"
#include "meshing/repair_surface.h"

namespace sunder::fuzz {

void use_surface(const TriangleMesh& surface) {
  const std::size_t points = surface.points.size(), triangles = surface.triangles.size();
  for (const Vec3& x : surface.points) {
    if (!x.allFinite()) broken("a point is not finite");
  }
  for (const auto& triangle : surface.triangles) {
    for (const std::uint32_t point : triangle) {
      if (point >= points) broken("a triangle names a point that is not there");
    }
  }
  for (const std::size_t size : {surface.uvs.size(), surface.normals.size(), surface.groups.size()}) {
    if (size != 0 && size != triangles) broken("there is not one entry for each triangle");
  }
  for (const std::uint32_t group : surface.groups) {
    if (group >= surface.group_names.size()) broken("a triangle names a group that is not there");
  }
  for (const PointAttribute& attribute : surface.attributes) {
    if (attribute.values.size() != points) broken("an attribute has not one value for each point");
  }

  const RepairedSurface repaired = repair_surface(surface, "surface");
  for (const auto& triangle : repaired.triangles) {
    for (const std::uint32_t point : triangle) {
      if (point >= repaired.points.size()) broken("repair: a triangle names a point that is not there");
    }
  }
}

}  // namespace sunder::fuzz
