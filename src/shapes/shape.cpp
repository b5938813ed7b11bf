#include "shapes/shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.h"
#include "core/files.h"
#include "shapes/assembly.h"
#include "shapes/mapped_shapes.h"
#include "shapes/resolution.h"

namespace sunder {
namespace {

constexpr double kDefaultTets = 3000;  // or triangles

// Mean edge over cell size in a body-centred cubic mesh of some thousand tets.
constexpr double kEdgeOfCell = 0.94;
// Mean edge over the thickness of a shell in the mesh of a ball.
constexpr double kEdgeOfShell = 1.27;

// The edge for about kDefaultTets tets: counts fall as it grows, but in steps, and not where narrow places cap it.
template <class Count>
double edge_for_default_tets(double guess, const Count& count) {
  double low = guess * 1e-4, high = guess * 1e4;
  for (int i = 0; i < 60; ++i) {
    const double middle = std::sqrt(low * high);
    (count(middle) > kDefaultTets ? low : high) = middle;
  }
  return high;
}

// What the general mesher's work depends on.
struct PartMeasures {
  double volume, thickness;
};

std::vector<PartMeasures> measures_of(const UnionShape& assembly) {
  std::vector<PartMeasures> measures;
  for (const UnionPart& part : assembly.parts) {
    measures.push_back({exact_volume(shape_of(part)).value_or(0), thinnest(part.shape)});
  }
  return measures;
}

// Of the general mesher, which puts two cells of twelve tets through the thinnest wall of each part.
double assembled_tets(const std::vector<PartMeasures>& parts, double edge) {
  double sum = 0;
  for (const auto& [volume, thickness] : parts) {
    const double cell = std::min(edge / kEdgeOfCell, thickness / kCellsThroughWall);
    sum += 12 * volume / (cell * cell * cell);
  }
  return sum;
}

// Walls bring many tets whatever the edge; a longer one than suits the thickest part would only be cut down.
double default_assembly_edge(const std::vector<PartMeasures>& parts) {
  double thickest = 0;
  for (const PartMeasures& part : parts) thickest = std::max(thickest, part.thickness);
  const double useful = kEdgeOfCell * thickest / kCellsThroughWall;
  return std::min(useful, edge_for_default_tets(useful, [&](double edge) { return assembled_tets(parts, edge); }));
}

double mapped_tets(const std::vector<Mapping>& mappings, double edge, std::uint32_t layers) {
  double sum = 0;
  for (const Mapping& mapping : mappings) sum += mapped_tet_count(mapping, edge, layers);
  return sum;
}

void require_possible(const CapsuleShape& capsule) {
  if (capsule.height > 2 * capsule.radius) return;
  throw InputError({},
                   fmt::format("a capsule of height {:g} m leaves no room for two half balls of radius {:g} m",
                               capsule.height, capsule.radius),
                   "make `height` more than twice `radius`, or use a sphere");
}

// Triangles of sheets are nearly equilateral.
double disc_triangles(const DiscShape& disc, double edge) {
  return std::numbers::pi * disc.radius * disc.radius / (std::numbers::sqrt3 / 4 * edge * edge);
}

double default_box_edge(const BoxShape& box) {
  constexpr double cells = kDefaultTets / 12;
  std::array<double, 3> s = {box.size[0], box.size[1], box.size[2]};
  std::sort(s.begin(), s.end());
  // A direction shorter than a cell gets one cell, whatever its length.
  double cell = std::cbrt(s[0] * s[1] * s[2] / cells);
  if (s[0] < cell) cell = std::sqrt(s[1] * s[2] / cells);
  if (s[1] < cell) cell = s[2] / cells;
  // Whole numbers of cells may miss by far in thin boxes: take the best edge round about.
  double best_edge = kEdgeOfCell * cell, best_miss = std::numeric_limits<double>::infinity();
  for (const double factor : {1.0, 0.9, 1.1, 0.8, 1.2, 0.7, 1.35, 1.5}) {
    const double edge = factor * kEdgeOfCell * cell;
    const double miss = std::abs(std::log(estimated_tets(box, edge) / kDefaultTets));
    if (miss >= best_miss) continue;
    best_miss = miss;
    best_edge = edge;
  }
  return best_edge;
}

}  // namespace

bool FileShape::is_surface() const {
  const std::string ending = ending_of(path);
  constexpr std::array known = {".obj", ".ply", ".stl", ".off", ".gltf", ".glb"};
  return std::find(known.begin(), known.end(), ending) != known.end();
}

bool is_solid(const Shape& shape) { return !std::holds_alternative<DiscShape>(shape); }

void require_solid(const Shape& shape) {
  if (is_solid(shape)) return;
  throw InputError({}, "a disc is a sheet without thickness: nothing of it is solid",
                   "take a `cylinder`; a disc is for `solver` surface_iben06, and for `sunder crack`");
}

double default_edge(const Shape& shape) {
  constexpr double shells = 5.3;  // cube root of kDefaultTets / 20
  if (std::holds_alternative<FileShape>(shape)) return 0;
  if (const auto* disc = std::get_if<DiscShape>(&shape)) return std::sqrt(disc_triangles(*disc, 1) / kDefaultTets);
  if (const auto* box = std::get_if<BoxShape>(&shape)) return default_box_edge(*box);
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) return kEdgeOfShell * sphere->radius / shells;
  if (const auto assembly = assembly_of(shape)) return default_assembly_edge(measures_of(*assembly));
  const std::vector<Mapping> mappings = mappings_of(shape);
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) require_possible(*capsule);
  if (mappings.empty()) {
    const auto* ellipsoid = std::get_if<EllipsoidShape>(&shape);
    const double size = ellipsoid != nullptr ? ellipsoid->radii.maxCoeff() : std::get<CapsuleShape>(shape).height;
    return edge_for_default_tets(size, [&](double edge) { return estimated_tets(shape, edge); });
  }
  double area = 0, useful = 0;
  for (const Mapping& mapping : mappings) {
    area += mapping.area;
    useful = std::max(useful, mapping.largest_edge);
  }
  const double edge = edge_for_default_tets(std::sqrt(area), [&](double e) { return mapped_tets(mappings, e, 0); });
  return std::min(edge, useful);
}

