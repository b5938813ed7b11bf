#include "sim/surface_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/error.h"

namespace sunder {
namespace {

using surface_iben06::Membrane;

constexpr double kStraight = -0.9986;  // cosine of 177 degrees
constexpr double kRegular = 0.5;       // share_on_lines from which the grid shows
constexpr double kLeastLength = 0.5;   // in mean edges: below that cells would be smaller than triangles
constexpr double kGoodLength = 3;      // ... and from here on the mesh hardly shows
constexpr double kUsualLoad = 5;       // in units of toughness

std::size_t crowded_edges(const BodySurface& surface) {
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

std::size_t lines_through(const Membrane& membrane, NodeId n) {
  const TriMesh& mesh = membrane.mesh();
  std::vector<Vec2> spokes;
  for (const Side corner : membrane.fan(n)) {
    const NodeId end = mesh.corners(corner.triangle)[static_cast<std::size_t>((corner.index + 1) % 3)];
    spokes.emplace_back(
        (membrane.joint(n).frame.transpose() * (mesh.position(end) - mesh.position(n))).stableNormalized());
  }
  std::size_t lines = 0;
  for (std::size_t i = 0; i < spokes.size(); ++i) {
    for (std::size_t j = 0; j < i; ++j) lines += spokes[i].dot(spokes[j]) < kStraight ? 1 : 0;
  }
  return lines;
}

}  // namespace

double share_on_lines(const Membrane& membrane) {
  std::size_t inside = 0, regular = 0;
  for (const NodeId n : id_range<NodeId>(membrane.mesh().node_count())) {
    if (membrane.row(n).open) continue;
    ++inside;
    regular += lines_through(membrane, n) >= 2 ? 1 : 0;
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
  if (const std::size_t crowded = crowded_edges(surface); crowded > 0) {
    note(fmt::format("{} edges have more than two triangles and were cut apart there; cracks do not cross them",
                     crowded));
  }
  if (const std::size_t slivers = membrane.slivers(); slivers > 0) {
    note(fmt::format(
        "{} triangles are slivers, twenty times as long as high or more: they hardly give way, and cracks may "
        "show them; remesh the model to triangles of similar size",
        slivers));
  }
  if (std::holds_alternative<FileShape>(body.shape) && share_on_lines(membrane) > kRegular) {
    note(
        "its triangles lie in a regular grid, whose lines cracks will follow: remesh it first, to triangles without "
        "rows "
        "(an isotropic remesher, or points at random and their Delaunay triangles)");
  }
}

}  // namespace sunder
