#pragma once
// Surfaces for the tests of the general mesher: clean models, and ways to spoil them.

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <functional>
#include <numbers>
#include <utility>
#include <vector>

#include "core/random.h"
#include "mesh/triangle_mesh.h"

namespace sunder::model_testing {

// A closed grid of nu x nv points, periodic both ways.
inline TriangleMesh torus_like(std::uint32_t nu, std::uint32_t nv, const std::function<Vec3(double, double)>& at) {
  TriangleMesh mesh;
  for (std::uint32_t i = 0; i < nu; ++i) {
    for (std::uint32_t j = 0; j < nv; ++j) {
      mesh.points.push_back(at(2 * std::numbers::pi * i / nu, 2 * std::numbers::pi * j / nv));
    }
  }
  for (std::uint32_t i = 0; i < nu; ++i) {
    for (std::uint32_t j = 0; j < nv; ++j) {
      const std::uint32_t a = i * nv + j, b = (i + 1) % nu * nv + j, c = (i + 1) % nu * nv + (j + 1) % nv,
                          d = i * nv + (j + 1) % nv;
      mesh.triangles.push_back({a, b, c});
      mesh.triangles.push_back({a, c, d});
    }
  }
  return mesh;
}

inline TriangleMesh torus(double radius, double tube, std::uint32_t n) {
  return torus_like(2 * n, n, [=](double u, double v) {
    const double r = radius + tube * std::cos(v);
    return Vec3(r * std::cos(u), r * std::sin(u), tube * std::sin(v));
  });
}

// A tube along the (2, 3) torus knot.
inline TriangleMesh torus_knot(double tube, std::uint32_t n) {
  const auto centre = [](double t) {
    const double r = 2 + std::cos(3 * t);
    return Vec3(r * std::cos(2 * t), r * std::sin(2 * t), std::sin(3 * t));
  };
  return torus_like(12 * n, n, [=](double u, double v) {
    const Vec3 tangent = (centre(u + 1e-4) - centre(u - 1e-4)).normalized();
    const Vec3 out(std::cos(2 * u), std::sin(2 * u), 0);
    const Vec3 side = tangent.cross(out).normalized(), up = side.cross(tangent);
    return Vec3(centre(u) + tube * (std::cos(v) * up - std::sin(v) * side));
  });
}

// A surface of revolution about z of a closed profile (r, z); points on the axis have r = 0. Counter-clockwise
// profiles in the (r, z) plane face outwards.
inline TriangleMesh revolved(const std::vector<Vec2>& profile, std::uint32_t n) {
  TriangleMesh mesh;
  std::vector<std::vector<std::uint32_t>> ring(profile.size());
  for (std::size_t i = 0; i < profile.size(); ++i) {
    for (std::uint32_t j = 0; j < (profile[i][0] > 0 ? n : 1); ++j) {
      const double angle = 2 * std::numbers::pi * j / n;
      ring[i].push_back(static_cast<std::uint32_t>(mesh.points.size()));
      mesh.points.emplace_back(profile[i][0] * std::cos(angle), profile[i][0] * std::sin(angle), profile[i][1]);
    }
  }
  for (std::size_t i = 0; i < profile.size(); ++i) {
    const auto &a = ring[i], &b = ring[(i + 1) % profile.size()];
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t k = (j + 1) % n;
      if (a.size() == 1 && b.size() == 1) continue;
      if (a.size() > 1) mesh.triangles.push_back({a[j], a[k], b[b.size() == 1 ? 0 : k]});
      if (b.size() > 1) mesh.triangles.push_back({a[a.size() == 1 ? 0 : j], b[k], b[j]});
    }
  }
  return mesh;
}

inline TriangleMesh sphere(double radius, std::uint32_t n) {
  std::vector<Vec2> profile;
  for (std::uint32_t i = 0; i <= n; ++i) {
    const double angle = std::numbers::pi * i / n - std::numbers::pi / 2;
    profile.emplace_back(i == 0 || i == n ? 0 : radius * std::cos(angle), radius * std::sin(angle));
  }
  return revolved(profile, 2 * n);
}

inline TriangleMesh cylinder(double radius, double height, std::uint32_t n) {
  return revolved({{0, 0}, {radius, 0}, {radius, height}, {0, height}}, n);
}

