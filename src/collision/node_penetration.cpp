#include "collision/node_penetration.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <optional>
#include <tuple>

#include "collision/safe_travel.h"
#include "geometry/tetrahedron.h"
#include "geometry/triangle.h"

namespace sunder {
namespace {

constexpr int kLongestWalk = 12;  // tets; nodes that touch are not deep

TriangleCorners corners_of(const FaceNodes& face, const Column<NodeId, Vec3>& x) {
  return {x[face[0]], x[face[1]], x[face[2]]};
}

// Outward, the sum of the area vectors of the boundary faces at a node.
Vec3 surface_normal(std::span<const FaceNodes> faces, const Column<NodeId, Vec3>& x) {
  Vec3 sum = Vec3::Zero();
  for (const FaceNodes& n : faces) sum += area_vector(corners_of(n, x));
  return sum;
}

// How long a face is quiet that looks the same way as the node's own surface.
double safe_alike(const TriangleCorners& t, std::span<const FaceNodes> own, const Column<NodeId, Vec3>& x) {
  AreaVector face, surface;
  face.add(t);
  for (const FaceNodes& n : own) surface.add(corners_of(n, x));
  return safe_travel_alike(face, surface);
}

// How long a face is quiet that the node is in front of. Beside the face, the plane says little and the distance more.
double safe_in_front(const TriangleCorners& t, const Vec3& area, const Vec3& x, double reach) {
  const double safe = safe_travel_in_front(t, area, x);
  if (safe > 0.02 * reach) return safe;
  return std::max(safe, safe_travel_out_of_reach((closest_point(t, x).point - x).norm(), reach));
}

}  // namespace

TetId element_around(const TetMesh& mesh, const Column<NodeId, Vec3>& position, NodeId node, TetId start) {
  TetId tet = start;
  for (int hop = 0; hop < kLongestWalk; ++hop) {
    const auto b = barycentric_coordinates(mesh.corner_positions(tet, position), position[node]);
    if (!b) return {};
    const int lowest = static_cast<int>(std::min_element(b->begin(), b->end()) - b->begin());
    if ((*b)[static_cast<std::size_t>(lowest)] >= 0) return are_neighbours(mesh, node, tet) ? TetId() : tet;
    tet = mesh.neighbour({tet, lowest});
    if (!tet.valid()) return {};
  }
  return {};
}

void find_penetrations(const TetMesh& mesh, const Column<NodeId, Vec3>& position, NodeId node,
                       std::span<const FaceNodes> own, std::span<WatchedFace> faces, double travel, double reach,
                       std::vector<NodePenetration>& found) {
  struct WayOut {
    std::uint32_t face;
    double depth;
    TrianglePoint nearest;
    Vec3 area;
  };
  thread_local std::vector<WayOut> ways;
  ways.clear();
  const Vec3& x = position[node];
  std::optional<Vec3> own_normal;
  for (WatchedFace& watched : faces) {
    if (travel < watched.quiet_until) continue;
    const auto n = mesh.face_nodes(face_of(watched.face));
    const TriangleCorners t = corners_of(n, position);
    const Vec3 area = area_vector(t);
    if (!(area.dot(x - t[0]) < 0)) {
      watched.quiet_until = travel + safe_in_front(t, area, x, reach);
      continue;
    }
    if (!own_normal) own_normal = surface_normal(own, position);
    if (!(area.dot(*own_normal) < 0)) {
      watched.quiet_until = travel + safe_alike(t, own, position);
      continue;
    }
    const TrianglePoint nearest = closest_point(t, x);
    const double depth = (nearest.point - x).norm();
    watched.quiet_until = travel + safe_travel_out_of_reach(depth, reach);
    if (depth <= reach) ways.push_back({watched.face, depth, nearest, area});
  }
  std::sort(ways.begin(), ways.end(),
            [](const WayOut& a, const WayOut& b) { return std::tie(a.depth, a.face) < std::tie(b.depth, b.face); });
  // The shortest way out of each body that holds the node; bodies are told apart by their elements here.
  constexpr std::size_t kMost = 4;  // hardly ever more than one
  std::array<TetId, kMost> around;
  std::size_t count = 0;
  const auto is_known = [&](TetId tet) {
    return std::any_of(around.begin(), around.begin() + count,
                       [&](TetId known) { return share_a_node(mesh.corners(known), mesh.corners(tet)); });
  };
  for (const WayOut& way : ways) {
    const Corner face = face_of(way.face);
    if (count == kMost || is_known(face.tet)) continue;
    const TetId inside = element_around(mesh, position, node, face.tet);
    if (!inside.valid() || is_known(inside)) continue;
    around[count++] = inside;

    const auto n = mesh.face_nodes(face);
    NodePenetration& p = found.emplace_back();
    p.node = node;
    p.face = way.face;
    p.depth = way.depth;
    // At the very surface the way out is too short to have a direction.
    p.normal = way.depth > 1e-6 * std::sqrt(way.area.norm()) ? Vec3((way.nearest.point - x) / way.depth)
                                                             : Vec3(way.area.normalized());
    p.element = {n[0], n[1], n[2], mesh.node(face)};
    p.at_face = {way.nearest.weights[0], way.nearest.weights[1], way.nearest.weights[2], 0};
    p.at_node = p.at_face;
    const TetCorners seen_from_inside = {position[n[0]], position[n[2]], position[n[1]], position[mesh.node(face)]};
    const auto b = barycentric_coordinates(seen_from_inside, x);
    // Through a sliver the weights would be levers.
    if (!b || std::any_of(b->begin(), b->end(), [](double w) { return std::abs(w) >= 3; })) continue;
    p.at_node = {(*b)[0], (*b)[2], (*b)[1], (*b)[3]};
  }
}

}  // namespace sunder
