#include "sim/select.h"

#include <fmt/format.h>

#include <algorithm>

namespace sunder {
namespace {

bool inside(const BoxSelection& box, const Vec3& x) {
  return (x.array() >= box.min.array()).all() && (x.array() <= box.max.array()).all();
}
bool inside(const SphereSelection& sphere, const Vec3& x) { return (x - sphere.center).norm() <= sphere.radius; }
bool inside(const HalfSpaceSelection& half, const Vec3& x) { return (x - half.point).dot(half.normal) >= 0; }
bool inside(const EverywhereSelection&, const Vec3&) { return true; }

Region::Kind region_kind(RegionAction action) {
  switch (action) {
    case RegionAction::hold:
      return Region::Kind::hold;
    case RegionAction::move:
      return Region::Kind::move;
    case RegionAction::force:
      return Region::Kind::force;
    case RegionAction::pressure:
      return Region::Kind::pressure;
  }
  return Region::Kind::hold;
}

// Each node's share of a total force.
std::vector<double> shares(const std::vector<NodeId>& nodes, const Column<NodeId, double>& weight) {
  double sum = 0;
  for (const NodeId n : nodes) sum += weight[n];
  std::vector<double> result;
  for (const NodeId n : nodes) result.push_back(weight[n] / sum);
  return result;
}

}  // namespace

bool selects(const Selection& where, const Vec3& point) {
  return std::visit([&](const auto& s) { return inside(s, point); }, where);
}

Region resolve_region(const Scene& scene, std::size_t index, const TetMesh& mesh,
                      const std::vector<BoundaryFace>& surface, const Column<NodeId, Vec3>& position) {
  const RegionSpec& spec = scene.regions[index];
  Region region;
  region.name = spec.name;
  region.kind = region_kind(spec.action);
  for (std::size_t a = 0; a < 3; ++a) region.axes[a] = spec.axes.find("xyz"[a]) != std::string::npos;
  region.velocity = spec.velocity;
  region.force = spec.force;
  region.pressure = spec.pressure;
  region.start = spec.start;
  if (spec.end) region.end = *spec.end;

  // Weight of a node in the body the region means: its share of the volume. Zero means "not of this body".
  Column<NodeId, double> volume(mesh.node_slots(), 0.0);
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t)) continue;
    if (!spec.body.empty() && scene.bodies[mesh.tags(t).body].name != spec.body) continue;
    for (const NodeId n : mesh.corners(t)) {
      volume[n] += signed_volume(mesh.material_corners(t));
      lower = lower.cwiseMin(position[n]);
      upper = upper.cwiseMax(position[n]);
    }
  }
  const auto selected = [&](NodeId n) { return volume[n] > 0 && selects(spec.where, position[n]); };

  Column<NodeId, double> area(mesh.node_slots(), 0.0);
  double total_area = 0;
  for (const BoundaryFace& face : surface) {
    if (!std::all_of(face.nodes.begin(), face.nodes.end(), selected)) continue;
    region.faces.push_back(face.nodes);
    const double a = area_vector(face, position).norm();
    for (const NodeId n : face.nodes) area[n] += a / 3;
    total_area += a;
  }
  for (const NodeId n : id_range<NodeId>(mesh.node_slots())) {
    if (selected(n)) region.nodes.push_back(n);
  }

  const bool empty = region.kind == Region::Kind::pressure ? region.faces.empty() : region.nodes.empty();
  if (empty) {
    throw InputError(
        scene.place(fmt::format("region[{}].where", index)),
        fmt::format("region \"{}\" selects no {} of {}", spec.name,
                    region.kind == Region::Kind::pressure ? "boundary face" : "node",
                    spec.body.empty() ? "any body" : "body \"" + spec.body + "\""),
        fmt::format("the nodes lie between [{:.4g}, {:.4g}, {:.4g}] and [{:.4g}, {:.4g}, {:.4g}] at the start",
                    lower.x(), lower.y(), lower.z(), upper.x(), upper.y(), upper.z()));
  }
  if (region.kind == Region::Kind::force) region.share = shares(region.nodes, total_area > 0 ? area : volume);
  if (region.kind != Region::Kind::pressure) region.faces.clear();
  return region;
}

}  // namespace sunder
