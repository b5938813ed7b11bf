#include "meshing/union_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>

#include "core/random.h"
#include "core/rotation.h"
#include "mesh/boundary_surface.h"
#include "meshing/mesh_surface.h"
#include "shapes/resolution.h"

namespace sunder {
namespace {

constexpr double kFloor = 15.5;  // degrees: shapes keep 15 (docs/shapes.md)

// Adds the skin of a part where it is placed; groups are `PART-face`.
void add_surface(const TetSoup& soup, const UnionPart& part, TriangleMesh& all) {
  const TriangleMesh surface = boundary_surface(soup);
  const auto first = static_cast<std::uint32_t>(all.points.size());
  const Mat3 turn = rotation_matrix(part.rotation);
  for (const Vec3& p : surface.points) all.points.emplace_back(turn * p + part.position);
  for (const auto& [a, b, c] : surface.triangles) all.triangles.push_back({first + a, first + b, first + c});
  all.uvs.insert(all.uvs.end(), surface.uvs.begin(), surface.uvs.end());
  for (const std::uint32_t group : surface.groups) {
    all.groups.push_back(part_index(all.group_names, fmt::format("{}-{}", part.name, surface.group_names[group])));
  }
}

// All faces of all parts, also those that lie inside another part. Triangles are about half as long as the cells that
// the general mesher will use for an edge length.
TriangleMesh union_surface(const UnionShape& assembly, double edge, std::uint64_t seed) {
  constexpr double of_cell = 0.45;   // finer than cells, and round bodies turn by less than a sharp edge does
  constexpr double most_tets = 4e5;  // of one part, of which only the surface is used
  TriangleMesh all;
  for (std::size_t i = 0; i < assembly.parts.size(); ++i) {
    const UnionPart& part = assembly.parts[i];
    const Shape shape = shape_of(part);
    double fine = of_cell * std::min(edge, thinnest(part.shape) / kCellsThroughWall);
    while (estimated_tets(shape, fine, 0) > most_tets) fine *= 1.1;
    add_surface(mesh_shape(shape, fine, random_bits(seed, i)), part, all);
  }
  return all;
}

}  // namespace

TetSoup union_mesh(const UnionShape& assembly, const MeshOptions& options) {
  SurfaceMeshOptions wanted;
  wanted.edge = options.edge;
  wanted.seed = options.seed;
  wanted.sharp_floor = kFloor;
  SurfaceMesh mesh = mesh_surface(union_surface(assembly, options.edge, options.seed), wanted, "the union");
  TetSoup soup = std::move(mesh.soup);
  // Groups that lie inside other parts have no faces left.
  std::vector<std::string> seen;
  for (SkinFace& face : soup.skin) {
    face.skin.part = part_index(seen, soup.part_names[face.skin.part]);
    // Where parts meet, the mesh rounds the crease off; the normals of either part would show it ragged.
    face.skin.normals.fill(Vec3::Zero());
    face.skin.source = 0;  // there is no file
  }
  soup.part_names = std::move(seen);
  return soup;
}

}  // namespace sunder
