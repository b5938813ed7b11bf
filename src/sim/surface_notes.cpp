#include "sim/surface_notes.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "core/error.h"
#include "mesh/curvature.h"

namespace sunder {
namespace {

using surface_iben06::Membrane;

constexpr double kStraight = -0.9986;  // cosine of 177 degrees
constexpr double kLeastLength = 0.5;   // in mean edges: below that cells would be smaller than triangles
constexpr double kUsualLoad = 5;       // in units of toughness
constexpr double kHugeStress = 20;     // in the same: blows stay below it
constexpr double kFarBlow = 2;         // radii: a fiftieth of its stress is left there

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

// m, between a place and the nearest triangle's middle.
double distance_to(const TriMesh& mesh, const Vec3& place) {
  double nearest = std::numeric_limits<double>::infinity();
  for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) {
    const TriangleCorners x = mesh.places(t);
    nearest = std::min(nearest, ((x[0] + x[1] + x[2]) / 3 - place).norm());
  }
  return nearest;
}

// Blows that hit nothing are most often in other units than the model.
std::string missed_blow(const TriMesh& mesh, const ImpactSpec& blow) {
  const double distance = distance_to(mesh, blow.point);
  if (distance <= kFarBlow * blow.radius) return "";
  Vec3 low = mesh.position(NodeId(0)), high = low;
  for (const NodeId n : id_range<NodeId>(mesh.node_count())) {
    low = low.cwiseMin(mesh.position(n));
    high = high.cwiseMax(mesh.position(n));
  }
  return fmt::format(
      "a blow at ({:.3g}, {:.3g}, {:.3g}) with a radius of {:.3g} m hits nothing: the surface is {:.3g} m away, "
      "between ({:.3g}, {:.3g}, {:.3g}) and ({:.3g}, {:.3g}, {:.3g}); all in metres",
      blow.point.x(), blow.point.y(), blow.point.z(), blow.radius, distance, low.x(), low.y(), low.z(), high.x(),
      high.y(), high.z());
}

// The largest stress, in units of toughness, of what acts once and of what grows, when it is fully grown.
double largest_stress(const Membrane& membrane, double load) {
  double largest = 0;
  for (const TriangleId t : id_range<TriangleId>(membrane.mesh().triangle_count())) {
    largest = std::max({largest, membrane.facet(t).once.norm(), load * membrane.facet(t).pattern.norm()});
  }
  return largest / std::numbers::sqrt2;  // the norm of even tension
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

void require_length(const Scene& scene, std::size_t index, double length, double edge) {
  if (length >= kLeastLength * edge) return;
  const BodySpec& body = scene.bodies[index];
  const bool own = std::holds_alternative<FileShape>(body.shape) && !body.remesh;
  throw InputError(
      scene.place(fmt::format("body[{}].coat.length", index)),
      fmt::format("`length` is {:.3g} m, the edges of `{}` are {:.3g} m on average: cells would be smaller than "
                  "triangles",
                  length, body.name, edge),
      fmt::format("make `length` (--length of `sunder crack`) {:.2g} or more, or {}", kGoodLength * edge,
                  own ? "the triangles smaller, as `remesh = true` (--remesh) does" : "`edge` (--edge) smaller"));
}

void note_surface(const Scene& scene, std::size_t index, const BodySurface& surface, const Membrane& membrane,
                  std::vector<std::string>& warnings) {
  const BodySpec& body = scene.bodies[index];
  const CoatSpec& coat = spec_of(body.coat);
  const std::string path = fmt::format("body[{}].coat", index);
  const double edge = membrane.mean_edge(), length = membrane.rules().length;
  require_length(scene, index, length, edge);
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
  } else if (const double largest = largest_stress(membrane, coat.load_to); largest > kHugeStress) {
    note(
        fmt::format("its sources bring up to {:.3g} times the toughness: all may crack to single triangles there; "
                    "numbers that are painted as bytes, 0 to 255, want a `painted_factor` of 0.004",
                    largest));
  }
  for (const StressSpec* sources : {static_cast<const StressSpec*>(&coat), &coat.once}) {
    for (const ImpactSpec& blow : sources->impacts) {
      if (const std::string missed = missed_blow(membrane.mesh(), blow); !missed.empty()) note(missed);
    }
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
