#include "shapes/outline.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

namespace sunder {
namespace {

double cross(const Vec2& a, const Vec2& b) { return a.x() * b.y() - a.y() * b.x(); }

int side_of(const Vec2& a, const Vec2& b, const Vec2& x) {
  const double s = cross(b - a, x - a);
  const double tolerance = 1e-14 * (b - a).squaredNorm();
  return s > tolerance ? 1 : s < -tolerance ? -1 : 0;
}

bool within(const Vec2& a, const Vec2& b, const Vec2& x) { return (x - a).dot(b - a) >= 0 && (x - b).dot(a - b) >= 0; }

bool touch(const Vec2& a, const Vec2& b, const Vec2& c, const Vec2& d) {
  const int ac = side_of(a, b, c), ad = side_of(a, b, d), ca = side_of(c, d, a), cb = side_of(c, d, b);
  if (ac * ad < 0 && ca * cb < 0) return true;
  return (ac == 0 && within(a, b, c)) || (ad == 0 && within(a, b, d)) || (ca == 0 && within(c, d, a)) ||
         (cb == 0 && within(c, d, b));
}

const Vec2& after(std::span<const Vec2> loop, std::size_t i) { return loop[(i + 1) % loop.size()]; }

}  // namespace

double signed_area(std::span<const Vec2> loop) {
  double sum = 0;
  for (std::size_t i = 0; i < loop.size(); ++i) sum += cross(loop[i] - loop[0], after(loop, i) - loop[0]);
  return sum / 2;
}

double revolved_volume(std::span<const Vec2> loop) {
  double moment = 0;  // sum over triangles with the origin: area times x of the centroid
  for (std::size_t i = 0; i < loop.size(); ++i) {
    moment += cross(loop[i], after(loop, i)) / 2 * (loop[i].x() + after(loop, i).x()) / 3;
  }
  return 2 * std::numbers::pi * moment;
}

SidePair crossing_sides(std::span<const Vec2> loop) {
  const std::size_t n = loop.size();
  for (std::size_t i = 0; i < n; ++i) {
    for (std::size_t j = i + 1; j < n; ++j) {
      const bool neighbours = j == i + 1 || (i == 0 && j + 1 == n);
      if (neighbours) {
        // They share a corner; they must not fold back onto each other.
        const Vec2& corner = j == i + 1 ? loop[j] : loop[i];
        const Vec2& before = j == i + 1 ? loop[i] : loop[j];
        const Vec2& behind = j == i + 1 ? after(loop, j) : after(loop, i);
        if (side_of(before, corner, behind) != 0 || (behind - corner).dot(before - corner) <= 0) continue;
      } else if (!touch(loop[i], after(loop, i), loop[j], after(loop, j))) {
        continue;
      }
      return {static_cast<int>(i), static_cast<int>(j)};
    }
  }
  return {};
}

SidePair crossing_sides(std::span<const Vec2> a, std::span<const Vec2> b) {
  for (std::size_t i = 0; i < a.size(); ++i) {
    for (std::size_t j = 0; j < b.size(); ++j) {
      if (touch(a[i], after(a, i), b[j], after(b, j))) return {static_cast<int>(i), static_cast<int>(j)};
    }
  }
  return {};
}

bool is_inside(const Vec2& x, std::span<const Vec2> loop) {
  bool inside = false;
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec2 &a = loop[i], &b = after(loop, i);
    if ((a.y() > x.y()) == (b.y() > x.y())) continue;
    if (x.x() < a.x() + (x.y() - a.y()) / (b.y() - a.y()) * (b.x() - a.x())) inside = !inside;
  }
  return inside;
}

double distance_to_outline(const Vec2& x, std::span<const Vec2> loop) {
  double nearest = std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < loop.size(); ++i) {
    const Vec2 &a = loop[i], side = after(loop, i) - a;
    const double t = std::clamp((x - a).dot(side) / side.squaredNorm(), 0.0, 1.0);
    nearest = std::min(nearest, (a + t * side - x).norm());
  }
  return nearest;
}

}  // namespace sunder
