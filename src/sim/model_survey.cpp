#include "sim/model_survey.h"

#include <Eigen/Geometry>
#include <cmath>
#include <utility>

#include "geometry/tetrahedron.h"
#include "mesh/boundary_surface.h"
#include "mesh/validate.h"
#include "meshing/mesh_file.h"
#include "meshing/mesh_shape.h"

namespace sunder {
namespace {

constexpr std::size_t kTets = 2500;  // a fall of so many takes about a minute of one core

}  // namespace

Vec3 ModelSurvey::extent() const {
  Vec3 lower = points.front(), upper = lower;
  for (const Vec3& p : points) lower = lower.cwiseMin(p), upper = upper.cwiseMax(p);
  return upper - lower;
}

ModelSurvey survey_model(const Shape& shape, double edge, std::uint64_t seed) {
  ModelSurvey survey;
  TetSoup soup;
  survey.edge = edge;
  if (const auto* file = std::get_if<FileShape>(&shape)) {
    FileMesh mesh = mesh_file(*file, edge, seed);
    if (!(edge > 0) && mesh.surface && mesh.soup.tets.size() > kTets) {
      // One layer of tets has fewer with the square of the edge.
      const bool thin = file->fill.stretch > 0 && mesh.surface->finest_edge < 0.999 * mesh.surface->edge;
      const double longer = std::pow(static_cast<double>(mesh.soup.tets.size()) / kTets, thin ? 1.0 / 2 : 1.0 / 3);
      mesh = mesh_file(*file, mesh.surface->edge * longer, seed);  // walls may keep it finer
    }
    soup = std::move(mesh.soup);
    if (mesh.surface) survey.edge = mesh.surface->edge;
  } else {
    if (!(edge > 0)) survey.edge = default_edge(shape);
    soup = mesh_shape(shape, survey.edge, seed);
  }
  for (const auto& [a, b, c, d] : soup.tets) {
    survey.volume += signed_volume({soup.points[a], soup.points[b], soup.points[c], soup.points[d]});
  }
  TriangleMesh surface = boundary_surface(soup);
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 &x = surface.points[a], &y = surface.points[b], &z = surface.points[c];
    survey.area += 0.5 * (y - x).cross(z - x).norm();
  }
  survey.points = std::move(surface.points);
  survey.tets = soup.tets.size();
  return survey;
}

}  // namespace sunder
