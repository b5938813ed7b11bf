#include "solvers/surface_iben06/display.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "core/parallel.h"

namespace sunder::surface_iben06 {
namespace {

// Lifts at the lips, and what is left of them further in: (1 - width^2 Laplacian) lift = 0 between lips that are held,
// by sweeps of Gauss-Seidel, which carry the lift inwards ring by ring.
std::vector<double> spread_lift(const Membrane& membrane, std::vector<double> lift, double width) {
  const TriMesh& mesh = membrane.mesh();
  const double decay = membrane.mean_edge() * membrane.mean_edge() / (width * width);
  const int sweeps = 4 + static_cast<int>(6 * width / membrane.mean_edge());
  for (int sweep = 0; sweep < sweeps; ++sweep) {
    for (const NodeId n : id_range<NodeId>(mesh.node_count())) {
      const auto links = membrane.links(n);
      if (lift[n.index] < 0 || links.empty()) continue;  // lips are marked below zero
      double sum = 0;
      for (const Membrane::Link& link : links) sum += std::abs(lift[link.node.index]);
      const auto count = static_cast<double>(links.size());
      lift[n.index] = sum / (count * (1 + decay));
    }
  }
  for (double& l : lift) l = std::abs(l);
  return lift;
}

// Triangles of a lip are slender, and one of their corners may move past the side opposite: a flap that hangs over. The
// corners of a triangle that is turned over, or nearly, move alike instead, by their mean; those of its neighbours may
// turn over then, so that is done until nothing does, or a few times.
void unfold(const TriMesh& mesh, std::vector<Vec3>& motion) {
  constexpr double kLeast = 0.3;  // of the area before, seen from above
  constexpr int kRounds = 12;
  for (int round = 0; round < kRounds; ++round) {
    bool done = true;
    for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) {
      const auto& [a, b, c] = mesh.corners(t);
      Vec3 &x = motion[a.index], &y = motion[b.index], &z = motion[c.index];
      const Vec3 u = mesh.position(b) - mesh.position(a), v = mesh.position(c) - mesh.position(a);
      const Vec3 before = u.cross(v), after = (u + y - x).cross(v + z - x);
      if (after.dot(before) >= kLeast * before.squaredNorm()) continue;
      x = y = z = (x + y + z) / 3;
      done = false;
    }
    if (done) return;
  }
}

}  // namespace

Displayed displayed(const Membrane& membrane, const DisplayRules& rules, double load) {
  const TriMesh& mesh = membrane.mesh();
  const double length = membrane.rules().length;
  const double most = rules.gap_limit * std::abs(load) * length;
  std::vector<Vec3> motion;
  motion.reserve(mesh.node_count());
  for (const NodeId n : id_range<NodeId>(mesh.node_count())) {
    const Joint& joint = membrane.joint(n);
    const double moved = joint.moved.norm();
    const double share = rules.gap * (moved > most ? most / moved : 1);
    motion.emplace_back(joint.frame * (share * joint.moved));  // (9)
  }
  unfold(mesh, motion);
  Displayed shown;
  shown.position.reserve(mesh.node_count());
  std::vector<double> lift(mesh.node_count(), 0);
  for (const NodeId n : id_range<NodeId>(mesh.node_count())) {
    shown.position.push_back(mesh.position(n) + motion[n.index]);
    if (rules.depth > 0) shown.wall.push_back(-rules.depth * membrane.joint(n).normal());
    if (!(rules.curl > 0)) continue;
    const TriMesh::Fan fan = mesh.fan(n);
    const bool lip = fan.open && (mesh.crack(TriMesh::clockwise_edge(fan.corners.front())) != 0 ||
                                  mesh.crack(TriMesh::counter_clockwise_edge(fan.corners.back())) != 0);
    if (lip) lift[n.index] = -std::max(1e-300, rules.curl * motion[n.index].norm());
  }
  if (rules.curl > 0) {
    lift = spread_lift(membrane, std::move(lift), rules.curl_width * std::min(length, 50 * membrane.mean_edge()));
    for (const NodeId n : id_range<NodeId>(mesh.node_count())) {
      shown.position[n.index] += lift[n.index] * membrane.joint(n).normal();
    }
  }
  return shown;
}

}  // namespace sunder::surface_iben06
