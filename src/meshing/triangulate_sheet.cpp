#include "meshing/triangulate_sheet.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <deque>
#include <numbers>
#include <optional>

#include "core/random.h"

namespace sunder {
namespace {

using Index = SheetMesh::Index;

struct Circle {
  std::array<double, 3> weights;  // barycentric coordinates of the centre
  double radius;
};

std::optional<Circle> circumcircle(const Vec3& a, const Vec3& b, const Vec3& c) {
  const double la = (b - c).squaredNorm(), lb = (c - a).squaredNorm(), lc = (a - b).squaredNorm();
  const std::array<double, 3> w = {la * (lb + lc - la), lb * (lc + la - lb), lc * (la + lb - lc)};
  const double sum = w[0] + w[1] + w[2];  // 16 area^2
  if (!(sum > 1e-12 * std::max({la * la, lb * lb, lc * lc}))) return std::nullopt;
  return Circle{{w[0] / sum, w[1] / sum, w[2] / sum}, std::sqrt(la * lb * lc / sum)};
}

double distance_to_segment(const Vec3& x, const Vec3& a, const Vec3& b) {
  const double t = std::clamp((x - a).dot(b - a) / (b - a).squaredNorm(), 0.0, 1.0);
  return (a + t * (b - a) - x).norm();
}

// Puts points into triangles that are too large or too long and narrow until none is left: Ruppert's refinement, but
// the points are scattered round the circumcentres, and triangles come up in no regular order.
class Refinement {
 public:
  Refinement(SheetMesh& mesh, double edge, std::uint64_t seed) : mesh_(mesh), edge_(edge), seed_(seed) {}

  void run() {
    for (Index t = 0; t < mesh_.triangles().size(); ++t) waiting_.push_back(t);
    const std::size_t most = 1000 + 20 * count_estimate();
    for (std::size_t inserted = 0; !waiting_.empty() && inserted < most;) {
      const Index t = waiting_.front();
      waiting_.pop_front();
      if (improve(t)) ++inserted;
    }
  }

 private:
  // 0.577 edge is the circumradius of the equilateral triangle; with this limit the mean edge comes out right.
  static constexpr double kLargestRadius = 0.76;   // of the edge length
  static constexpr double kNarrow = 1.35;          // circumradius over shortest edge: a smallest angle of 22 degrees
  static constexpr double kScatter = 0.35;         // of the circumradius
  static constexpr double kNearestVertex = 0.6;    // of the circumradius
  static constexpr double kNearestOutline = 0.45;  // of the length of the edge of the outline

  std::size_t count_estimate() const {
    double area = 0;
    for (Index t = 0; t < mesh_.triangles().size(); ++t) {
      area += (mesh_.world(t, 1) - mesh_.world(t, 0)).cross(mesh_.world(t, 2) - mesh_.world(t, 0)).norm() / 2;
    }
    return mesh_.triangles().size() + static_cast<std::size_t>(area / (edge_ * edge_));
  }

  bool improve(Index t) {
    const Vec3 a = mesh_.world(t, 0), b = mesh_.world(t, 1), c = mesh_.world(t, 2);
    const auto circle = circumcircle(a, b, c);
    const std::array<double, 3> sides = {(c - b).norm(), (a - c).norm(), (b - a).norm()};
    const double shortest = *std::min_element(sides.begin(), sides.end());
    const bool large = !circle || circle->radius > kLargestRadius * edge_;
    const bool narrow = !circle || circle->radius > kNarrow * shortest;
    if (!large && !narrow) return false;
    // Nearer to others than this no point goes: what it must have round it in the end.
    const double room = circle ? std::min(circle->radius, kLargestRadius * edge_) : kLargestRadius * edge_;
    if (circle) {
      const double turn = 2 * std::numbers::pi * random_unit(seed_, tries_, 0);
      const double far = kScatter * std::min(1.0, room / circle->radius) * std::sqrt(random_unit(seed_, tries_, 1));
      ++tries_;
      // A random step in the plane of the triangle, in barycentric coordinates.
      const Vec3 along = (b - a).normalized(), across = (b - a).cross(c - a).cross(along).normalized();
      const Vec3 step = far * circle->radius * (std::cos(turn) * along + std::sin(turn) * across);
      const Vec3 centre = circle->weights[0] * a + circle->weights[1] * b + circle->weights[2] * c;
      for (const Vec3& goal : {Vec3(centre + step), centre}) {
        if (try_point(t, weights_of(goal, a, b, c), room)) return true;
      }
    }
    // Otherwise the middle of the longest edge, then of the triangle.
    std::array<double, 3> middle = {0.5, 0.5, 0.5};
    middle[static_cast<std::size_t>(std::max_element(sides.begin(), sides.end()) - sides.begin())] = 0.02;
    middle = {middle[0] / 1.02, middle[1] / 1.02, middle[2] / 1.02};
    return try_point(t, middle, room) || try_point(t, {1.0 / 3, 1.0 / 3, 1.0 / 3}, room);
  }