inline TriangleMesh cup(double radius, double height, double wall, std::uint32_t n) {
  return revolved({{0, 0}, {radius, 0}, {radius, height}, {radius - wall, height}, {radius - wall, wall}, {0, wall}},
                  n);
}

inline TriangleMesh box(const Vec3& size) {
  TriangleMesh mesh;
  for (int c = 0; c < 8; ++c) {
    mesh.points.emplace_back((c & 1) != 0 ? size[0] : 0, (c & 2) != 0 ? size[1] : 0, (c & 4) != 0 ? size[2] : 0);
  }
  const std::uint32_t quads[6][4] = {{0, 2, 3, 1}, {4, 5, 7, 6}, {0, 1, 5, 4},
                                     {2, 6, 7, 3}, {0, 4, 6, 2}, {1, 3, 7, 5}};
  for (const auto& q : quads) {
    mesh.triangles.push_back({q[0], q[1], q[2]});
    mesh.triangles.push_back({q[0], q[2], q[3]});
  }
  return mesh;
}

// Every triangle into four.
inline TriangleMesh subdivided(const TriangleMesh& coarse) {
  TriangleMesh mesh;
  for (const auto& t : coarse.triangles) {
    const Vec3 &a = coarse.points[t[0]], &b = coarse.points[t[1]], &c = coarse.points[t[2]];
    const auto i = static_cast<std::uint32_t>(mesh.points.size());
    for (const Vec3& x : {a, b, c, Vec3((a + b) / 2), Vec3((b + c) / 2), Vec3((c + a) / 2)}) mesh.points.push_back(x);
    mesh.triangles.insert(mesh.triangles.end(),
                          {{i, i + 3, i + 5}, {i + 3, i + 1, i + 4}, {i + 5, i + 4, i + 2}, {i + 3, i + 4, i + 5}});
  }
  return mesh;
}

inline TriangleMesh joined(TriangleMesh a, const TriangleMesh& b) {
  const auto shift = static_cast<std::uint32_t>(a.points.size());
  a.points.insert(a.points.end(), b.points.begin(), b.points.end());
  for (const auto& t : b.triangles) a.triangles.push_back({t[0] + shift, t[1] + shift, t[2] + shift});
  return a;
}

inline TriangleMesh moved(TriangleMesh mesh, const Mat3& turn, const Vec3& by) {
  for (Vec3& x : mesh.points) x = turn * x + by;
  return mesh;
}

inline Mat3 random_rotation(std::uint64_t seed) {
  Eigen::Quaterniond q;
  for (std::uint64_t i = 0; i < 4; ++i) q.coeffs()[static_cast<int>(i)] = random_unit(seed, 77, i) - 0.5;
  return q.normalized().toRotationMatrix();
}

inline double volume_of(const TriangleMesh& mesh) {
  double sum = 0;
  for (const auto& t : mesh.triangles) {
    sum += mesh.points[t[0]].dot(mesh.points[t[1]].cross(mesh.points[t[2]])) / 6;
  }
  return sum;
}

// --- dirt -----------------------------------------------------------------------------------------------------------

inline TriangleMesh without(const TriangleMesh& mesh, double part, std::uint64_t seed) {
  TriangleMesh out = mesh;
  out.triangles.clear();
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (random_unit(seed, t) >= part) out.triangles.push_back(mesh.triangles[t]);
  }
  return out;
}

inline TriangleMesh with_flips(TriangleMesh mesh, double part, std::uint64_t seed) {
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    if (random_unit(seed, t) < part) std::swap(mesh.triangles[t][0], mesh.triangles[t][1]);
  }
  return mesh;
}

inline TriangleMesh with_doubles(TriangleMesh mesh, double part, std::uint64_t seed) {
  const std::size_t count = mesh.triangles.size();
  for (std::size_t t = 0; t < count; ++t) {
    if (random_unit(seed, t) >= part) continue;
    auto copy = mesh.triangles[t];
    if (t % 2 == 0) std::swap(copy[0], copy[1]);
    mesh.triangles.push_back(copy);
  }
  return mesh;
}

inline TriangleMesh unwelded(const TriangleMesh& mesh) {
  TriangleMesh out;
  for (const auto& t : mesh.triangles) {
    const auto i = static_cast<std::uint32_t>(out.points.size());
    for (const std::uint32_t p : t) out.points.push_back(mesh.points[p]);
    out.triangles.push_back({i, i + 1, i + 2});
  }
  return out;
}

}  // namespace sunder::model_testing
