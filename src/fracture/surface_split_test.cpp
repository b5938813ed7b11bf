#include "fracture/surface_split.h"

#include <gtest/gtest.h>

#include "mesh/surface_testing.h"

namespace sunder {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

TangentFrame flat_frame() {
  TangentFrame frame;
  frame << 1, 0, 0, 0, 0, -1;  // x and -z: counter-clockwise seen from above
  return frame;
}

double area(const TriMesh& mesh) {
  double sum = 0;
  for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) sum += area_vector(mesh.places(t)).y();
  return sum;
}

NodeId node_at(const TriMesh& mesh, const Vec3& place) {
  for (const NodeId n : id_range<NodeId>(mesh.node_count())) {
    if (mesh.position(n) == place) return n;
  }
  return {};
}

TEST(SurfaceSplit, NodeInsideGetsTwoRaysAndTwoTips) {
  Dice dice(1);
  const SurfaceSample s = square_sheet(4, 0, dice);
  TriMesh mesh(s.points, s.triangles);
  const NodeId n = node_at(mesh, Vec3(2, 0, 2));
  const double turn = 27 * kDegree;
  const SurfaceSplit split =
      split_surface(mesh, n, flat_frame(), Vec2(std::cos(turn), std::sin(turn)), {.edge_snap = 5 * kDegree}, 7);
  ASSERT_TRUE(split.done);
  EXPECT_EQ(split.cut_edges.size(), 2u);
  EXPECT_EQ(split.tips.size(), 2u);
  EXPECT_EQ(split.copies.size(), 1u);
  EXPECT_EQ(split.copies[0].second, n);
  EXPECT_TRUE(mesh.problems().empty());
  for (const NodeId tip : split.tips) EXPECT_TRUE(is_crack_tip(mesh, mesh.fan(tip)));
  // Every crack point lies on the line.
  const Vec3 normal = flat_frame() * Vec2(std::cos(turn), std::sin(turn));
  for (const NodeId tip : split.tips) EXPECT_NEAR((mesh.position(tip) - Vec3(2, 0, 2)).dot(normal), 0, 1e-14);
}

TEST(SurfaceSplit, SnapsToEdgesInsideOnly) {
  Dice dice(1);
  const SurfaceSample s = square_sheet(4, 0, dice);
  TriMesh mesh(s.points, s.triangles);
  const std::size_t nodes = mesh.node_count();
  const double turn = 8 * kDegree;
  const SurfaceSplit split = split_surface(mesh, node_at(mesh, Vec3(2, 0, 2)), flat_frame(),
                                           Vec2(std::cos(turn), std::sin(turn)), {.edge_snap = 25 * kDegree}, 1);
  ASSERT_TRUE(split.done);
  EXPECT_EQ(split.snapped, 2u);
  EXPECT_TRUE(split.cut_edges.empty());
  EXPECT_EQ(mesh.node_count(), nodes + 1);
  for (const NodeId tip : split.tips) EXPECT_EQ(mesh.position(tip).x(), 2);
}

TEST(SurfaceSplit, RayBesideTheBorderIsDropped) {
  Dice dice(1);
  const SurfaceSample s = square_sheet(4, 0, dice);
  TriMesh mesh(s.points, s.triangles);
  const NodeId n = node_at(mesh, Vec3(0, 0, 2));
  const auto along = [&](double degrees) {  // the line's angle to the border, which runs along z
    return split_surface(mesh, n, flat_frame(), Vec2(std::cos(degrees * kDegree), std::sin(degrees * kDegree)), {}, 1);
  };
  EXPECT_FALSE(along(10).done);
  EXPECT_FALSE(along(-14).done);
  EXPECT_EQ(mesh.triangle_count(), s.triangles.size());
  EXPECT_TRUE(along(60).done);
}

