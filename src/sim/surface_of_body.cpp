#include "sim/surface_of_body.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.h"
#include "core/rotation.h"
#include "core/suggest.h"
#include "geometry/triangle.h"
#include "mesh/boundary_surface.h"
#include "meshfile/read_surface.h"
#include "meshing/disc_mesh.h"
#include "meshing/mesh_file.h"
#include "meshing/mesh_shape.h"
#include "meshing/repair_surface.h"
#include "sim/remesh_body.h"

namespace sunder {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;
// m: squares of areas, and numbers per metre, must stay within the doubles
constexpr double kSmallest = 1e-60, kLargest = 1e60;

// The numbers of points and triangles are the file's, as long as nothing is mended or meshed anew.
void require_finite_paint(const Scene& scene, std::size_t index, const TriangleMesh& model) {
  const CoatSpec& coat = spec_of(scene.bodies[index].coat);
  const auto refuse = [&](const char* key, const std::string& name, const char* what, std::size_t number) {
    throw InputError(
        scene.place(fmt::format("body[{}].coat.{}", index, key)),
        fmt::format("the value `{}` of {} {} of `{}` is not finite", name, what, number + 1, scene.bodies[index].name),
        "paint it anew");
  };
  const std::pair<const char*, const std::string*> wanted[] = {
      {"painted", &coat.painted}, {"once.painted", &coat.once.painted}, {"held", &coat.held}};
  for (const auto& [key, name] : wanted) {
    for (const PointAttribute& attribute : model.attributes) {
      if (attribute.name != *name) continue;
      for (const auto& t : model.triangles) {  // a point that no triangle uses may have any
        for (const std::uint32_t p : t) {
          if (!std::isfinite(attribute.values[p])) refuse(key, *name, "point", p);
        }
      }
    }
    for (const FaceAttribute& attribute : model.face_attributes) {
      if (attribute.name != *name) continue;
      for (std::size_t t = 0; t < attribute.values.size(); ++t) {
        if (!std::isfinite(attribute.values[t])) refuse(key, *name, "triangle", t);
      }
    }
  }
}

void require_size(const TriangleMesh& surface, double diagonal, const std::string& file) {
  double largest = 0;
  for (const Vec3& p : surface.points) largest = std::max(largest, p.cwiseAbs().maxCoeff());
  if (diagonal >= kSmallest && largest <= kLargest) return;
  throw InputError(
      {file},
      fmt::format("the model is {:g} m large and reaches out to {:g} m: cracks are between {:g} and {:g} m", diagonal,
                  largest, kSmallest, kLargest),
      "give it a `scale` (--unit of `sunder crack`)");
}

// The model's own triangles, welded, without those that have no area or are there twice.
TriangleMesh mended(const TriangleMesh& model, const std::string& file, const std::string& body,
                    std::vector<std::string>& warnings) {
  const RepairedSurface repaired = repair_surface(model, file);
  TriangleMesh surface;
  for (const Vec3& p : repaired.points) surface.points.push_back(repaired.centre + repaired.scale * p);
  require_size(surface, repaired.scale, file);
  surface.triangles = repaired.triangles;
  surface.group_names = model.group_names;
  for (const PointAttribute& attribute : model.attributes) {
    surface.attributes.push_back({attribute.name, std::vector<double>(surface.points.size(), 0)});
  }
  for (const FaceAttribute& attribute : model.face_attributes) surface.face_attributes.push_back({attribute.name, {}});
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    const std::uint32_t source = repaired.source[t];
    std::array<std::size_t, 3> corner = {0, 1, 2};
    if (repaired.is_turned[t] != 0) std::swap(corner[1], corner[2]);
    if (!model.groups.empty()) surface.groups.push_back(model.groups[source]);
    if (!model.uvs.empty()) {
      const auto& uv = model.uvs[source];
      surface.uvs.push_back({uv[corner[0]], uv[corner[1]], uv[corner[2]]});
    }
    for (std::size_t a = 0; a < model.face_attributes.size(); ++a) {
      surface.face_attributes[a].values.push_back(model.face_attributes[a].values[source]);
    }
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t from = model.triangles[source][corner[k]];
      for (std::size_t a = 0; a < model.attributes.size(); ++a) {
        surface.attributes[a].values[surface.triangles[t][k]] = model.attributes[a].values[from];
      }
    }
  }
  const auto note = [&](std::size_t count, const char* what) {
    if (count > 0) warnings.push_back(fmt::format("body \"{}\": {} triangles {}", body, count, what));
  };
  note(repaired.dropped, "without area were left out");
  note(repaired.doubled, "that are there twice were left out");
  note(repaired.turned, "were turned to face as their neighbours do");
  return surface;
}

