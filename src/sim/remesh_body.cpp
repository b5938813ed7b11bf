#include "sim/remesh_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.h"
#include "geometry/triangle.h"
#include "mesh/tri_mesh.h"
#include "meshing/even_surface.h"
#include "sim/surface_notes.h"

namespace sunder {
namespace {

constexpr double kFewTriangles = 5000;  // with less there is hardly room for a pattern
// Triangles where neither `edge` nor `length` says how many: those of the model, within these.
constexpr double kFewestMade = 20'000, kMostMade = 100'000, kMostForLength = 4e5;
constexpr double kMostTriangles = 2e6;  // two minutes
constexpr double kUneven = 0.5;     // spread of the edges' lengths over their mean; that of even triangles is near 0.15
constexpr double kSliver = 20;      // times as long as high
constexpr double kSharpShape = 40;  // degrees, of shapes; files have a key

double area_of(const TriangleMesh& surface) {
  double area = 0;
  for (const auto& [a, b, c] : surface.triangles) {
    area += area_vector({surface.points[a], surface.points[b], surface.points[c]}).norm();
  }
  return area;
}

// Of so many equilateral triangles on an area.
double edge_of_count(double area, double count) { return std::sqrt(4 / std::numbers::sqrt3 * area / count); }

double edge_for(const BodySpec& body, const TriangleMesh& surface, double area) {
  if (body.edge > 0) return body.edge;
  const CoatSpec& coat = spec_of(body.coat);
  if (coat.length && coat.substrate) {
    return std::clamp(*coat.length / kEdgesOfLength, edge_of_count(area, kMostForLength),
                      edge_of_count(area, kFewTriangles));
  }
  return edge_of_count(area, std::clamp(static_cast<double>(surface.triangles.size()), kFewestMade, kMostMade));
}

}  // namespace

TriangleMesh remeshed(const Scene& scene, std::size_t index, const TriangleMesh& surface,
                      std::vector<std::string>& warnings) {
  const BodySpec& body = scene.bodies[index];
  const double area = area_of(surface);
  EvenSurfaceOptions options;
  options.edge = edge_for(body, surface, area);
  if (options.edge < edge_of_count(area, kMostTriangles)) {
    throw InputError(
        scene.place(fmt::format("body[{}].edge", index)),
        fmt::format("`{}` would be meshed with {:.3g} million triangles; the limit is {:g} million", body.name,
                    4 / std::numbers::sqrt3 * area / (options.edge * options.edge) / 1e6, kMostTriangles / 1e6),
        fmt::format("edge = {:.2g} would fit", 1.1 * edge_of_count(area, kMostTriangles)));
  }
  const auto* file = std::get_if<FileShape>(&body.shape);
  options.sharp = (file != nullptr ? file->fill.sharp : kSharpShape) * std::numbers::pi / 180;
  options.seed = random_bits(scene.seed, index, 3);
  TriangleMesh even = even_surface(surface, options);
  if (file != nullptr) {
    warnings.push_back(fmt::format("body \"{}\": its {} triangles were meshed anew: {} with edges of {:.3g} m",
                                   body.name, surface.triangles.size(), even.triangles.size(), options.edge));
  }
  return even;
}

std::string why_remesh(const BodySurface& surface, std::optional<double> length) {
  const TriMesh mesh(surface.points, surface.triangles);
  if (share_on_lines(mesh) > kShareOfGrid)
    return "its triangles lie in a regular grid, whose lines cracks would follow";
  double sum = 0, squares = 0, slivers = 0;
  const double count = 3 * static_cast<double>(mesh.triangle_count());
  for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) {
    const TriangleCorners x = mesh.places(t);
    double longest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      const double edge = (x[(k + 1) % 3] - x[k]).norm();
      sum += edge, squares += edge * edge, longest = std::max(longest, edge);
    }
    slivers += kSliver * 2 * area_vector(x).norm() < longest * longest ? 1 : 0;
  }
  if (slivers > 0) return "some of its triangles are slivers, which hardly give way";
  const double mean = sum / count;
  if (squares / count - mean * mean > kUneven * kUneven * mean * mean) return "its triangles are of very unlike sizes";
  if (length && *length < kGoodLength * mean) return "its triangles are large for this length";
  if (!length && static_cast<double>(mesh.triangle_count()) < kFewTriangles) {
    return fmt::format("it has {} triangles, few for a pattern of cracks", mesh.triangle_count());
  }
  return "";
}

}  // namespace sunder
