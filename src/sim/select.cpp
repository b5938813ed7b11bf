#include "sim/select.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>

#include "mesh/boundary.h"
#include "solvers/lattice_norton91/outer_faces.h"

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
std::vector<double> shares(const std::vector<NodeId>& nodes, std::span<const double> weight) {
  double sum = 0;
  for (const NodeId n : nodes) sum += weight[n.index];
  std::vector<double> result;
  for (const NodeId n : nodes) result.push_back(weight[n.index] / sum);
  return result;
}

}  // namespace

bool selects(const Selection& where, const Vec3& point) {
  return std::visit([&](const auto& s) { return inside(s, point); }, where);
}

Selectable selectable(const TetMesh& mesh, const Column<NodeId, Vec3>& position) {
  Selectable all;
  all.position.assign(position.begin(), position.end());
  all.volume.assign(mesh.node_slots(), 0), all.body.assign(mesh.node_slots(), 0);
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t)) continue;
    for (const NodeId n : mesh.corners(t)) {
      all.volume[n.index] += signed_volume(mesh.material_corners(t));
      all.body[n.index] = mesh.tags(t).body;
    }
  }
  for (const BoundaryFace& face : boundary_faces(mesh)) all.faces.push_back(face.nodes);
  return all;
}

Selectable selectable(std::span<const lattice_norton91::LatticeBody> bodies) {
  using namespace lattice_norton91;
  Selectable all;
  for (std::size_t b = 0; b < bodies.size(); ++b) {
    const auto first = static_cast<Index>(all.position.size());
    const HexSoup& soup = bodies[b].cells;
    all.position.insert(all.position.end(), soup.points.begin(), soup.points.end());
    all.volume.resize(all.position.size(), 0), all.body.resize(all.position.size(), static_cast<std::uint32_t>(b));
    for (const auto& cell : soup.cells) {
      CellCorners x;
      for (std::size_t i = 0; i < 8; ++i) x[i] = soup.points[cell[i]];
      for (const Index n : cell) all.volume[first + n] += cell_volume(x);
    }
    for (const std::array<Index, 4>& face : outer_faces(soup.cells)) {
      for (std::size_t i = 0; i < 4; ++i) {
        all.faces.push_back(
            {NodeId(first + face[i]), NodeId(first + face[(i + 1) % 4]), NodeId(first + face[(i + 2) % 4])});
      }
    }
  }
  all.cover = 2;
  return all;
}

Region resolve_region(const Scene& scene, std::size_t index, const Selectable& all) {
  const RegionSpec& spec = scene.regions[index];
  Region region;
  region.name = spec.name;
  region.kind = region_kind(spec.action);
  for (std::size_t a = 0; a < 3; ++a) region.axes[a] = spec.axes.find("xyz"[a]) != std::string::npos;
  region.velocity = spec.velocity;
  region.force = spec.force;
  region.pressure = spec.pressure / all.cover;
  region.start = spec.start;
  if (spec.end) region.end = *spec.end;

  const auto of_body = [&](NodeId n) {
    return all.volume[n.index] > 0 && (spec.body.empty() || scene.bodies[all.body[n.index]].name == spec.body);
  };
  const auto selected = [&](NodeId n) { return of_body(n) && selects(spec.where, all.position[n.index]); };

  std::vector<double> area(all.position.size(), 0);
  double total_area = 0;
  for (const auto& face : all.faces) {
    if (!std::all_of(face.begin(), face.end(), selected)) continue;
    region.faces.push_back(face);
    const Vec3& x = all.position[face[0].index];
    const Vec3 normal = (all.position[face[1].index] - x).cross(all.position[face[2].index] - x);
    const double a = (normal / 2).norm();
    for (const NodeId n : face) area[n.index] += a / 3;
    total_area += a;
  }
  Vec3 lower = Vec3::Constant(std::numeric_limits<double>::infinity()), upper = -lower;
  for (const NodeId n : id_range<NodeId>(all.position.size())) {
    if (!of_body(n)) continue;
    lower = lower.cwiseMin(all.position[n.index]);
    upper = upper.cwiseMax(all.position[n.index]);
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
  if (region.kind == Region::Kind::force) region.share = shares(region.nodes, total_area > 0 ? area : all.volume);
  if (region.kind != Region::Kind::pressure) region.faces.clear();
  return region;
}

}  // namespace sunder
