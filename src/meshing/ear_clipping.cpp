#include "meshing/ear_clipping.h"

#include <algorithm>
#include <limits>

#include "core/error.h"
#include "meshing/sheet_mesh.h"

namespace sunder {
namespace {

using Index = std::uint32_t;

class EarClipper {
 public:
  EarClipper(std::span<const Vec2> corners, std::span<const std::vector<Index>> loops) : x_(corners), ring_(loops[0]) {
    // Each hole is joined to the ring by a bridge that is walked both ways; the hole that reaches furthest right
    // first, so that a bridge to the right is always there.
    std::vector<std::vector<Index>> holes(loops.begin() + 1, loops.end());
    const auto rightmost = [&](auto& hole) {
      return std::max_element(hole.begin(), hole.end(), [&](Index a, Index b) { return x_[a].x() < x_[b].x(); });
    };
    std::sort(holes.begin(), holes.end(),
              [&](const auto& a, const auto& b) { return x_[*rightmost(a)].x() > x_[*rightmost(b)].x(); });
    for (std::vector<Index>& hole : holes) {
      std::rotate(hole.begin(), rightmost(hole), hole.end());
      join(hole, holes);
    }
  }

  std::vector<std::array<Index, 3>> clip() {
    std::vector<std::array<Index, 3>> triangles;
    while (ring_.size() > 3) {
      const std::size_t n = ring_.size();
      std::size_t best = n;
      double best_shape = 2;
      for (std::size_t i = 0; i < n; ++i) {
        const std::array<Index, 3> ear = {ring_[(i + n - 1) % n], ring_[i], ring_[(i + 1) % n]};
        const double shape = cosine_of_smallest_angle(flat3(ear[0]), flat3(ear[1]), flat3(ear[2]));
        if (shape >= best_shape || !is_ear(ear)) continue;
        best = i;
        best_shape = shape;
      }
      if (best == n) fail();
      triangles.push_back({ring_[(best + n - 1) % n], ring_[best], ring_[(best + 1) % n]});
      ring_.erase(ring_.begin() + static_cast<std::ptrdiff_t>(best));
    }
    triangles.push_back({ring_[0], ring_[1], ring_[2]});
    if (!(doubled_area(x_[ring_[0]], x_[ring_[1]], x_[ring_[2]]) > 0)) fail();
    return triangles;
  }

 private:
  [[noreturn]] static void fail() {
    throw InputError({}, "the polygon's outline or holes touch or cross", "keep sides and holes apart");
  }

  Vec3 flat3(Index i) const { return {x_[i].x(), x_[i].y(), 0}; }

  bool is_ear(const std::array<Index, 3>& ear) const {
    const Vec2 &a = x_[ear[0]], &b = x_[ear[1]], &c = x_[ear[2]];
    const double area = doubled_area(a, b, c);
    if (!(area > 1e-9 * std::max((b - a).squaredNorm(), (c - b).squaredNorm()))) return false;
    return std::none_of(ring_.begin(), ring_.end(), [&](Index p) {
      if (x_[p] == a || x_[p] == b || x_[p] == c) return false;
      const double slack = -1e-12 * area;
      return doubled_area(a, b, x_[p]) >= slack && doubled_area(b, c, x_[p]) >= slack &&
             doubled_area(c, a, x_[p]) >= slack;
    });
  }

  // Whether the open segments p q and a b have a point in common.
  bool crosses(Index p, Index q, Index a, Index b) const {
    if (a == p || a == q || b == p || b == q) return false;
    const double s = doubled_area(x_[p], x_[q], x_[a]), t = doubled_area(x_[p], x_[q], x_[b]);
    const double u = doubled_area(x_[a], x_[b], x_[p]), v = doubled_area(x_[a], x_[b], x_[q]);
    return !((s > 0 && t > 0) || (s < 0 && t < 0) || (u > 0 && v > 0) || (u < 0 && v < 0));
  }

  // Whether the direction to q points into the polygon at place i of the ring.
  bool inside_at(std::size_t i, Index q) const {
    const std::size_t n = ring_.size();
    const Vec2 &before = x_[ring_[(i + n - 1) % n]], &at = x_[ring_[i]], &after = x_[ring_[(i + 1) % n]];
    const bool left_of_first = doubled_area(before, at, x_[q]) > 0, left_of_second = doubled_area(at, after, x_[q]) > 0;
    return doubled_area(before, at, after) > 0 ? left_of_first && left_of_second : left_of_first || left_of_second;
  }

  // Bridges from the hole's first corner to the nearest corner of the ring that it can see.
  void join(const std::vector<Index>& hole, const std::vector<std::vector<Index>>& holes) {
    const auto blocked = [&](Index p, Index q) {
      const auto by = [&](const std::vector<Index>& loop) {
        for (std::size_t i = 0; i < loop.size(); ++i) {
          if (crosses(p, q, loop[i], loop[(i + 1) % loop.size()])) return true;
        }
        return false;
      };
      return by(ring_) || std::any_of(holes.begin(), holes.end(), by);
    };
    std::size_t best = ring_.size();
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < ring_.size(); ++i) {
      const double distance = (x_[ring_[i]] - x_[hole[0]]).norm();
      if (distance >= nearest || !inside_at(i, hole[0]) || blocked(hole[0], ring_[i])) continue;
      nearest = distance;
      best = i;
    }
    if (best == ring_.size()) fail();
    std::vector<Index> detour(hole.begin(), hole.end());
    detour.push_back(hole[0]);
    detour.push_back(ring_[best]);
    ring_.insert(ring_.begin() + static_cast<std::ptrdiff_t>(best) + 1, detour.begin(), detour.end());
  }

  std::span<const Vec2> x_;
  std::vector<Index> ring_;
};

}  // namespace

std::vector<std::array<Index, 3>> triangles_of_polygon(std::span<const Vec2> corners,
                                                       std::span<const std::vector<Index>> loops) {
  return EarClipper(corners, loops).clip();
}

}  // namespace sunder
