#include "fracture/surface_split.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace sunder {
namespace {

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }
double angle(const Vec2& a, const Vec2& b) { return std::atan2(std::abs(cross(a, b)), a.dot(b)); }

// Where one half of the line leaves the node's triangles: across the edge from a to b, or along the edge to a.
struct Ray {
  NodeId a, b;       // b is none along an edge
  double share = 0;  // of the way from a to b
};

class RayFinder {
 public:
  RayFinder(const TriMesh& mesh, NodeId node, const TangentFrame& frame, const SurfaceSplitRules& rules)
      : mesh_(mesh), origin_(mesh.position(node)), frame_(frame), rules_(rules), fan_(mesh.fan(node)) {
    if (!fan_.open) return;
    borders_ = {flat(mesh.clockwise_node(fan_.corners.front())),
                flat(mesh.counter_clockwise_node(fan_.corners.back()))};
    tip_ = is_crack_tip(mesh, fan_);
  }

  // The rays of a line; none if the node must not be split along it.
  std::vector<Ray> rays(const Vec2& line) const {
    std::vector<Ray> found;
    for (const Vec2& direction : {line, Vec2(-line)}) {
      if (const auto ray = along(direction)) found.push_back(*ray);
    }
    const bool same = found.size() == 2 && !found[0].b.valid() && !found[1].b.valid() && found[0].a == found[1].a;
    if (same || found.size() < (fan_.open ? 1u : 2u)) found.clear();
    return found;
  }

 private:
  Vec2 flat(NodeId node) const { return frame_.transpose() * (mesh_.position(node) - origin_); }

  bool keeps_clear(const Vec2& direction, double least) const {
    return std::all_of(borders_.begin(), borders_.end(),
                       [&](const Vec2& border) { return angle(border, direction) >= least; });
  }

  std::optional<Ray> along(const Vec2& direction) const {
    if (!keeps_clear(direction, tip_ ? rules_.tip_snap : rules_.crack_snap)) return std::nullopt;
    for (const Side corner : fan_.corners) {
      const NodeId a = mesh_.clockwise_node(corner), b = mesh_.counter_clockwise_node(corner);
      const Vec2 to_a = flat(a), to_b = flat(b);
      const double past_a = cross(to_a, direction), before_b = cross(direction, to_b);
      const bool between = past_a >= 0 && before_b >= 0 && past_a + before_b > 0 && direction.dot(to_a + to_b) > 0;
      if (between) return in_corner(corner, to_a, to_b, direction, past_a / (past_a + before_b));
    }
    return std::nullopt;  // it leaves the surface at once
  }

  std::optional<Ray> in_corner(Side corner, const Vec2& to_a, const Vec2& to_b, const Vec2& direction,
                               double share) const {
    const NodeId a = mesh_.clockwise_node(corner), b = mesh_.counter_clockwise_node(corner);
    struct Edge {
      NodeId end;
      bool inside;
      double angle;
    };
    const auto inside = [&](Side edge, const Vec2& to) {
      return mesh_.neighbour(edge).valid() && keeps_clear(to, rules_.crack_snap);
    };
    std::array<Edge, 2> edges = {{{a, inside(TriMesh::clockwise_edge(corner), to_a), angle(to_a, direction)},
                                  {b, inside(TriMesh::counter_clockwise_edge(corner), to_b), angle(to_b, direction)}}};
    if (edges[1].angle < edges[0].angle) std::swap(edges[0], edges[1]);
    for (const Edge& edge : edges) {
      if (edge.inside && edge.angle < rules_.edge_snap) return Ray{edge.end, NodeId(), 0};
    }
    double smallest = area_vector(mesh_.places(corner.triangle)).norm();
    if (const TriangleId other = mesh_.neighbour(corner); other.valid()) {
      smallest = std::min(smallest, area_vector(mesh_.places(other)).norm());
    }
    smallest *= std::min(share, 1 - share);
    if (smallest > 0 && smallest >= rules_.least_area) return Ray{a, b, share};
    for (const Edge& edge : edges) {
      if (edge.inside) return Ray{edge.end, NodeId(), 0};
    }
    return std::nullopt;
  }

