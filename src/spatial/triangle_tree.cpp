#include "spatial/triangle_tree.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <numbers>
#include <numeric>

#include "core/parallel.h"

namespace sunder {
namespace {

constexpr std::uint32_t kLeafSize = 4;
constexpr int kDeepest = 60;         // more halvings than 32-bit counts allow; sizes of stacks
constexpr double kFar = 2.0;         // reaches away, a box counts as its moments; so do Barill et al.
constexpr std::size_t kBatch = 256;  // points a task

double squared_distance(const Vec3& lower, const Vec3& upper, const Vec3& x) {
  return (lower - x).cwiseMax(x - upper).cwiseMax(0.0).squaredNorm();
}

}  // namespace

TriangleTree::TriangleTree(std::span<const Vec3> points, std::span<const std::array<std::uint32_t, 3>> triangles)
    : order_(triangles.size()), corners_(triangles.size()) {
  std::iota(order_.begin(), order_.end(), 0u);
  std::vector<Vec3> centroids(triangles.size());
  for (std::size_t t = 0; t < triangles.size(); ++t) {
    const auto& [a, b, c] = triangles[t];
    centroids[t] = (points[a] + points[b] + points[c]) / 3;
  }
  if (triangles.empty()) return;
  nodes_.reserve(triangles.size());
  build(0, static_cast<std::uint32_t>(triangles.size()), centroids, 0);
  for (std::size_t i = 0; i < order_.size(); ++i) {
    const auto& [a, b, c] = triangles[order_[i]];
    corners_[i] = {points[a], points[b], points[c]};
  }
  // Children come behind their parents, so boxes are filled from the back.
  for (std::size_t n = nodes_.size(); n-- > 0;) fill(nodes_[n]);
}

std::uint32_t TriangleTree::build(std::uint32_t first, std::uint32_t count, std::span<const Vec3> centroids,
                                  int depth) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  nodes_[index].first = first;
  nodes_[index].count = count;
  if (count <= kLeafSize || depth >= kDeepest) return index;
  Vec3 lower = centroids[order_[first]], upper = lower;
  for (std::uint32_t i = first; i < first + count; ++i) {
    lower = lower.cwiseMin(centroids[order_[i]]);
    upper = upper.cwiseMax(centroids[order_[i]]);
  }
  int axis = 0;
  (upper - lower).maxCoeff(&axis);
  // Halves of equal size, whatever the triangles do; the index decides between equal centroids.
  const auto begin = order_.begin() + first, middle = begin + count / 2, end = begin + count;
  std::nth_element(begin, middle, end, [&](std::uint32_t a, std::uint32_t b) {
    return centroids[a][axis] != centroids[b][axis] ? centroids[a][axis] < centroids[b][axis] : a < b;
  });
  build(first, count / 2, centroids, depth + 1);
  const std::uint32_t right = build(first + count / 2, count - count / 2, centroids, depth + 1);
  nodes_[index].right = right;
  return index;
}

void TriangleTree::fill(Node& node) const {
  double area = 0;
  Vec3 weighted = Vec3::Zero();
  node.lower.setConstant(std::numeric_limits<double>::infinity());
  node.upper = -node.lower;
  node.dipole.setZero();
  node.quadrupole.setZero();
  for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
    const TriangleCorners& t = corners_[i];
    for (const Vec3& x : t) {
      node.lower = node.lower.cwiseMin(x);
      node.upper = node.upper.cwiseMax(x);
    }
    const Vec3 a = area_vector(t);
    area += a.norm();
    weighted += a.norm() * (t[0] + t[1] + t[2]) / 3;
    node.dipole += a;
  }
  node.centre = area > 0 ? Vec3(weighted / area) : Vec3((node.lower + node.upper) / 2);
  node.reach = (node.centre - node.lower).cwiseMax(node.upper - node.centre).norm();
  for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
    const TriangleCorners& t = corners_[i];
    node.quadrupole += ((t[0] + t[1] + t[2]) / 3 - node.centre) * area_vector(t).transpose();
  }
}

