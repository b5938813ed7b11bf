#include "meshing/kept_lines.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>

#include "mesh/surface_testing.h"

namespace sunder {
namespace {

constexpr double kSharp = 40 * std::numbers::pi / 180;

KeptLines lines_of(const SurfaceSample& s, std::span<const std::array<Vec2, 3>> uvs, double sharp, double size) {
  return find_kept_lines(TriMesh(s.points, s.triangles), TriangleTree(s.points, s.triangles), uvs, sharp, size);
}

std::size_t regions(const KeptLines& lines) {
  return std::set<std::uint32_t>(lines.region.begin(), lines.region.end()).size();
}

std::size_t corners(const KeptLines& lines) {
  std::size_t count = 0;
  for (const std::uint8_t corner : lines.is_corner) count += corner;
  return count;
}

TEST(KeptLines, CubeHasTwelveEdgesEightCornersAndSixSides) {
  SurfaceSample s;
  for (unsigned i = 0; i < 8; ++i) s.points.emplace_back(i & 1u, i >> 1 & 1u, i >> 2 & 1u);
  s.triangles = {{0, 2, 3}, {0, 3, 1}, {4, 5, 7}, {4, 7, 6}, {0, 1, 5}, {0, 5, 4},
                 {2, 6, 7}, {2, 7, 3}, {0, 4, 6}, {0, 6, 2}, {1, 3, 7}, {1, 7, 5}};
  const KeptLines lines = lines_of(s, {}, kSharp, 0.1);
  EXPECT_EQ(lines.curves.size(), 12u);
  EXPECT_EQ(corners(lines), 8u);
  EXPECT_EQ(regions(lines), 6u);
  EXPECT_TRUE(lines_of(s, {}, std::numbers::pi, 0.1).curves.empty());
}

TEST(KeptLines, BordersOfATubeAreTwoClosedCurves) {
  const SurfaceSample s = cylinder_surface(1, 2, 24, 6);
  const KeptLines lines = lines_of(s, {}, kSharp, 100);
  ASSERT_EQ(lines.curves.size(), 2u);
  EXPECT_EQ(corners(lines), 0u);
  EXPECT_EQ(regions(lines), 1u);
  for (const KeptCurve& curve : lines.curves) {
    EXPECT_TRUE(curve.closed);
    EXPECT_EQ(curve.sides.size(), 24u);
    EXPECT_NEAR(curve.length(), 48 * std::sin(std::numbers::pi / 24), 1e-12);
    // Arc lengths go on round it, both ways.
    const double step = curve.length() / 24;
    for (const double arc : {5.25 * step, 5.25 * step + curve.length(), 5.25 * step - 3 * curve.length()}) {
      EXPECT_EQ(curve.place(arc).side, 5u);
      EXPECT_NEAR(curve.place(arc).share, 0.25, 1e-9);
    }
  }
}

TEST(KeptLines, SeamsOfTheTextureAreKeptAndShortScratchesAreNot) {
  Dice dice(5);
  SurfaceSample s = square_sheet(8, 0, dice);
  std::vector<std::array<Vec2, 3>> uvs;
  for (const auto& t : s.triangles) {
    auto& uv = uvs.emplace_back();
    const double middle = (s.points[t[0]].x() + s.points[t[1]].x() + s.points[t[2]].x()) / 3;
    for (std::size_t k = 0; k < 3; ++k) uv[k] = {s.points[t[k]].x() + (middle > 4 ? 100 : 0), s.points[t[k]].z()};
  }
  const KeptLines seam = lines_of(s, uvs, kSharp, 0.1);
  EXPECT_EQ(regions(seam), 2u);
  EXPECT_EQ(corners(seam), 6u);  // of the sheet, and where the seam meets its border
  // A small ridge: its sharp edge leads nowhere.
  s.points[9 * 4 + 4].y() = s.points[9 * 4 + 5].y() = 0.5;
  EXPECT_GT(lines_of(s, {}, kSharp, 0.1).curves.size(), 4u);
  const KeptLines smooth = lines_of(s, {}, kSharp, 1.75);
  EXPECT_EQ(smooth.curves.size(), 4u);
  EXPECT_EQ(corners(smooth), 4u);
  EXPECT_EQ(regions(smooth), 1u);
}

TEST(KeptLines, ShortSlitsInTheTextureAreNoScratches) {
  Dice dice(5);
  const SurfaceSample s = square_sheet(8, 0, dice);
  const std::uint32_t slit = 9 * 4 + 4;  // here the texture is torn, between the points before and after
  const Vec3 along = s.points[slit + 1] - s.points[slit - 1];
  std::vector<std::array<Vec2, 3>> uvs;
  for (const auto& t : s.triangles) {
    const Vec3 middle = (s.points[t[0]] + s.points[t[1]] + s.points[t[2]]) / 3;
    const bool beyond = along.cross(middle - s.points[slit]).y() > 0;
    auto& uv = uvs.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      uv[k] = {s.points[t[k]].x() + (beyond && t[k] == slit ? 0.2 : 0), s.points[t[k]].z()};
    }
  }
  const KeptLines lines = lines_of(s, uvs, kSharp, 1.75);
  ASSERT_EQ(lines.curves.size(), 5u);  // the sides of the sheet, and the slit
  EXPECT_EQ(corners(lines), 6u);
}

TEST(KeptLines, RoughnessFinerThanTheSizeIsNotSharp) {
  Dice dice(6);
  SurfaceSample s = ball_surface(1, 4);
  for (Vec3& p : s.points) p *= 1 + dice(-0.03, 0.03);  // edges are 0.1 long
  EXPECT_GT(lines_of(s, {}, kSharp, 0.01).curves.size(), 20u);
  EXPECT_LT(lines_of(s, {}, kSharp, 0.3).curves.size(), lines_of(s, {}, kSharp, 0.01).curves.size() / 10);
}

}  // namespace
}  // namespace sunder
