#include "fracture/crack_statistics.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

namespace sunder {
namespace {

// Each line cut into pieces, as cracks run from triangle to triangle.
void add_line(std::vector<CrackSegment>& segments, const Vec3& from, const Vec3& to, int pieces = 7, bool rim = false) {
  for (int i = 0; i < pieces; ++i) {
    const auto at = [&](int k) { return Vec3(from + (to - from) * k / pieces); };
    segments.push_back({at(i), i + 1 == pieces ? to : at(i + 1), rim, 1});
  }
}

TEST(CrackStatistics, HexagonsHaveSixCornersAndYJunctions) {
  std::vector<CrackSegment> segments;
  // Corners by whole numbers, so that neighbours agree on them to the bit.
  const auto corner = [](int i, int j) { return Vec3(i * 0.5, 0, j * std::sqrt(3.0) / 2); };
  for (int row = 0; row < 9; ++row) {
    for (int column = 0; column < 6; ++column) {
      const int i = 6 * column + (row % 2) * 3, j = row;
      const Vec3 ring[6] = {corner(i + 2, j), corner(i + 1, j + 1), corner(i - 1, j + 1),
                            corner(i - 2, j), corner(i - 1, j - 1), corner(i + 1, j - 1)};
      for (int k = 0; k < 6; ++k) add_line(segments, ring[k], ring[(k + 1) % 6], 1);
    }
  }
  const CrackStatistics s = crack_statistics(crack_graph(segments), 0.3);
  EXPECT_EQ(s.t_junctions, 0u);
  EXPECT_EQ(s.x_junctions, 0u);
  EXPECT_GT(s.y_junctions, 60u);
  EXPECT_DOUBLE_EQ(s.corners, 6);
  EXPECT_EQ(s.cells_by_corners[6], s.inner_cells);
  EXPECT_NEAR(s.cell_area, 1.5 * std::sqrt(3.0), 1e-12);
  EXPECT_EQ(s.dead_ends, 0u);
}

TEST(CrackStatistics, BrickworkHasFourCornersAndTJunctions) {
  std::vector<CrackSegment> segments;
  for (int row = 0; row <= 10; ++row) add_line(segments, Vec3(0, 0, row), Vec3(24, 0, row), 48);
  for (int row = 0; row < 10; ++row) {
    for (int x = row % 2; x <= 24; x += 2) add_line(segments, Vec3(x, 0, row), Vec3(x, 0, row + 1), 3);
  }
  const CrackStatistics s = crack_statistics(crack_graph(segments), 0.3);
  EXPECT_EQ(s.y_junctions, 0u);
  EXPECT_EQ(s.x_junctions, 0u);
  EXPECT_GT(s.t_junctions, 100u);
  EXPECT_NEAR(s.t_angle, 90, 1e-9);
  EXPECT_NEAR(s.t_angle_spread, 0, 1e-9);
  EXPECT_NEAR(s.corners, 4, 1e-12);
  // All of it runs along or across the rows, but for pieces that cut off corners.
  EXPECT_GT(s.directions[0] + s.directions[5], 0.9);
  EXPECT_GT(s.largest_direction(), 0.5);
}

// Brickwork whose long lines go up and down between the joints: every kink is a corner of the cells on both sides.
TEST(CrackStatistics, CornersOfJaggedSidesAreBends) {
  for (const double height : {0.0, 0.05, 0.3}) {
    std::vector<CrackSegment> segments;
    const auto place = [&](double x, int row) { return Vec3(x, 0, row + (std::fmod(x, 1.0) == 0.5 ? height : 0.0)); };
    for (int row = 0; row <= 10; ++row) {
      for (int i = 0; i < 48; ++i) add_line(segments, place(0.5 * i, row), place(0.5 * (i + 1), row), 4, row % 10 == 0);
    }
    for (int row = 0; row < 10; ++row) {
      for (int x = row % 2; x <= 24; x += 2) add_line(segments, place(x, row), place(x, row + 1), 8, x % 24 == 0);
    }
    const CrackStatistics s = crack_statistics(crack_graph(segments), 0.2);
    // Two above and two below, 118 degrees where the rise is 0.3 on half a length, none at 0.05: 169 degrees.
    EXPECT_NEAR(s.bends, height == 0.3 ? 4 : 0, 1e-12) << height;
    // At the joints the line has a kink, too: the brick that passes there has one more corner above and below.
    EXPECT_NEAR(s.corners - s.bends, height == 0.3 ? 6 : 4, 1e-12) << height;
    EXPECT_EQ(s.cells_by_corners[height == 0.3 ? 8 : 4], s.inner_cells) << height;
  }
}

TEST(CrackStatistics, DirectionsOfManySmallSquaresTurnedAllWaysAreEven) {
  std::vector<CrackSegment> segments;
  for (int i = 0; i < 90; ++i) {
    const double turn = (i + 0.5) * std::numbers::pi / 180;
    const Vec3 middle(3 * i, 0, 0), u(std::cos(turn), 0, std::sin(turn)), v(-u.z(), 0, u.x());
    const Vec3 ring[4] = {middle - u - v, middle + u - v, middle + u + v, middle - u + v};
    for (int k = 0; k < 4; ++k) add_line(segments, ring[k], ring[(k + 1) % 4], 4);
  }
  const CrackStatistics s = crack_statistics(crack_graph(segments), 2.0);
  for (const double share : s.directions) EXPECT_NEAR(share, 1.0 / 6, 0.01);
}

TEST(CrackStatistics, CellsAtTheRimAreCountedButNotMeasured) {
  std::vector<CrackSegment> segments;
  const Vec3 corners[4] = {{0, 0, 0}, {4, 0, 0}, {4, 0, 4}, {0, 0, 4}};
  for (int i = 0; i < 4; ++i) add_line(segments, corners[i], corners[(i + 1) % 4], 4, true);
  for (const int x : {1, 3}) {
    add_line(segments, Vec3(x, 0, 0), Vec3(x, 0, 4), 4);
    add_line(segments, Vec3(0, 0, x), Vec3(4, 0, x), 4);
  }
  const CrackStatistics s = crack_statistics(crack_graph(segments), 0.2);
  EXPECT_EQ(s.cells, 9u);
  EXPECT_EQ(s.inner_cells, 1u);
  EXPECT_EQ(s.x_junctions, 4u);
  EXPECT_NEAR(s.cell_area, 4, 1e-12);
  EXPECT_DOUBLE_EQ(s.corners, 4);
  EXPECT_NEAR(s.length, 16, 1e-12);
}

TEST(CrackGraph, SidesSplitAtDifferentPlacesAreOne) {
  const Vec3 a(0, 0, 0), b(1, 0, 0), x(0.25, 0, 0), y(0.75, 0, 0);
  const std::vector<CrackSegment> segments = {{a, x, false, 3}, {x, b, false, 3}, {b, y, false, 3}, {y, a, false, 3}};
  const CrackGraph graph = crack_graph(segments);
  EXPECT_EQ(graph.points.size(), 4u);
  EXPECT_EQ(graph.edges.size(), 3u);
  const std::vector<CrackLine> lines = crack_lines(graph);
  ASSERT_EQ(lines.size(), 1u);
  EXPECT_EQ(lines[0].points.size(), 4u);
}

TEST(CrackGraph, DeadEndsAreCountedAndTheirCellsWhole) {
  std::vector<CrackSegment> segments;
  const Vec3 corners[4] = {{0, 0, 0}, {4, 0, 0}, {4, 0, 4}, {0, 0, 4}};
  for (int i = 0; i < 4; ++i) add_line(segments, corners[i], corners[(i + 1) % 4], 4);
  add_line(segments, Vec3(2, 0, 0), Vec3(2, 0, 1.5), 3);
  const CrackStatistics s = crack_statistics(crack_graph(segments), 0.3);
  EXPECT_EQ(s.dead_ends, 1u);
  EXPECT_EQ(s.t_junctions, 0u);  // a spur is no junction
  EXPECT_EQ(s.cells, 1u);
  EXPECT_DOUBLE_EQ(s.corners, 4);
}

}  // namespace
}  // namespace sunder
