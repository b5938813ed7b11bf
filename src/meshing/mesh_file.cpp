#include "meshing/mesh_file.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include "core/error.h"
#include "mesh/validate.h"
#include "meshfile/read_surface.h"
#include "meshfile/read_tets.h"

namespace sunder {
namespace {

constexpr double kDefaultTets = 5000;

// Tets of mean edge e have a volume of about e^3 / 8.4. A surface that is open or overlaps has no volume to go by, and
// takes half its bounding box. If walls are one layer of stretched tets, there are three below each triangle of the
// outer half of the surface.
double default_surface_edge(const TriangleMesh& surface, bool one_layer) {
  double volume = 0, area = 0;
  Vec3 lower = surface.points.empty() ? Vec3(Vec3::Zero()) : surface.points.front(), upper = lower;
  for (const Vec3& p : surface.points) lower = lower.cwiseMin(p), upper = upper.cwiseMax(p);
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 x = surface.points[a] - lower, y = surface.points[b] - lower, z = surface.points[c] - lower;
    volume += x.dot(y.cross(z)) / 6;
    area += (y - x).cross(z - x).norm() / 2;
  }
  const double box = (upper - lower).prod();
  const double taken = std::abs(volume) > 0.01 * box && std::abs(volume) <= box ? std::abs(volume) : box / 2;
  const double even = std::cbrt(8.4 * taken / kDefaultTets);
  const double triangle = area / 2 * 3 / kDefaultTets;  // m^2
  return one_layer ? std::max(even, std::sqrt(4 / std::numbers::sqrt3 * triangle)) : even;
}

}  // namespace

Mat3 placing(const FileShape& file) {
  Mat3 turn = Mat3::Identity();
  if (file.up == UpAxis::z) turn << 1, 0, 0, 0, 0, 1, 0, -1, 0;
  if (file.up == UpAxis::x) turn << 0, -1, 0, 1, 0, 0, 0, 0, 1;
  return file.scale * turn;
}

FileMesh mesh_file(const FileShape& file, double edge, std::uint64_t seed, const MeshProgress& progress) {
  FileMesh result;
  const Mat3 place = placing(file);
  if (!file.is_surface()) {
    if (file.fill != FillOptions{}) {
      throw InputError({file.path.string()}, "a file of tetrahedra keeps those it has",
                       "`inside`, `sharp`, `walls` and `finer` are for surfaces: leave them out");
    }
    result.soup = read_tets(file.path);
    for (Vec3& point : result.soup.points) point = place * point;
    for (SkinFace& face : result.soup.skin) {
      for (Vec3& normal : face.skin.normals) normal = place / file.scale * normal;
    }
    require_valid_soup(result.soup, file.path.string());
    return result;
  }
  TriangleMesh surface = read_surface(file.path);
  for (Vec3& point : surface.points) point = place * point;
  for (auto& corners : surface.normals) {
    for (Vec3& normal : corners) normal = place / file.scale * normal;
  }
  SurfaceMeshOptions options;
  options.edge = edge > 0 ? edge : default_surface_edge(surface, file.fill.stretch > 0);
  options.fill = file.fill;
  options.seed = seed;
  options.progress = progress;
  if (!(options.edge > 0) || !std::isfinite(options.edge)) {
    throw InputError({file.path.string()}, "the surface encloses nothing", "it must bound a solid, if with holes");
  }
  SurfaceMesh mesh = mesh_surface(surface, options, file.path.string());
  result.soup = std::move(mesh.soup);
  result.surface = mesh.report;
  return result;
}

}  // namespace sunder
