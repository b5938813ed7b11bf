#include "meshing/features.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "geometry/triangle.h"
#include "meshing/surface_edges.h"

namespace sunder {

double FeatureCurve::length() const {
  double sum = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) sum += (points[i + 1] - points[i]).norm();
  return sum;
}

Vec3 FeatureCurve::at(double arc_length) const {
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const double step = (points[i + 1] - points[i]).norm();
    if (arc_length <= step && step > 0)
      return points[i] + std::max(arc_length, 0.0) / step * (points[i + 1] - points[i]);
    arc_length -= step;
  }
  return points.back();
}

double FeatureCurve::nearest(const Vec3& x, double* distance) const {
  double best = std::numeric_limits<double>::infinity(), best_at = 0, before = 0;
  for (std::size_t i = 0; i + 1 < points.size(); ++i) {
    const Vec3 edge = points[i + 1] - points[i];
    const double step = edge.norm();
    const double s = step > 0 ? std::clamp((x - points[i]).dot(edge) / (step * step), 0.0, 1.0) : 0;
    const double d = (points[i] + s * edge - x).norm();
    if (d < best) {
      best = d;
      best_at = before + s * step;
    }
    before += step;
  }
  if (distance != nullptr) *distance = best;
  return best_at;
}

namespace {

using Index = std::uint32_t;
constexpr Index kNone = 0xffffffffu;

class FeatureFinder {
 public:
  FeatureFinder(const RepairedSurface& surface, const SurfaceDistance& solid, double angle, double size)
      : surface_(surface),
        points_(surface.points),
        solid_(solid),
        limit_(std::cos(angle)),
        size_(size),
        edges_(surface.triangles) {}

  Features find() {
    find_sharp_edges();
    find_corners();
    for (const auto& [corner, id] : corner_at_) {
      for (Index i = first_[corner]; i < first_[corner + 1]; ++i) {
        if (used_[at_[i]] == 0) walk(corner, at_[i]);
      }
    }
    // What is left are closed loops.
    for (Index e = 0; e < sharp_.size(); ++e) {
      if (used_[e] == 0) loop(e);
    }
    find_patches();
    return std::move(features_);
  }

 private:
  Vec3 normal(Index t) const {
    const auto& c = surface_.triangles[t];
    return area_vector({surface_.points[c[0]], surface_.points[c[1]], surface_.points[c[2]]}).normalized();
  }

  void find_sharp_edges() {
    is_sharp_.assign(3 * surface_.triangles.size(), 0);
    for (Index t = 0; t < surface_.triangles.size(); ++t) {
      for (int side = 0; side < 3; ++side) {
        const SurfaceEdges::Neighbour n = edges_.neighbour(t, side);
        if (n.triangle == kNone || n.triangle < t) continue;
        const Vec3 here = normal(t), there = (n.agrees ? 1 : -1) * normal(n.triangle);
        if (here.dot(there) >= limit_) continue;
        const std::size_t i = static_cast<std::size_t>(side);
        const Index a = surface_.triangles[t][i], b = surface_.triangles[t][(i + 1) % 3];
        if (!add_sharp_parts(a, b, here, there)) continue;
        mark(t, side);
        for (int k = 0; k < 3; ++k) {
          if (edges_.neighbour(n.triangle, k).triangle == t) mark(n.triangle, k);
        }
      }
    }
  }
  void mark(Index t, int side) { is_sharp_[3 * static_cast<std::size_t>(t) + static_cast<std::size_t>(side)] = 1; }

  // The parts of an edge that lie on the surface of the solid: a long edge may dive into another shell.
  bool add_sharp_parts(Index a, Index b, const Vec3& here, const Vec3& there) {
    const Vec3 outward = here + there;
    const double half_angle = std::acos(std::clamp(-here.dot(there), -1.0, 1.0)) / 2;  // of the solid at the edge
    const double reach = std::clamp(0.75 / std::tan(half_angle), 1.5, 3.5);
    const Vec3 from = points_[a], to = points_[b];
    constexpr double most_parts = 1000;
    const auto parts = static_cast<int>(std::clamp(std::ceil((to - from).norm() / size_), 1.0, most_parts));
    std::vector<std::uint8_t> good(static_cast<std::size_t>(parts));
    for (int i = 0; i < parts; ++i) {
      good[static_cast<std::size_t>(i)] = at_surface(from + (i + 0.5) / parts * (to - from), outward) ? 1 : 0;
    }
    const auto buried = std::count(good.begin(), good.end(), 0);
    if (buried == parts) return false;
    if (buried == 0) {
      sharp_.push_back({a, b});
      reach_.push_back(reach);
      return true;
    }
    Index before = a;
    for (int i = 0; i < parts; ++i) {
      Index next = b;
      if (i + 1 < parts) {
        next = static_cast<Index>(points_.size());
        points_.emplace_back(from + (i + 1.0) / parts * (to - from));
      }
      if (good[static_cast<std::size_t>(i)] != 0) {
        sharp_.push_back({before, next});
        reach_.push_back(reach);
      }
      before = next;
    }
    return true;
  }

  // Inside on one side and outside on the other: not buried in another shell, nor a fold of a sheet.
  bool at_surface(const Vec3& middle, const Vec3& outward) const {
    if (outward.norm() < 0.1) return false;  // a fold of nearly 180 degrees: no inside to speak of
    const Vec3 step = 0.05 * size_ * outward.normalized();
    return !solid_.inside(middle + step) && solid_.inside(middle - step);
  }