  const TriMesh& mesh_;
  Vec3 origin_;
  const TangentFrame& frame_;
  const SurfaceSplitRules& rules_;
  TriMesh::Fan fan_;
  std::vector<Vec2> borders_;
  bool tip_ = false;
};

// The corner at `node` whose clockwise edge leads to `end`, and whose counter-clockwise edge to `next` if that is
// given.
std::optional<Side> corner_towards(const TriMesh& mesh, NodeId node, NodeId end, NodeId next = NodeId()) {
  for (const Side corner : mesh.fan(node).corners) {
    if (mesh.clockwise_node(corner) != end) continue;
    if (!next.valid() || mesh.counter_clockwise_node(corner) == next) return corner;
  }
  return std::nullopt;
}

}  // namespace

bool is_crack_tip(const TriMesh& mesh, const TriMesh::Fan& fan) {
  if (!fan.open) return false;
  const Side first = fan.corners.front(), last = fan.corners.back();
  const std::uint32_t event = mesh.crack(TriMesh::clockwise_edge(first));
  if (event == 0 || mesh.crack(TriMesh::counter_clockwise_edge(last)) == 0) return false;
  const NodeId a = mesh.clockwise_node(first), b = mesh.counter_clockwise_node(last);
  if (mesh.position(a) == mesh.position(b)) return true;
  // One side of a cut may have been split again since: then the edges overlap, and the fan goes all but round.
  const Vec3 to_a = mesh.position(a) - mesh.position(mesh.node(first)),
             to_b = mesh.position(b) - mesh.position(mesh.node(first));
  return to_a.cross(to_b).norm() < 1e-9 * to_a.norm() * to_b.norm() && to_a.dot(to_b) > 0;
}

SurfaceSplit split_surface(TriMesh& mesh, NodeId node, const TangentFrame& frame, const Vec2& normal,
                           const SurfaceSplitRules& rules, std::uint32_t event) {
  SurfaceSplit result;
  const std::vector<Ray> rays = RayFinder(mesh, node, frame, rules).rays(Vec2(-normal.y(), normal.x()));
  if (rays.empty()) return result;

  std::vector<NodeId> ends;
  for (const Ray& ray : rays) {
    if (!ray.b.valid()) {
      ends.push_back(ray.a);
      ++result.snapped;
      continue;
    }
    const auto corner = corner_towards(mesh, node, ray.a, ray.b);
    const TriMesh::EdgeSplit split = mesh.split_edge(*corner, ray.share);
    result.cut_edges.push_back({ray.a, ray.b, ray.share, split});
    ends.push_back(split.node);
  }
  const TriMesh::Fan star = mesh.fan(node);
  std::vector<TriMesh::Fan> end_stars;
  for (const NodeId end : ends) end_stars.push_back(mesh.fan(end));
  std::vector<Side> cuts;  // found before the first cut takes the fan apart
  for (const NodeId end : ends) cuts.push_back(TriMesh::clockwise_edge(*corner_towards(mesh, node, end)));
  for (const Side side : cuts) mesh.cut(side, event);
  for (const NodeId end : ends) {
    result.length += (mesh.position(end) - mesh.position(node)).norm();
    ++result.edges;
  }
  const auto separate = [&](NodeId n, const TriMesh::Fan& corners) {
    const std::vector<NodeId> copies = mesh.separate(n, corners.corners);
    for (const NodeId copy : copies) result.copies.emplace_back(copy, n);
    return !copies.empty();
  };
  separate(node, star);
  for (std::size_t i = 0; i < ends.size(); ++i) {
    if (!separate(ends[i], end_stars[i])) result.tips.push_back(ends[i]);
  }
  result.done = true;
  return result;
}

}  // namespace sunder
