#include "collision/node_penetration.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <tuple>

#include "geometry/tetrahedron.h"
#include "geometry/triangle.h"

namespace sunder {
namespace {

constexpr int kLongestWalk = 12;  // tets; nodes that touch are not deep

// Outward, the sum of the area vectors of the boundary faces at the node.
Vec3 surface_normal(const TetMesh& mesh, const Column<NodeId, Vec3>& x, NodeId node) {
  Vec3 sum = Vec3::Zero();
  for (const Corner c : mesh.star(node)) {
    for (int i = 0; i < 4; ++i) {
      if (i == c.index || mesh.neighbour({c.tet, i}).valid()) continue;
      const auto n = mesh.face_nodes({c.tet, i});
      sum += (x[n[1]] - x[n[0]]).cross(x[n[2]] - x[n[0]]);
    }
  }
  return sum;
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
                       std::span<const std::uint32_t> faces, double reach, std::vector<NodePenetration>& found) {
  struct WayOut {
    std::uint32_t face;
    double depth;
    TrianglePoint nearest;
    Vec3 area;
  };
  thread_local std::vector<WayOut> ways;
  ways.clear();
  const Vec3& x = position[node];
  Vec3 own_normal = Vec3::Zero();
  for (const std::uint32_t face : faces) {
    const auto n = mesh.face_nodes(face_of(face));
    const TriangleCorners t = {position[n[0]], position[n[1]], position[n[2]]};
    const Vec3 area = area_vector(t);
    if (!(area.dot(x - t[0]) < 0) || beyond_reach(area, x - t[0], reach)) continue;  // before it or deep: most are
    if (own_normal.isZero(0)) own_normal = surface_normal(mesh, position, node);
    if (!(area.dot(own_normal) < 0)) continue;
    const TrianglePoint nearest = closest_point(t, x);
    const double depth = (nearest.point - x).norm();
    if (depth <= reach) ways.push_back({face, depth, nearest, area});
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
