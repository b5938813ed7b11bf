#include "meshing/mesh_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <variant>

#include "core/error.h"
#include "core/random.h"
#include "geometry/tetrahedron.h"
#include "meshing/ball_mesh.h"
#include "meshing/box_mesh.h"
#include "meshing/capsule_mesh.h"
#include "meshing/mapped_mesh.h"
#include "meshing/mesh_file.h"
#include "meshing/renumber.h"
#include "meshing/solid_skin.h"
#include "meshing/union_mesh.h"
#include "shapes/assembly.h"
#include "shapes/mapped_shapes.h"

namespace sunder {
namespace {

constexpr double kMostTets = 4e8;  // ids have 32 bits

// Adds the points and tets of one soup to another; parts of the same name become one.
void append(TetSoup& all, const TetSoup& more) {
  const auto first_point = static_cast<std::uint32_t>(all.points.size());
  const auto first_tet = static_cast<std::uint32_t>(all.tets.size());
  all.points.insert(all.points.end(), more.points.begin(), more.points.end());
  for (const auto& [a, b, c, d] : more.tets) {
    all.tets.push_back({first_point + a, first_point + b, first_point + c, first_point + d});
  }
  if (all.part_names.empty()) all.part_names = more.part_names;
  for (SkinFace face : more.skin) {
    face.skin.part = part_index(all.part_names, more.part_names[face.skin.part]);
    face.tet += first_tet;
    all.skin.push_back(face);
  }
}

struct Mesher {
  MeshOptions options;

  TetSoup operator()(const BoxShape& box) const {
    if (is_thin(box, options.edge)) return mapped(SlabShape{box.size});
    TetSoup soup = box_mesh(box.size, options.edge, options.seed);
    add_box_skin(soup, box.size);
    return soup;
  }
  TetSoup operator()(const SphereShape& sphere) const {
    return round(ball_mesh(sphere.radius, options.edge, options.seed));
  }
  TetSoup operator()(const EllipsoidShape& ellipsoid) const {
    const double radius = std::cbrt(ellipsoid.radii.prod());  // of the ball of the same volume
    TetSoup soup = ball_mesh(radius, options.edge, options.seed);
    for (Vec3& point : soup.points) point = point.cwiseProduct(ellipsoid.radii) / radius;
    return round(std::move(soup));
  }
  TetSoup operator()(const CapsuleShape& capsule) const {
    return round(capsule_mesh(capsule, options.edge, options.seed));
  }
  TetSoup operator()(const FileShape& file) const { return mesh_file(file, options.edge, options.seed).soup; }
  TetSoup operator()(const auto& shape) const {
    if (const auto assembly = assembly_of(shape)) return union_mesh(*assembly, options);
    return mapped(shape);
  }

  static TetSoup round(TetSoup soup) {
    add_round_skin(soup);
    return soup;
  }

  TetSoup mapped(const Shape& shape) const {
    TetSoup soup;
    std::uint64_t number = 0;
    for (const Mapping& mapping : mappings_of(shape)) {
      append(soup, mapped_tets(mapping, options.edge, options.layers, random_bits(options.seed, number++)));
    }
    require_volume(soup);
    return soup;
  }

  // Long edges on tight bends can turn the inner side of a wall inside out.
  static void require_volume(const TetSoup& soup) {
    for (const auto& [a, b, c, d] : soup.tets) {
      if (signed_volume({soup.points[a], soup.points[b], soup.points[c], soup.points[d]}) > 0) continue;
      throw InputError({}, "at this edge length some elements of the shape have no volume",
                       "Use a shorter edge, or make the shape less thick where it bends.");
    }
  }
};

MeshOptions with_edge(const Shape& shape, MeshOptions options) {
  require_solid(shape);
  if (options.edge == 0) options.edge = default_edge(shape);
  const double tets = estimated_tets(shape, options.edge, options.layers);
  if (!(tets <= kMostTets)) {
    throw InputError({}, fmt::format("an edge of {:g} m cuts the shape into about {:.3g} tets", options.edge, tets),
                     "Use a longer edge.");
  }
  return options;
}

}  // namespace

TetSoup mesh_shape(const Shape& shape, const MeshOptions& options) {
  return renumbered(std::visit(Mesher{with_edge(shape, options)}, shape));
}

HexSoup hex_shape(const Shape& shape, const MeshOptions& options) {
  require_solid(shape);
  const std::vector<Mapping> mappings = mappings_of(shape);
  if (mappings.empty()) {
    throw InputError({}, "hexahedra are made only of shapes that are meshed in layers",
                     "take a `slab` for a box, or tetrahedra");
  }
  const MeshOptions used = with_edge(shape, options);
  HexSoup soup;
  std::uint64_t number = 0;
  for (const Mapping& mapping : mappings) {
    const HexSoup piece = mapped_hexes(mapping, used.edge, used.layers, random_bits(used.seed, number++));
    const auto first = static_cast<std::uint32_t>(soup.points.size());
    soup.points.insert(soup.points.end(), piece.points.begin(), piece.points.end());
    for (auto cell : piece.cells) {
      for (std::uint32_t& p : cell) p += first;
      soup.cells.push_back(cell);
    }
  }
  return soup;
}

}  // namespace sunder