TEST(SurfaceSplit, TipNeverCracksBack) {
  Dice dice(1);
  const SurfaceSample s = square_sheet(6, 0.2, dice);
  for (int i = 0; i < 2000; ++i) {
    TriMesh mesh(s.points, s.triangles);
    const double turn = dice(0, 3.14);
    const SurfaceSplitRules rules{.edge_snap = dice(2, 25) * kDegree};
    const auto first =
        split_surface(mesh, NodeId(3 * 7 + 3), flat_frame(), Vec2(std::cos(turn), std::sin(turn)), rules, 1);
    ASSERT_TRUE(first.done);
    const NodeId tip = first.tips[0];
    const Vec3 from = mesh.position(NodeId(3 * 7 + 3)), place = mesh.position(tip);
    const double bend = dice(0, 3.14);
    const auto second = split_surface(mesh, tip, flat_frame(), Vec2(std::cos(bend), std::sin(bend)), rules, 2);
    if (!second.done) continue;
    ASSERT_TRUE(mesh.problems().empty());
    EXPECT_EQ(second.edges, 1u);  // one of the two rays is always on the old crack's side
    const double angle = 1e-9 + rules.edge_snap;
    for (const NodeId end : second.tips) {
      EXPECT_LT((mesh.position(end) - place).normalized().dot((from - place).normalized()), std::sin(angle));
    }
  }
}

TEST(SurfaceSplit, CrackThatReachesTheBorderSplitsIt) {
  Dice dice(1);
  const SurfaceSample s = square_sheet(2, 0, dice);
  TriMesh mesh(s.points, s.triangles);
  const auto split =
      split_surface(mesh, node_at(mesh, Vec3(1, 0, 1)), flat_frame(), Vec2(1, 0), {}, 1);  // along z, both ways
  ASSERT_TRUE(split.done);
  EXPECT_TRUE(split.tips.empty());
  EXPECT_EQ(split.copies.size(), 3u);  // itself and both ends
  EXPECT_TRUE(mesh.problems().empty());
}

// Random lines through random nodes of random meshes, flat and round, cracked again and again.
TEST(SurfaceSplit, HundredThousandRandomCracksKeepMeshAndArea) {
  Dice dice(9);
  std::size_t done = 0, refused = 0;
  const SurfaceSample ball = ball_surface(1, 2);
  while (done < 100000) {
    const bool flat = dice(0, 1) < 0.7;
    const SurfaceSample s = flat ? square_sheet(6, 0.25, dice) : ball;
    TriMesh mesh(s.points, s.triangles);
    const double whole = flat ? area(mesh) : 0;
    SurfaceSplitRules rules;
    rules.edge_snap = dice(2, 30) * kDegree;
    rules.least_area = flat ? 0.005 : 0.0005;
    std::uint32_t event = 0;
    for (int i = 0; i < 150; ++i) {
      const NodeId n(static_cast<std::size_t>(dice(0, static_cast<double>(mesh.node_count()))));
      TangentFrame frame = flat_frame();
      if (!flat) {
        const Vec3 normal = mesh.position(n).normalized();
        frame.col(0) = normal.unitOrthogonal();
        frame.col(1) = normal.cross(frame.col(0));
      }
      const double turn = dice(0, std::numbers::pi);
      const std::size_t triangles = mesh.triangle_count(), nodes = mesh.node_count();
      const SurfaceSplit split = split_surface(mesh, n, frame, Vec2(std::cos(turn), std::sin(turn)), rules, ++event);
      if (!split.done) {
        ++refused;
        ASSERT_EQ(mesh.triangle_count(), triangles);
        ASSERT_EQ(mesh.node_count(), nodes);
        continue;
      }
      ++done;
      std::size_t children = 0;
      for (const auto& cut : split.cut_edges) children += cut.split.neighbour.valid() ? 2 : 1;
      ASSERT_EQ(mesh.triangle_count(), triangles + children);
      ASSERT_EQ(mesh.node_count(), nodes + split.cut_edges.size() + split.copies.size());
      ASSERT_GE(split.copies.size(), 1u);
      for (const NodeId tip : split.tips) ASSERT_TRUE(is_crack_tip(mesh, mesh.fan(tip)));
      for (const auto& cut : split.cut_edges) {
        for (const TriangleId t : {cut.split.triangle, cut.split.child}) {
          ASSERT_GE(area_vector(mesh.places(t)).norm(), rules.least_area * (1 - 1e-9));
        }
      }
    }
    ASSERT_EQ(mesh.problems(), std::vector<std::string>());
    if (flat) {
      ASSERT_NEAR(area(mesh), whole, 1e-12 * whole);
    }
  }
  EXPECT_GT(refused, 100u);
}

}  // namespace
}  // namespace sunder
