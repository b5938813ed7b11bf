#include "sim/toughness_of_scene.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <utility>

#include "core/random.h"
#include "core/rotation.h"
#include "fracture/toughness_patterns.h"
#include "geometry/bounds.h"
#include "meshfile/read_surface.h"
#include "shapes/assembly.h"
#include "shapes/signed_distance.h"
#include "sim/painted_pattern.h"
#include "sim/select.h"
#include "spatial/triangle_tree.h"

namespace sunder {
namespace {

constexpr double kRadians = std::numbers::pi / 180;

// By the material's constants; each body has its own noise.
Toughness base_of(const Scene& scene, std::size_t body) {
  const Material& material = scene.bodies[body].material;
  Toughness toughness;
  toughness.value = material.strength > 0 ? material.strength : material.toughness;
  toughness.measure = material.strength > 0 ? Toughness::Measure::stress : Toughness::Measure::force;
  toughness.spread = material.toughness_spread;
  toughness.grain = material.toughness_grain;
  if (toughness.spread > 0) {
    toughness.noise = toughness.grain > 0 ? Toughness::Noise::material : Toughness::Noise::node;
  }
  toughness.seed = random_bits(scene.seed, body, 1);
  return toughness;
}

// A surface and how to find the point of it that is nearest to another.
struct SearchedSurface {
  TriangleMesh mesh;
  TriangleTree tree;

  SearchedSurface(TriangleMesh surface, double scale)
      : mesh(scaled(std::move(surface), scale)), tree(mesh.points, mesh.triangles) {}

 private:
  static TriangleMesh scaled(TriangleMesh surface, double scale) {
    for (Vec3& point : surface.points) point *= scale;
    return surface;
  }
};

ToughnessPattern surface_pattern(const SurfacePattern& spec) {
  const auto surface = std::make_shared<const SearchedSurface>(read_surface(spec.path), spec.scale);
  return [surface, half = spec.width / 2](const Vec3& x, Uid) {
    const TriangleTree::Nearest nearest = surface->tree.nearest(x, half);
    if (nearest.triangle == TriangleTree::kNone) return PatternPoint{};
    const auto& [a, b, c] = surface->mesh.triangles[nearest.triangle];
    const std::vector<Vec3>& p = surface->mesh.points;
    const Vec3 normal = (p[b] - p[a]).cross(p[c] - p[a]);
    const double length = normal.norm();
    if (!(length > 0)) return PatternPoint{1, PatternPoint::Planes::all, Vec3::UnitX()};
    return PatternPoint{1, PatternPoint::Planes::across, normal / length};
  };
}

SignedDistance distance_of_part(const BodySpec& body, const std::string& name) {
  const UnionShape assembly = assembly_of(body.shape).value();
  for (const UnionPart& part : assembly.parts) {
    if (part.name != name) continue;
    return [distance = signed_distance(shape_of(part)), back = Mat3(rotation_matrix(part.rotation).transpose()),
            centre = part.position](const Vec3& x) { return distance(back * (x - centre)); };
  }
  return {};  // check_scene() has seen to it that there is one
}

// What a pattern is made from, for one body.
struct PatternMaker {
  const BodySpec& body;
  Bounds bounds;       // of the body, in its own axes
  std::uint64_t seed;  // of this table and body
  Place place;         // of the pattern in the scene

