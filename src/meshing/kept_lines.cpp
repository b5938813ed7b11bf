#include "meshing/kept_lines.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace sunder {
namespace {

std::size_t slot(int i) { return static_cast<std::size_t>(i); }

class LineFinder {
 public:
  LineFinder(const TriMesh& mesh, const TriangleTree& tree, std::span<const std::array<Vec2, 3>> uvs, double size)
      : mesh_(mesh), tree_(tree), uvs_(uvs), size_(size) {}

  KeptLines find(double sharp) {
    constexpr double scratch = 2;  // sizes
    mark(std::cos(sharp));
    find_corners();
    for (const NodeId n : id_range<NodeId>(mesh_.node_count())) {
      if (lines_.is_corner[n] == 0) continue;
      for (const Side side : at_[n]) {
        if (used(side) == 0) walk(n, side);
      }
    }
    for (const NodeId n : id_range<NodeId>(mesh_.node_count())) {
      for (const Side side : at_[n]) {
        if (used(side) == 0) walk(n, side);  // what is left are closed loops
      }
    }
    drop_scratches(scratch * size_);
    find_regions();
    return std::move(lines_);
  }

 private:
  std::uint8_t& used(Side side) { return used_[side.triangle][slot(side.index)]; }
  bool is_line(Side side) const { return is_line_[side.triangle][slot(side.index)] != 0; }

  bool same_uv(Side side, Side other) const {
    constexpr double same = 1e-6;
    if (uvs_.empty()) return true;
    const auto& here = uvs_[side.triangle.index];
    const auto& there = uvs_[other.triangle.index];
    const auto differ = [](const Vec2& a, const Vec2& b) { return (a - b).norm() > same; };
    return !differ(here[slot((side.index + 1) % 3)], there[slot((other.index + 2) % 3)]) &&
           !differ(here[slot((side.index + 2) % 3)], there[slot((other.index + 1) % 3)]);
  }

  // Of the surface beside an edge, on one side of it: on a rough surface single triangles look anywhere.
  Vec3 mean_normal(Side side, const Vec3& normal) const {
    const Vec3 &a = mesh_.position(mesh_.clockwise_node(side)), &b = mesh_.position(mesh_.counter_clockwise_node(side));
    const Vec3 away = normal.cross((b - a).stableNormalized());
    Vec3 sum = normal;
    for (const double far : {0.15, 0.3, 0.45, 0.6}) {
      const TriangleTree::Nearest at = tree_.nearest((a + b) / 2 + far * size_ * away);
      sum += area_vector(mesh_.places(TriangleId(at.triangle))).stableNormalized();
    }
    return sum.stableNormalized();
  }

  void mark(double limit) {
    is_line_.assign(mesh_.triangle_count(), {0, 0, 0});
    used_ = is_line_;
    at_.resize(mesh_.node_count());
    for (const TriangleId t : id_range<TriangleId>(mesh_.triangle_count())) {
      const Vec3 normal = area_vector(mesh_.places(t)).stableNormalized();
      for (int i = 0; i < 3; ++i) {
        const Side side{t, i};
        const TriangleId beyond = mesh_.neighbour(side);
        if (beyond.valid() && beyond < t) continue;
        Side other{};
        if (beyond.valid()) {
          other = mesh_.beyond(side);
          const Vec3 there = area_vector(mesh_.places(beyond)).stableNormalized();
          const bool turns =
              normal.dot(there) < limit && mean_normal(side, normal).dot(mean_normal(other, there)) < limit;
          if (!turns && same_uv(side, other)) continue;
          is_line_[beyond][slot(other.index)] = 1;
        }
        is_line_[t][slot(i)] = 1;
        at_[mesh_.clockwise_node(side)].push_back(side);
        at_[mesh_.counter_clockwise_node(side)].push_back(side);
      }
    }
  }

  NodeId other_end(Side side, NodeId n) const {
    const NodeId first = mesh_.clockwise_node(side);
    return first == n ? mesh_.counter_clockwise_node(side) : first;
  }

