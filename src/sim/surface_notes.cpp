#include "sim/surface_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "mesh/curvature.h"

namespace sunder {
namespace {

using surface_iben06::Membrane;

constexpr double kStraight = -0.9986;  // cosine of 177 degrees
constexpr double kLeastLength = 0.5;   // in mean edges: below that cells would be smaller than triangles
constexpr double kUsualLoad = 5;       // in units of toughness

std::size_t lines_through(const TriMesh& mesh, const TriMesh::Fan& fan, NodeId n, const Vec3& normal) {
  std::vector<Vec3> spokes;
  for (const Side corner : fan.corners) {
    const Vec3 spoke = mesh.position(mesh.clockwise_node(corner)) - mesh.position(n);
    spokes.emplace_back((spoke - spoke.dot(normal) * normal).stableNormalized());
  }
  std::size_t lines = 0;
  for (std::size_t i = 0; i < spokes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) lines += spokes[i].dot(spokes[j]) < kStraight ? 1 : 0;
  }
  return lines;
}

}  // namespace

double share_on_lines(const TriMesh& mesh) {
  const std::vector<Vec3> normals = node_normals(mesh);
  std::size_t inside = 0, regular = 0;
  TriMesh::Fan fan;
  for (const NodeId n : id_range<NodeId>(mesh.node_count())) {
    mesh.fan(n, fan);
    if (fan.open || fan.corners.empty()) continue;
    ++inside;
    regular += lines_through(mesh, fan, n, normals[n.index]) >= 2 ? 1 : 0;
  }
  return inside == 0 ? 0 : static_cast<double>(regular) / static_cast<double>(inside);
}

void note_surface(const Scene& scene, std::size_t index, const BodySurface& surface, const Membrane& membrane,
                  std::vector<std::string>& warnings) {
  const BodySpec& body = scene.bodies[index];
  const CoatSpec& coat = spec_of(body.coat);
  const std::string path = fmt::format("body[{}].coat", index);
  const double edge = membrane.mean_edge(), length = membrane.rules().length;
  if (length < kLeastLength * edge) {
    throw InputError(
        scene.place(path + ".length"),
        fmt::format("`length` is {:.3g} m, the edges of `{}` are {:.3g} m on average: cells would be smaller than "
                    "triangles",
                    length, body.name, edge),
        fmt::format("make `length` {:.2g} or more, or the triangles smaller", kGoodLength * edge));
  }
  const auto note = [&](const std::string& what) {
    warnings.push_back(fmt::format("body \"{}\": {}", body.name, what));
  };
  if (length < kGoodLength * edge) {
    note(
        fmt::format("`length` is {:.2g} edges: with less than {:g} cracks show the triangles; make it longer, or the "
                    "triangles smaller",
                    length / edge, kGoodLength));
  }
  if (coat.load_to > kUsualLoad) {
    note(fmt::format("`load_to` is {:g} times the toughness: all may crack to single triangles; 1.35 is usual",
                     coat.load_to));
  }
  if (const std::size_t crowded = surface.crowded_edges; crowded > 0) {
    note(fmt::format("{} edges have more than two triangles and were cut apart there; cracks do not cross them",
                     crowded));
  }
  if (const std::size_t slivers = membrane.slivers(); slivers > 0) {
    note(fmt::format(
        "{} triangles are slivers, twenty times as long as high or more: they hardly give way, and cracks may "
        "show them{}",
        slivers, body.remesh ? "" : "; `remesh = true` makes all triangles of similar size"));
  }
  if (std::holds_alternative<FileShape>(body.shape) && share_on_lines(membrane.mesh()) > kShareOfGrid) {
    note(
        "its triangles lie in a regular grid, whose lines cracks will follow; `remesh = true` makes even triangles "
        "without rows");
  }
}

}  // namespace sunder