// Moves points within the surface at random, so that triangles cut from a lattice lose its directions: cracks would
// follow them. Points at creases, where the triangles round them do not look the same way, stay.
void move_off_lattice(TriangleMesh& surface, std::uint64_t seed) {
  constexpr double kFarthest = 0.45;  // of the lowest height of the triangles round a point: none turns over
  constexpr double kSameWay = 0.9;    // cosine
  std::vector<Vec3> normal(surface.points.size(), Vec3::Zero());
  std::vector<double> height(surface.points.size(), 1e300);
  std::vector<std::uint8_t> crease(surface.points.size(), 0);
  const auto for_each_corner = [&](const auto& use) {
    for (const auto& t : surface.triangles) {
      const TriangleCorners x = {surface.points[t[0]], surface.points[t[1]], surface.points[t[2]]};
      const Vec3 area = area_vector(x);
      const double longest = std::max({(x[1] - x[0]).norm(), (x[2] - x[1]).norm(), (x[0] - x[2]).norm()});
      for (const std::uint32_t p : t) use(p, Vec3(area.stableNormalized()), 2 * area.norm() / longest);
    }
  };
  for_each_corner([&](std::uint32_t p, const Vec3& n, double h) {
    normal[p] += n;
    height[p] = std::min(height[p], h);
  });
  for (Vec3& n : normal) n = n.stableNormalized();
  for_each_corner([&](std::uint32_t p, const Vec3& n, double) {
    if (n.dot(normal[p]) < kSameWay) crease[p] = 1;
  });
  for (std::size_t p = 0; p < surface.points.size(); ++p) {
    if (crease[p] != 0) continue;
    const Vec3 u = normal[p].unitOrthogonal(), v = normal[p].cross(u);
    const double turn = 2 * std::numbers::pi * random_unit(seed, p, 0), far = std::sqrt(random_unit(seed, p, 1));
    surface.points[p] += kFarthest * far * height[p] * (std::cos(turn) * u + std::sin(turn) * v);
  }
}

TriangleMesh whole_surface(const Scene& scene, std::size_t index, std::vector<std::string>& warnings) {
  const BodySpec& body = scene.bodies[index];
  const std::uint64_t seed = random_bits(scene.seed, index);
  if (const auto* file = std::get_if<FileShape>(&body.shape)) {
    if (!file->is_surface()) return boundary_surface(mesh_file(*file, body.edge, seed).soup);
    TriangleMesh model = read_surface(file->path);
    require_finite_paint(scene, index, model);
    for (Vec3& p : model.points) p = placing(*file) * p;
    return mended(model, file->path.string(), body.name, warnings);
  }
  if (const auto* disc = std::get_if<DiscShape>(&body.shape)) return disc_mesh(*disc, body.edge, seed);
  try {
    TriangleMesh surface = boundary_surface(mesh_shape(body.shape, MeshOptions{body.edge, 1, seed}));
    if (!has_layers(body.shape) && !body.remesh) move_off_lattice(surface, random_bits(seed, 2));
    return surface;
  } catch (const InputError& error) {
    throw error.at(scene.place(fmt::format("body[{}].edge", index)));
  }
}

