#include "meshing/disc_mesh.h"

#include <algorithm>

#include "meshing/triangulate_sheet.h"
#include "shapes/mapped_shapes.h"

namespace sunder {

TriangleMesh disc_mesh(const DiscShape& disc, double edge, std::uint64_t seed) {
  // The sheet of a cylinder is half way up it, at y = 0, whatever its height.
  const Mapping cylinder = map_shape(CylinderShape{disc.radius, disc.radius});
  const Sheet sheet = triangulate_sheet(cylinder, std::min(edge, cylinder.largest_edge), seed);
  TriangleMesh mesh;
  for (const SheetMesh::Vertex& vertex : sheet.mesh.vertices()) mesh.points.push_back(vertex.world);
  for (const SheetMesh::Triangle& t : sheet.mesh.triangles()) {
    mesh.triangles.push_back(t.corners);
    auto& uv = mesh.uvs.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) uv[k] = cylinder.texture(sheet.mesh.vertices()[t.corners[k]].chart);
  }
  return mesh;
}

}  // namespace sunder