template <class Wanted>
TriangleTree::Nearest TriangleTree::search(const Vec3& x, double within, Wanted&& wanted, bool any_will_do) const {
  Nearest best;
  if (nodes_.empty()) return best;
  double limit = within * within;
  struct Waiting {
    std::uint32_t node;
    double distance;
  };
  std::array<Waiting, kDeepest + 4> stack;
  std::size_t depth = 0;
  stack[depth++] = {0, squared_distance(nodes_[0].lower, nodes_[0].upper, x)};
  while (depth > 0) {
    const Waiting next = stack[--depth];
    if (next.distance > limit) continue;
    const Node& node = nodes_[next.node];
    if (node.right == 0) {
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
        if (!wanted(order_[i])) continue;
        const TrianglePoint p = closest_point(corners_[i], x);
        const double d = (p.point - x).squaredNorm();
        // Equal distances go to the smaller index: which of the two triangles at an edge is found must not depend on
        // the order of the search.
        if (d < limit || (d == limit && (best.triangle == kNone || order_[i] < best.triangle))) {
          limit = d;
          best.triangle = order_[i];
          best.at = p;
          if (any_will_do) return best;
        }
      }
      continue;
    }
    const std::uint32_t left = next.node + 1;
    const Waiting a = {left, squared_distance(nodes_[left].lower, nodes_[left].upper, x)};
    const Waiting b = {node.right, squared_distance(nodes_[node.right].lower, nodes_[node.right].upper, x)};
    stack[depth++] = a.distance < b.distance ? b : a;  // the nearer one on top
    stack[depth++] = a.distance < b.distance ? a : b;
  }
  if (best.triangle != kNone) best.distance = std::sqrt(limit);
  return best;
}

TriangleTree::Nearest TriangleTree::nearest(const Vec3& x, double within) const {
  return search(x, within, [](std::uint32_t) { return true; });
}

TriangleTree::Nearest TriangleTree::nearest_labelled(const Vec3& x, double within, std::span<const std::uint32_t> label,
                                                     std::uint32_t wanted) const {
  return search(x, within, [&](std::uint32_t t) { return label[t] == wanted; });
}

bool TriangleTree::reaches_labelled(const Vec3& x, double within, std::span<const std::uint32_t> label,
                                    std::uint32_t wanted) const {
  return search(
             x, within, [&](std::uint32_t t) { return label[t] == wanted; }, true)
             .triangle != kNone;
}

TriangleTree::Hit TriangleTree::first_hit(const Vec3& origin, const Vec3& direction, double from) const {
  Hit hit;
  if (nodes_.empty()) return hit;
  const auto misses = [&](const Node& node) {
    double enter = from, leave = hit.at;
    for (int axis = 0; axis < 3; ++axis) {
      double a = node.lower[axis] - origin[axis], b = node.upper[axis] - origin[axis];
      if (direction[axis] == 0) {
        if (a > 0 || b < 0) return true;
        continue;
      }
      a /= direction[axis];
      b /= direction[axis];
      enter = std::max(enter, std::min(a, b));
      leave = std::min(leave, std::max(a, b));
    }
    return enter > leave * (1 + 1e-12);
  };
  std::array<std::uint32_t, kDeepest + 4> stack;
  std::size_t depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const std::uint32_t index = stack[--depth];
    const Node& node = nodes_[index];
    if (misses(node)) continue;
    if (node.right != 0) {
      stack[depth++] = node.right;
      stack[depth++] = index + 1;
      continue;
    }
    for (std::uint32_t i = node.first; i < node.first + node.count; ++i) {
      const double at = ray_hit(corners_[i], origin, direction);
      if (at > from && (at < hit.at || (at == hit.at && order_[i] < hit.triangle))) hit = {order_[i], at};
    }
  }
  return hit;
}

double TriangleTree::winding_number(const Vec3& x) const {
  if (nodes_.empty()) return 0;
  double sum = 0;  // of solid angles
  std::array<std::uint32_t, kDeepest + 4> stack;
  std::size_t depth = 0;
  stack[depth++] = 0;
  while (depth > 0) {
    const std::uint32_t index = stack[--depth];
    const Node& node = nodes_[index];
    const Vec3 r = node.centre - x;
    const double d2 = r.squaredNorm();
    if (d2 > kFar * kFar * node.reach * node.reach) {
      // Omega = a . r / |r|^3 + C : grad (r / |r|^3)               Barill et al. 2018, (7), first two terms
      const double inverse2 = 1 / d2, inverse3 = inverse2 / std::sqrt(d2);
      sum += inverse3 * (node.dipole.dot(r) + node.quadrupole.trace() - 3 * inverse2 * r.dot(node.quadrupole * r));
    } else if (node.right == 0) {
      for (std::uint32_t i = node.first; i < node.first + node.count; ++i) sum += solid_angle(corners_[i], x);
    } else {
      stack[depth++] = node.right;
      stack[depth++] = index + 1;
    }
  }
  return sum / (4 * std::numbers::pi);
}

void TriangleTree::winding_numbers(std::span<const Vec3> x, std::span<double> out) const {
  parallel_chunks(x.size(), kBatch, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = winding_number(x[i]);
  });
}

void TriangleTree::distances(std::span<const Vec3> x, std::span<double> out) const {
  parallel_chunks(x.size(), kBatch, [&](std::size_t begin, std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) out[i] = nearest(x[i]).distance;
  });
}

}  // namespace sunder