// The triangles of a group alone, with the points they use.
TriangleMesh part_of(const TriangleMesh& whole, std::uint32_t part) {
  TriangleMesh surface;
  std::vector<std::uint32_t> number(whole.points.size(), kNone), origin;
  std::vector<std::size_t> kept;  // triangles
  for (std::size_t t = 0; t < whole.triangles.size(); ++t) {
    if (part != kNone && whole.groups[t] != part) continue;
    auto& corners = surface.triangles.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      const std::uint32_t p = whole.triangles[t][k];
      if (number[p] == kNone) {
        number[p] = static_cast<std::uint32_t>(surface.points.size());
        surface.points.push_back(whole.points[p]);
        origin.push_back(p);
      }
      corners[k] = number[p];
    }
    if (!whole.uvs.empty()) surface.uvs.push_back(whole.uvs[t]);
    kept.push_back(t);
  }
  for (const PointAttribute& attribute : whole.attributes) {
    auto& values = surface.attributes.emplace_back(PointAttribute{attribute.name, {}}).values;
    for (const std::uint32_t p : origin) values.push_back(attribute.values[p]);
  }
  for (const FaceAttribute& attribute : whole.face_attributes) {
    auto& values = surface.face_attributes.emplace_back(FaceAttribute{attribute.name, {}}).values;
    for (const std::size_t t : kept) values.push_back(attribute.values[t]);
  }
  return surface;
}

std::size_t crowded_edges(const TriangleMesh& surface) {
  std::vector<std::pair<std::uint32_t, std::uint32_t>> edges;
  for (const auto& t : surface.triangles) {
    for (std::size_t k = 0; k < 3; ++k) edges.push_back(std::minmax({t[k], t[(k + 1) % 3]}));
  }
  std::sort(edges.begin(), edges.end());
  std::size_t crowded = 0;
  for (std::size_t i = 0, next = 0; i < edges.size(); i = next) {
    next = i + 1;
    while (next < edges.size() && edges[next] == edges[i]) ++next;
    if (next - i > 2) ++crowded;
  }
  return crowded;
}

}  // namespace

BodySurface surface_of_body(const Scene& scene, std::size_t index, std::vector<std::string>& warnings) {
  const BodySpec& body = scene.bodies[index];
  const TriangleMesh whole = whole_surface(scene, index, warnings);
  std::uint32_t part = kNone;
  if (!body.part.empty()) {
    const auto found = std::find(whole.group_names.begin(), whole.group_names.end(), body.part);
    if (found == whole.group_names.end() || whole.groups.empty()) {
      std::vector<std::string> names = whole.group_names;
      if (whole.groups.empty()) names.clear();
      std::erase(names, "");  // triangles before a file's first group
      throw InputError(scene.place(fmt::format("body[{}].part", index)),
                       fmt::format("the surface of `{}` has no part `{}`", body.name, body.part),
                       names.empty() ? "it is all one: leave `part` out" : suggestion(body.part, names));
    }
    part = static_cast<std::uint32_t>(found - whole.group_names.begin());
  }
  TriangleMesh wanted = part_of(whole, part);
  if (wanted.triangles.empty()) {
    throw InputError(scene.place(fmt::format("body[{}].shape", index)), "the surface has no triangles");
  }
  BodySurface surface;
  surface.crowded_edges = crowded_edges(wanted);
  if (body.remesh) wanted = remeshed(scene, index, wanted, warnings);
  const Mat3 rotation = rotation_matrix(body.rotation);
  for (const Vec3& p : wanted.points) surface.points.push_back(rotation * p + body.position);
  surface.triangles = std::move(wanted.triangles);
  surface.uvs = std::move(wanted.uvs);
  for (PointAttribute& attribute : wanted.attributes) {
    surface.attributes[attribute.name] = std::move(attribute.values);
  }
  for (FaceAttribute& attribute : wanted.face_attributes) {
    surface.face_attributes[attribute.name] = std::move(attribute.values);
  }
  return surface;
}

}  // namespace sunder
