#include "sim/remesh_body.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/random.h"
#include "geometry/triangle.h"
#include "mesh/tri_mesh.h"
#include "meshing/even_surface.h"
#include "meshing/kept_lines.h"
#include "sim/surface_notes.h"
#include "spatial/triangle_tree.h"

namespace sunder {
namespace {

constexpr double kFewTriangles = 5000;  // with less there is hardly room for a pattern
// Triangles where neither `edge` nor `length` says how many: those of the model, within these.
constexpr double kFewestMade = 20'000, kMostMade = 100'000, kMostForLength = 4e5;
constexpr double kMostTriangles = 2e6;               // two minutes
constexpr double kNarrow = 0.01, kLongNeedle = 1e4;  // edges wide, and long: hardly meshed in two minutes, and ugly
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

// m, of its borders, sharp edges and seams: however narrow what lies between them, they are divided into edges.
double length_of_lines(const TriangleMesh& surface, double sharp, double edge) {
  const TriMesh mesh(surface.points, surface.triangles);
  const TriangleTree tree(surface.points, surface.triangles);
  double length = 0;
  for (const KeptCurve& curve : find_kept_lines(mesh, tree, surface.uvs, sharp, edge).curves) length += curve.length();
  return length;
}

// Without a wish: a fifth of the coat's length, or what gives a usual number of triangles. Ribbons and wires, whose
// triangles are not counted by their area, get longer edges.
double edge_for(const BodySpec& body, const TriangleMesh& surface, double area, double sharp) {
  if (body.edge > 0) return body.edge;
  const CoatSpec& coat = spec_of(body.coat);
  const bool by_length = coat.length && coat.substrate;
  const double edge =
      by_length
          ? std::clamp(*coat.length / kEdgesOfLength, edge_of_count(area, kMostForLength),
                       edge_of_count(area, kFewTriangles))
          : edge_of_count(area, std::clamp(static_cast<double>(surface.triangles.size()), kFewestMade, kMostMade));
  return std::max(edge, length_of_lines(surface, sharp, edge) / (by_length ? kMostForLength : kMostMade));
}

// InputError if so short edges would make too many triangles, or keep the mesher busy for minutes.
void require_possible(const Scene& scene, std::size_t index, const TriangleMesh& surface, double area, double sharp,
                      double edge) {
  double least = edge_of_count(area, kMostTriangles);
  double count = 4 / std::numbers::sqrt3 * area / (edge * edge);
  if (edge >= least) {  // few enough by the area: the lines may be looked at
    const double lines = length_of_lines(surface, sharp, edge);
    count = std::max(count, lines / edge);
    least = std::max(least, lines / kMostTriangles);
    if (lines > kLongNeedle * edge && area < kNarrow * edge * lines) {
      throw InputError(
          scene.place(fmt::format("body[{}].shape", index)),
          fmt::format("`{}` is a needle, {:.2g} m wide in the mean: no triangles with edges of {:.2g} m fit it",
                      scene.bodies[index].name, area / lines, edge),
          fmt::format("keep its triangles (no `remesh`; --keep-triangles of `sunder crack`), or give an "
                      "`edge` (--edge) of {:.2g} or more",
                      lines / kLongNeedle));
    }
  }
  if (edge >= least) return;
  throw InputError(scene.place(fmt::format("body[{}].edge", index)),
                   fmt::format("`{}` would be meshed with {:.3g} million triangles; the limit is {:g} million",
                               scene.bodies[index].name, count / 1e6, kMostTriangles / 1e6),
                   fmt::format("edge = {:.2g} would fit (--edge of `sunder crack`)", 1.1 * least));
}

double mean_edge(const TriangleMesh& surface) {
  double sum = 0;
  for (const auto& t : surface.triangles) {
    for (std::size_t k = 0; k < 3; ++k) sum += (surface.points[t[(k + 1) % 3]] - surface.points[t[k]]).norm();
  }
  return sum / (3 * static_cast<double>(surface.triangles.size()));
}

}  // namespace

TriangleMesh remeshed(const Scene& scene, std::size_t index, const TriangleMesh& surface,
                      std::vector<std::string>& warnings) {
  const BodySpec& body = scene.bodies[index];
  const double area = area_of(surface);
  const auto* file = std::get_if<FileShape>(&body.shape);
  EvenSurfaceOptions options;
  options.sharp = (file != nullptr ? file->fill.sharp : kSharpShape) * std::numbers::pi / 180;
  options.edge = edge_for(body, surface, area, options.sharp);
  options.seed = random_bits(scene.seed, index, 3);
  require_possible(scene, index, surface, area, options.sharp, options.edge);
  if (const CoatSpec& coat = spec_of(body.coat); coat.length && coat.substrate) {
    require_length(scene, index, *coat.length, options.edge);
  }
  TriangleMesh even = even_surface(surface, options);
  if (file != nullptr) {
    const double mean = mean_edge(even);
    const bool as_wanted = std::abs(mean - options.edge) <= 0.1 * options.edge;
    warnings.push_back(
        fmt::format("body \"{}\": its {} triangles were meshed anew: {} with edges of {:.3g} m{}", body.name,
                    surface.triangles.size(), even.triangles.size(), mean,
                    as_wanted ? "" : fmt::format(" in the mean, where {:.3g} m were wanted", options.edge)));
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
  if (static_cast<double>(mesh.triangle_count()) < kFewTriangles) {
    return fmt::format("it has {} triangles, few for a pattern of cracks", mesh.triangle_count());
  }
  return "";
}

}  // namespace sunder