double estimated_tets(const Shape& shape, double edge, std::uint32_t layers) {
  if (const auto* disc = std::get_if<DiscShape>(&shape)) return disc_triangles(*disc, edge);
  if (const auto* box = std::get_if<BoxShape>(&shape)) {
    if (is_thin(*box, edge)) return mapped_tets({map_shape(SlabShape{box->size})}, edge, layers);
    const auto n = box_cells(box->size, edge);
    return 12 * n[0] * n[1] * n[2];
  }
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) {
    const double n = ball_shells(sphere->radius, edge);
    return 20 * n * n * n;
  }
  if (const auto* ellipsoid = std::get_if<EllipsoidShape>(&shape)) {
    const double n = ball_shells(std::cbrt(ellipsoid->radii.prod()), edge);
    return 20 * n * n * n;
  }
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    const auto [shells, layers_between] = capsule_resolution(*capsule, edge);
    return 8 * shells * shells * shells + 3 * 4 * shells * shells * layers_between;
  }
  if (const auto assembly = assembly_of(shape)) return assembled_tets(measures_of(*assembly), edge);
  return mapped_tets(mappings_of(shape), edge, layers);
}

std::optional<double> exact_volume(const Shape& shape) {
  constexpr double ball = 4 * std::numbers::pi / 3;
  if (std::holds_alternative<FileShape>(shape) || is_assembly(shape) || !is_solid(shape)) return std::nullopt;
  if (const auto* box = std::get_if<BoxShape>(&shape)) return box->size.prod();
  if (const auto* sphere = std::get_if<SphereShape>(&shape)) return ball * std::pow(sphere->radius, 3);
  if (const auto* ellipsoid = std::get_if<EllipsoidShape>(&shape)) return ball * ellipsoid->radii.prod();
  if (const auto* capsule = std::get_if<CapsuleShape>(&shape)) {
    const double r = capsule->radius;
    return ball * r * r * r + std::numbers::pi * r * r * (capsule->height - 2 * r);
  }
  double sum = 0;
  for (const Mapping& mapping : mappings_of(shape)) sum += mapping.volume;
  return sum;
}

bool needs_edge(const Shape& shape) {
  const auto* file = std::get_if<FileShape>(&shape);
  return file == nullptr || file->is_surface();
}

bool is_assembly(const Shape& shape) {
  return std::holds_alternative<UnionShape>(shape) || std::holds_alternative<GobletShape>(shape) ||
         std::holds_alternative<TeapotShape>(shape);
}

bool has_layers(const Shape& shape) {
  return !(std::holds_alternative<BoxShape>(shape) || std::holds_alternative<SphereShape>(shape) ||
           std::holds_alternative<EllipsoidShape>(shape) || std::holds_alternative<CapsuleShape>(shape) ||
           std::holds_alternative<FileShape>(shape) || is_assembly(shape) || !is_solid(shape));
}

bool is_thin(const BoxShape& box, double edge) {
  constexpr double thin = 0.6;  // below it the flat cells of the lattice have flatter tets than prisms have
  constexpr double wide = 1.5;  // a rod has no sheet to triangulate
  std::array<double, 3> s = {box.size[0], box.size[1], box.size[2]};
  std::sort(s.begin(), s.end());
  return s[0] < thin * edge && s[1] > wide * edge;
}

}  // namespace sunder