  static std::array<double, 3> weights_of(const Vec3& x, const Vec3& a, const Vec3& b, const Vec3& c) {
    const Vec3 normal = (b - a).cross(c - a);
    const double area = normal.squaredNorm();
    const double wb = (x - a).cross(c - a).dot(normal) / area, wc = (b - a).cross(x - a).dot(normal) / area;
    return {1 - wb - wc, wb, wc};
  }

  bool try_point(Index t, const std::array<double, 3>& w, double room) {
    const Vec2 chart = w[0] * mesh_.chart(t, 0) + w[1] * mesh_.chart(t, 1) + w[2] * mesh_.chart(t, 2);
    const Index home = mesh_.locate(chart, t);
    if (home == SheetMesh::kNone) return false;
    const Vec3 x = mesh_.place(chart).world;
    for (int i = 0; i < 3; ++i) {
      if ((mesh_.world(home, i) - x).norm() < kNearestVertex * room) return false;
      if (too_near_outline(home, i, x)) return false;
      const Index beyond = mesh_.triangles()[home].neighbours[static_cast<std::size_t>(i)];
      if (beyond == SheetMesh::kNone) continue;
      for (int k = 0; k < 3; ++k) {
        if ((mesh_.world(beyond, k) - x).norm() < kNearestVertex * room || too_near_outline(beyond, k, x)) return false;
      }
    }
    const Index v = mesh_.insert(chart, home);
    if (v == SheetMesh::kNone) return false;
    for (const Index fresh : mesh_.triangles_round(v)) waiting_.push_back(fresh);
    return true;
  }

  bool too_near_outline(Index t, int side, const Vec3& x) const {
    if (mesh_.triangles()[t].labels[static_cast<std::size_t>(side)] == 0) return false;
    const Vec3 a = mesh_.world(t, (side + 1) % 3), b = mesh_.world(t, (side + 2) % 3);
    return distance_to_segment(x, a, b) < kNearestOutline * (b - a).norm();
  }

  SheetMesh& mesh_;
  double edge_;
  std::uint64_t seed_;
  std::uint64_t tries_ = 0;
  std::deque<Index> waiting_;
};

// Moves a free vertex towards the mean of the centres of the triangles round it, weighted with their areas (Lloyd).
void relax(SheetMesh& mesh, Index v, double floor) {
  Vec2 goal = Vec2::Zero();
  double sum = 0;
  for (const Index t : mesh.triangles_round(v)) {
    const double area = (mesh.world(t, 1) - mesh.world(t, 0)).cross(mesh.world(t, 2) - mesh.world(t, 0)).norm();
    // In a chart whose scale varies, the mean is taken over steps, each scaled as the triangle it leads into.
    goal += area * ((mesh.chart(t, 0) + mesh.chart(t, 1) + mesh.chart(t, 2)) / 3 - mesh.vertices()[v].chart);
    sum += area;
  }
  Vec2 step = goal / sum;
  for (int halvings = 0; halvings < 3; ++halvings, step /= 2) {
    if (mesh.move(v, mesh.vertices()[v].chart + step, floor)) return;
  }
}

}  // namespace

Sheet triangulate_sheet(const Mapping& mapping, double edge, std::uint64_t seed) {
  constexpr int rounds = 12;
  constexpr double good = 36 * std::numbers::pi / 180;  // triangles above it may lose some for evenness
  Sheet sheet = sheet_start(mapping, edge, seed);
  SheetMesh& mesh = sheet.mesh;
  Refinement(mesh, edge, seed).run();
  for (int round = 0; round < rounds; ++round) {
    for (Index v = 0; v < mesh.vertices().size(); ++v) {
      if (!mesh.vertices()[v].fixed) relax(mesh, v, good);
    }
    mesh.flip_to_best_angles();
  }
  return sheet;
}

}  // namespace sunder
