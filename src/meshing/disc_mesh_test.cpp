#include "meshing/disc_mesh.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <map>
#include <numbers>
#include <utility>

#include "core/dice_testing.h"
#include "geometry/triangle.h"

namespace sunder {
namespace {

using std::numbers::pi;

TriangleCorners places(const TriangleMesh& mesh, std::size_t t) {
  const auto& [a, b, c] = mesh.triangles[t];
  return {mesh.points[a], mesh.points[b], mesh.points[c]};
}

TEST(DiscMesh, IsAFlatDiscThatFacesUpWithAFreeRim) {
  Dice dice(1);
  for (int round = 0; round < 40; ++round) {
    const double radius = std::pow(10, dice(-3, 3));
    const double edge = radius * std::pow(10, dice(-1.4, 1));  // also far too long ones
    const TriangleMesh mesh = disc_mesh({radius}, edge, static_cast<std::uint64_t>(round));
    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;
    double area = 0;
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const Vec3 a = area_vector(places(mesh, t));
      EXPECT_GT(a.y(), 0);
      area += a.y();
      for (std::size_t k = 0; k < 3; ++k) ++edges[std::minmax({mesh.triangles[t][k], mesh.triangles[t][(k + 1) % 3]})];
    }
    std::size_t rim = 0;
    double rim_length = 0;
    for (const auto& [ends, count] : edges) {
      ASSERT_LE(count, 2);
      if (count == 2) continue;
      ++rim;
      rim_length += (mesh.points[ends.first] - mesh.points[ends.second]).norm();
      for (const std::uint32_t p : {ends.first, ends.second})
        EXPECT_NEAR(mesh.points[p].norm(), radius, 1e-12 * radius);
    }
    for (const Vec3& p : mesh.points) {
      EXPECT_EQ(p.y(), 0);
      EXPECT_LE(p.norm(), radius * (1 + 1e-12));
    }
    EXPECT_GE(rim, 6u);
    // One piece without holes, and as large as the polygon of its rim.
    EXPECT_EQ(mesh.points.size() + mesh.triangles.size(), edges.size() + 1);
    const auto n = static_cast<double>(rim);
    EXPECT_NEAR(rim_length, 2 * n * radius * std::sin(pi / n), 1e-9 * radius);
    EXPECT_NEAR(area, n / 2 * radius * radius * std::sin(2 * pi / n), 1e-9 * radius * radius);
  }
}

TEST(DiscMesh, IsEvenAndHasNoDirection) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const double edge = 0.02;
    const TriangleMesh mesh = disc_mesh({0.5}, edge, seed);
    double length = 0, smallest = pi, least = 1e9, most = 0;
    std::array<double, 6> bins{};  // of 30 degrees
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
      const TriangleCorners x = places(mesh, t);
      for (std::size_t k = 0; k < 3; ++k) {
        const Vec3 u = x[(k + 1) % 3] - x[k], v = x[(k + 2) % 3] - x[k];
        length += u.norm();
        smallest = std::min(smallest, std::acos(u.normalized().dot(v.normalized())));
        const double turn = std::fmod(std::atan2(u.z(), u.x()) + 2 * pi, pi);
        bins[std::min<std::size_t>(5, static_cast<std::size_t>(turn / pi * 6))] += 1;
      }
      least = std::min(least, area_vector(x).norm()), most = std::max(most, area_vector(x).norm());
    }
    const auto edges = static_cast<double>(3 * mesh.triangles.size());
    EXPECT_NEAR(length / edges, edge, 0.1 * edge);
    EXPECT_GT(smallest, 25 * pi / 180);
    EXPECT_LT(most / least, 6);
    for (const double bin : bins) EXPECT_NEAR(bin / edges, 1.0 / 6, 0.03);
  }
}

TEST(DiscMesh, TextureRunsOverTheBoundingBox) {
  const TriangleMesh mesh = disc_mesh({2}, 0.2, 1);
  ASSERT_EQ(mesh.uvs.size(), mesh.triangles.size());
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& p = mesh.points[mesh.triangles[t][k]];
      EXPECT_NEAR((mesh.uvs[t][k] - Vec2(p.x() / 4 + 0.5, 0.5 - p.z() / 4)).norm(), 0, 1e-12);
    }
  }
}

TEST(DiscMesh, SeedSaysWhichOne) {
  const auto points = [](std::uint64_t seed) { return disc_mesh({1}, 0.1, seed).points; };
  EXPECT_EQ(points(1), points(1));
  EXPECT_NE(points(1), points(2));
}

}  // namespace
}  // namespace sunder