  ToughnessPattern operator()(const UniformPattern&) const { return uniform_pattern(); }
  ToughnessPattern operator()(const NoisePattern& p) const { return noise_pattern(p.length, own(p.seed)); }
  ToughnessPattern operator()(const BricksPattern& p) const { return brick_pattern(p.size, p.mortar, bounds.lower); }
  ToughnessPattern operator()(const PlanePattern& p) const { return plane_pattern(p.point, p.normal, p.width); }
  ToughnessPattern operator()(const GridPattern& p) const { return grid_pattern(p.spacing, p.width, bounds.lower); }
  ToughnessPattern operator()(const VoronoiPattern& p) const {
    return voronoi_pattern(p.cells > 0 ? p.cells : VoronoiPattern{}.cells, p.width, own(p.seed), bounds);
  }
  ToughnessPattern operator()(const SurfacePattern& p) const { return surface_pattern(p); }
  ToughnessPattern operator()(const JointPattern& p) const {
    return joint_pattern(distance_of_part(body, p.first), distance_of_part(body, p.second), p.width);
  }
  ToughnessPattern operator()(const GrainPattern& p) const {
    return direction_pattern(PatternPoint::Planes::along, p.direction, p.wobble * kRadians, p.length, own(p.seed));
  }
  ToughnessPattern operator()(const LayersPattern& p) const {
    return direction_pattern(PatternPoint::Planes::across, p.direction, p.wobble * kRadians, p.length, own(p.seed));
  }
  ToughnessPattern operator()(const PaintedPattern& p) const { return painted_pattern(p, body, place); }

 private:
  std::uint64_t own(std::uint64_t pattern_seed) const { return random_bits(seed, pattern_seed); }
};

ToughnessLayer layer_of(const ToughnessSpec& spec, const PatternMaker& maker) {
  ToughnessLayer layer;
  layer.pattern = std::visit(maker, spec.pattern);
  if (!std::holds_alternative<EverywhereSelection>(spec.where)) {
    layer.where = [where = spec.where](const Vec3& place) { return selects(where, place); };
  }
  layer.factor = {{0, spec.factor.value_or(std::numeric_limits<double>::infinity())}};
  if (!spec.keyframes.empty()) layer.factor.clear();
  for (const FactorKeyframeSpec& k : spec.keyframes) layer.factor.push_back({k.time, k.factor});
  const bool directional =
      std::holds_alternative<GrainPattern>(spec.pattern) || std::holds_alternative<LayersPattern>(spec.pattern);
  layer.pull = directional ? 1 : spec.pull;
  return layer;
}

// Where the body's own axes are.
ToughnessField field_of(const Scene& scene, std::size_t body) {
  ToughnessField field;
  field.rotation = rotation_matrix(scene.bodies[body].rotation);
  field.origin = scene.bodies[body].position;
  return field;
}

Vec3 own_place(const ToughnessField& field, const Vec3& x) { return field.rotation.transpose() * (x - field.origin); }

// `bounds`: of the body, in its own axes.
std::vector<ToughnessLayer> layers_of(const Scene& scene, std::size_t body, const Bounds& bounds) {
  std::vector<ToughnessLayer> layers;
  for (std::size_t i = 0; i < scene.toughness.size(); ++i) {
    const ToughnessSpec& spec = scene.toughness[i];
    if (!spec.body.empty() && spec.body != scene.bodies[body].name) continue;
    const PatternMaker maker{scene.bodies[body], bounds,
                             random_bits(random_bits(scene.seed, body, 3), static_cast<std::uint64_t>(i)),
                             scene.place(fmt::format("toughness[{}].pattern", i))};
    layers.push_back(layer_of(spec, maker));
  }
  return layers;
}

}  // namespace

std::vector<ToughnessField> toughness_fields(const Scene& scene, const TetMesh& mesh) {
  const std::size_t count = scene.bodies.size();
  std::vector<ToughnessField> fields;
  for (std::size_t b = 0; b < count; ++b) {
    fields.push_back(field_of(scene, b));
    fields[b].base = base_of(scene, b);
  }
  if (scene.toughness.empty()) return fields;
  std::vector<Bounds> bounds(count);
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    const std::uint32_t b = mesh.tags(t).body;
    for (const Vec3& x : mesh.material_corners(t)) bounds[b].add(own_place(fields[b], x));
  }
  for (std::size_t b = 0; b < count; ++b) fields[b].layers = layers_of(scene, b, bounds[b]);
  return fields;
}

ToughnessField weakness_of_lattice(const Scene& scene, std::size_t body, std::span<const Vec3> points) {
  ToughnessField field = field_of(scene, body);
  if (scene.toughness.empty()) return field;
  Bounds bounds;
  for (const Vec3& x : points) bounds.add(own_place(field, x));
  field.layers = layers_of(scene, body, bounds);
  return field;
}

}  // namespace sunder