  void find_corners() {
    first_.assign(points_.size() + 1, 0);
    for (const auto& e : sharp_) {
      ++first_[e[0] + 1];
      ++first_[e[1] + 1];
    }
    for (std::size_t p = 0; p < points_.size(); ++p) first_[p + 1] += first_[p];
    at_.resize(2 * sharp_.size());
    std::vector<Index> next(first_.begin(), first_.end() - 1);
    for (Index e = 0; e < sharp_.size(); ++e) {
      at_[next[sharp_[e][0]]++] = e;
      at_[next[sharp_[e][1]]++] = e;
    }
    used_.assign(sharp_.size(), 0);
    for (Index p = 0; p < points_.size(); ++p) {
      const Index degree = first_[p + 1] - first_[p];
      if (degree == 0) continue;
      if (degree == 2) {
        const Vec3 a = points_[other_end(at_[first_[p]], p)] - points_[p];
        const Vec3 b = points_[other_end(at_[first_[p] + 1], p)] - points_[p];
        if (-a.normalized().dot(b.normalized()) >= limit_) continue;  // goes on nearly straight
      }
      corner_at_[p] = static_cast<Index>(features_.corners.size());
      features_.corners.push_back({points_[p], degree > 1});
    }
  }

  Index other_end(Index edge, Index p) const { return sharp_[edge][0] == p ? sharp_[edge][1] : sharp_[edge][0]; }

  // From a corner along sharp edges to the next one.
  void walk(Index from, Index edge) {
    FeatureCurve curve;
    curve.points.push_back(points_[from]);
    Index p = from;
    for (;;) {
      used_[edge] = 1;
      curve.reach = std::max(curve.reach, reach_[edge]);
      p = other_end(edge, p);
      curve.points.push_back(points_[p]);
      if (corner_at_.contains(p)) break;
      edge = at_[first_[p]] == edge ? at_[first_[p] + 1] : at_[first_[p]];
    }
    curve.ends = {corner_at_.at(from), corner_at_.at(p)};
    if (curve.ends[0] == curve.ends[1]) {
      cut_in_three(curve.points, curve.ends[0]);
    } else {
      features_.curves.push_back(std::move(curve));
    }
  }

  void loop(Index start) {
    std::vector<Vec3> points = {points_[sharp_[start][0]]};
    const Index first_point = sharp_[start][0];
    FeatureCurve curve;
    Index p = first_point, edge = start;
    do {
      used_[edge] = 1;
      curve.reach = std::max(curve.reach, reach_[edge]);
      p = other_end(edge, p);
      points.push_back(points_[p]);
      edge = at_[first_[p]] == edge ? at_[first_[p] + 1] : at_[first_[p]];
    } while (p != first_point);
    curve.points = std::move(points);
    features_.curves.push_back(std::move(curve));
  }

  // A chain that comes back to its first corner becomes three curves.
  void cut_in_three(const std::vector<Vec3>& points, Index corner) {
    FeatureCurve whole;
    whole.points = points;
    const double length = whole.length();
    Index from = corner;
    double done = 0;
    std::size_t i = 0;
    for (int part = 0; part < 3; ++part) {
      FeatureCurve curve;
      curve.points.push_back(points[i]);
      const double until = length * (part + 1) / 3;
      while (i + 1 < points.size() && (part == 2 || done < until || curve.points.size() < 2)) {
        done += (points[i + 1] - points[i]).norm();
        curve.points.push_back(points[++i]);
      }
      if (curve.points.size() < 2) return;
      Index to = corner;
      if (i + 1 < points.size()) {
        to = static_cast<Index>(features_.corners.size());
        features_.corners.push_back({points[i], false});
      }
      curve.ends = {from, to};
      features_.curves.push_back(std::move(curve));
      from = to;
    }
  }

  void find_patches() {
    features_.patch.assign(surface_.triangles.size(), kNone);
    std::vector<Index> waiting;
    Index patches = 0;
    for (Index start = 0; start < features_.patch.size(); ++start) {
      if (features_.patch[start] != kNone) continue;
      features_.patch[start] = patches;
      waiting = {start};
      while (!waiting.empty()) {
        const Index t = waiting.back();
        waiting.pop_back();
        for (int side = 0; side < 3; ++side) {
          const Index n = edges_.neighbour(t, side).triangle;
          if (n == kNone || features_.patch[n] != kNone) continue;
          if (is_sharp_[3 * static_cast<std::size_t>(t) + static_cast<std::size_t>(side)] != 0) continue;
          features_.patch[n] = patches;
          waiting.push_back(n);
        }
      }
      ++patches;
    }
    features_.patches = patches;
  }

  const RepairedSurface& surface_;
  std::vector<Vec3> points_;  // those of the surface, and places where sharp edges dive into it
  const SurfaceDistance& solid_;
  double limit_, size_;
  SurfaceEdges edges_;
  std::vector<std::uint8_t> is_sharp_;       // of every side of every triangle
  std::vector<std::array<Index, 2>> sharp_;  // points
  std::vector<double> reach_;                // of sharp edges
  std::vector<Index> first_, at_;            // sharp edges at each point
  std::vector<std::uint8_t> used_;
  std::map<Index, Index> corner_at_;  // point -> corner
  Features features_;
};

}  // namespace

Features find_features(const RepairedSurface& surface, const SurfaceDistance& solid, double angle, double size) {
  return FeatureFinder(surface, solid, angle, size).find();
}

}  // namespace sunder