  void find_corners() {
    constexpr double straight = -0.766;  // cosine of 140 degrees: a turn by 40
    lines_.is_corner.assign(mesh_.node_count(), 0);
    for (const NodeId n : id_range<NodeId>(mesh_.node_count())) {
      const auto& sides = at_[n];
      if (sides.empty()) continue;
      if (sides.size() == 2) {
        const Vec3 a = mesh_.position(other_end(sides[0], n)) - mesh_.position(n);
        const Vec3 b = mesh_.position(other_end(sides[1], n)) - mesh_.position(n);
        if (a.stableNormalized().dot(b.stableNormalized()) < straight) continue;
      }
      lines_.is_corner[n] = 1;
    }
  }

  void walk(NodeId from, Side side) {
    KeptCurve curve;
    curve.nodes = {from};
    curve.at = {0};
    curve.closed = lines_.is_corner[from] == 0;
    NodeId n = from;
    for (;;) {
      used(side) = 1;
      const NodeId next = other_end(side, n);
      curve.sides.push_back(side);
      curve.nodes.push_back(next);
      curve.at.push_back(curve.at.back() + (mesh_.position(next) - mesh_.position(n)).norm());
      n = next;
      if (n == from || lines_.is_corner[n] != 0) break;
      side = at_[n][0] == side ? at_[n][1] : at_[n][0];
    }
    lines_.curves.push_back(std::move(curve));
  }

  void drop_scratches(double shortest) {
    const auto ends_here = [&](NodeId n) { return at_[n].size() == 1; };
    std::erase_if(lines_.curves, [&](const KeptCurve& curve) {
      if (curve.length() > shortest || !ends_here(curve.nodes.front()) || !ends_here(curve.nodes.back())) return false;
      for (const Side side : curve.sides) {
        if (!same_uv(side, mesh_.beyond(side))) return false;  // a slit in the texture
      }
      for (const Side side : curve.sides) {
        is_line_[side.triangle][slot(side.index)] = 0;
        const Side other = mesh_.beyond(side);  // no border ends in nothing
        is_line_[other.triangle][slot(other.index)] = 0;
      }
      for (const NodeId n : curve.nodes) lines_.is_corner[n] = 0;
      return true;
    });
  }

  void find_regions() {
    constexpr std::uint32_t none = 0xffffffffu;
    lines_.region.assign(mesh_.triangle_count(), none);
    std::uint32_t regions = 0;
    std::vector<TriangleId> waiting;
    for (const TriangleId start : id_range<TriangleId>(mesh_.triangle_count())) {
      if (lines_.region[start.index] != none) continue;
      lines_.region[start.index] = regions;
      waiting = {start};
      while (!waiting.empty()) {
        const TriangleId t = waiting.back();
        waiting.pop_back();
        for (int i = 0; i < 3; ++i) {
          const TriangleId next = mesh_.neighbour({t, i});
          if (!next.valid() || is_line({t, i}) || lines_.region[next.index] != none) continue;
          lines_.region[next.index] = regions;
          waiting.push_back(next);
        }
      }
      ++regions;
    }
  }

  const TriMesh& mesh_;
  const TriangleTree& tree_;
  std::span<const std::array<Vec2, 3>> uvs_;
  double size_;
  Column<TriangleId, std::array<std::uint8_t, 3>> is_line_, used_;
  Column<NodeId, std::vector<Side>> at_;  // lines at each node
  KeptLines lines_;
};

}  // namespace

KeptCurve::Place KeptCurve::place(double arc) const {
  if (closed) arc -= length() * std::floor(arc / length());
  const auto above = std::upper_bound(at.begin() + 1, at.end() - 1, arc);
  const auto i = static_cast<std::size_t>(above - at.begin()) - 1;
  const double step = at[i + 1] - at[i];
  return {i, step > 0 ? std::clamp((arc - at[i]) / step, 0.0, 1.0) : 0};
}

KeptLines find_kept_lines(const TriMesh& mesh, const TriangleTree& tree, std::span<const std::array<Vec2, 3>> uvs,
                          double sharp, double size) {
  return LineFinder(mesh, tree, uvs, size).find(sharp);
}

}  // namespace sunder
