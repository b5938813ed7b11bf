#pragma once
// Small surfaces for tests.

#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <vector>

#include "core/dice_testing.h"
#include "core/vec.h"

namespace sunder {

struct SurfaceSample {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
};

// A square in the plane y = 0, facing up, with corners at 0 and `cells`; points inside moved by up to `jitter`.
inline SurfaceSample square_sheet(std::uint32_t cells, double jitter, Dice& dice) {
  SurfaceSample s;
  for (std::uint32_t i = 0; i <= cells; ++i) {
    for (std::uint32_t k = 0; k <= cells; ++k) {
      const bool inside = i > 0 && k > 0 && i < cells && k < cells;
      const double dx = dice(-jitter, jitter), dz = dice(-jitter, jitter);
      s.points.emplace_back(i + (inside ? dx : 0), 0, k + (inside ? dz : 0));
    }
  }
  const auto at = [&](std::uint32_t i, std::uint32_t k) { return i * (cells + 1) + k; };
  for (std::uint32_t i = 0; i < cells; ++i) {
    for (std::uint32_t k = 0; k < cells; ++k) {
      const auto a = at(i, k), b = at(i, k + 1), c = at(i + 1, k + 1), d = at(i + 1, k);
      if (dice(0, 1) < 0.5) {
        s.triangles.push_back({a, b, c}), s.triangles.push_back({a, c, d});
      } else {
        s.triangles.push_back({a, b, d}), s.triangles.push_back({b, c, d});
      }
    }
  }
  return s;
}

// A ball of this radius: a subdivided octahedron.
inline SurfaceSample ball_surface(double radius, int halvings) {
  SurfaceSample s;
  s.points = {Vec3::UnitX(), -Vec3::UnitX(), Vec3::UnitY(), -Vec3::UnitY(), Vec3::UnitZ(), -Vec3::UnitZ()};
  s.triangles = {{2, 4, 0}, {2, 0, 5}, {2, 5, 1}, {2, 1, 4}, {3, 0, 4}, {3, 5, 0}, {3, 1, 5}, {3, 4, 1}};
  for (int round = 0; round < halvings; ++round) {
    std::vector<std::array<std::uint32_t, 3>> finer;
    std::vector<std::pair<std::array<std::uint32_t, 2>, std::uint32_t>> made;
    const auto middle = [&](std::uint32_t a, std::uint32_t b) {
      const std::array<std::uint32_t, 2> key = {std::min(a, b), std::max(a, b)};
      for (const auto& [ends, node] : made) {
        if (ends == key) return node;
      }
      s.points.push_back((s.points[a] + s.points[b]).normalized());
      made.emplace_back(key, static_cast<std::uint32_t>(s.points.size() - 1));
      return made.back().second;
    };
    for (const auto& [a, b, c] : s.triangles) {
      const auto ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
      finer.insert(finer.end(), {{a, ab, ca}, {ab, b, bc}, {ca, bc, c}, {ab, bc, ca}});
    }
    s.triangles = finer;
  }
  for (Vec3& p : s.points) p *= radius;
  return s;
}

// An open cylinder about y.
inline SurfaceSample cylinder_surface(double radius, double height, std::uint32_t round, std::uint32_t rings) {
  SurfaceSample s;
  for (std::uint32_t j = 0; j <= rings; ++j) {
    for (std::uint32_t i = 0; i < round; ++i) {
      const double turn = 2 * std::numbers::pi * (i + 0.5 * (j % 2)) / round;
      s.points.emplace_back(radius * std::cos(turn), height * j / rings, -radius * std::sin(turn));
    }
  }
  for (std::uint32_t j = 0; j < rings; ++j) {
    for (std::uint32_t i = 0; i < round; ++i) {
      const std::uint32_t a = j * round + i, b = j * round + (i + 1) % round, c = a + round, d = b + round;
      if (j % 2 == 0) {
        s.triangles.push_back({a, b, c}), s.triangles.push_back({b, d, c});
      } else {
        s.triangles.push_back({a, d, c}), s.triangles.push_back({a, b, d});
      }
    }
  }
  return s;
}

}  // namespace sunder
