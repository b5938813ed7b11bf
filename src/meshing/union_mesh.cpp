#include "meshing/union_mesh.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/random.h"
#include "core/rotation.h"
#include "geometry/tetrahedron.h"
#include "meshing/mesh_surface.h"
#include "meshing/surface_sizing.h"

namespace sunder {
namespace {

constexpr double kFloor = 15.5 * std::numbers::pi / 180;  // shapes keep 15 degrees (docs/shapes.md)

// Adds the skin of a part where it is placed.
void add_surface(const TetSoup& soup, const UnionPart& part, TriangleMesh& all) {
  const Mat3 turn = rotation_matrix(part.rotation);
  std::vector<std::uint32_t> groups;
  for (const std::string& face : soup.part_names) {
    groups.push_back(part_index(all.group_names, fmt::format("{}-{}", part.name, face)));
  }
  constexpr std::uint32_t unseen = 0xffffffffu;
  std::vector<std::uint32_t> number(soup.points.size(), unseen);
  for (const SkinFace& face : soup.skin) {
    std::array<std::uint32_t, 3> triangle{};
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t p = soup.tets[face.tet][static_cast<std::size_t>(kTetFaces[face.face][k])];
      if (number[p] == unseen) {
        number[p] = static_cast<std::uint32_t>(all.points.size());
        all.points.emplace_back(turn * soup.points[p] + part.position);
      }
      triangle[k] = number[p];
    }
    all.triangles.push_back(triangle);
    all.uvs.push_back(face.skin.uv);
    all.groups.push_back(groups[face.skin.part]);
  }
}

}  // namespace

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
