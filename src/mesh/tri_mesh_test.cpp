#include "mesh/tri_mesh.h"

#include <gtest/gtest.h>

#include "mesh/curvature.h"
#include "mesh/surface_testing.h"

namespace sunder {
namespace {

double area(const TriMesh& mesh) {
  double sum = 0;
  for (const TriangleId t : id_range<TriangleId>(mesh.triangle_count())) sum += area_vector(mesh.places(t)).norm();
  return sum;
}

TEST(TriMesh, FanGoesRoundOrFromBorderToBorder) {
  Dice dice(1);
  const SurfaceSample s = square_sheet(4, 0, dice);
  const TriMesh mesh(s.points, s.triangles);
  EXPECT_TRUE(mesh.problems().empty());
  std::size_t corners = 0;
  for (const NodeId n : id_range<NodeId>(mesh.node_count())) {
    const TriMesh::Fan fan = mesh.fan(n);
    corners += fan.corners.size();
    const Vec3& p = mesh.position(n);
    EXPECT_EQ(fan.open, p.x() == 0 || p.x() == 4 || p.z() == 0 || p.z() == 4);
    for (std::size_t i = 0; i + 1 < fan.corners.size(); ++i) {
      EXPECT_EQ(mesh.counter_clockwise_node(fan.corners[i]), mesh.clockwise_node(fan.corners[i + 1]));
    }
  }
  EXPECT_EQ(corners, 3 * mesh.triangle_count());
}

TEST(TriMesh, SplitEdgeKeepsAreaAndNeighbours) {
  Dice dice(2);
  for (int round = 0; round < 200; ++round) {
    const SurfaceSample s = square_sheet(3, 0.2, dice);
    TriMesh mesh(s.points, s.triangles);
    for (int i = 0; i < 20; ++i) {
      const TriangleId t(static_cast<std::size_t>(dice(0, static_cast<double>(mesh.triangle_count()))));
      const std::size_t before = mesh.triangle_count();
      const auto split = mesh.split_edge({t, static_cast<int>(dice(0, 3))}, dice(0.2, 0.8));
      EXPECT_EQ(mesh.triangle_count(), before + (split.neighbour.valid() ? 2 : 1));
    }
    ASSERT_EQ(mesh.problems(), std::vector<std::string>());
    EXPECT_NEAR(area(mesh), 9, 1e-12);
  }
}

TEST(TriMesh, FansThatMeetInAPointBecomeNodesOfTheirOwn) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {1, 0, 1}, {-1, 0, 0}, {-1, 0, -1}};
  const std::vector<std::array<std::uint32_t, 3>> triangles = {{0, 2, 1}, {0, 4, 3}};
  const TriMesh mesh(points, triangles);
  EXPECT_EQ(mesh.node_count(), 6u);
  EXPECT_TRUE(mesh.problems().empty());
  EXPECT_EQ(mesh.source(NodeId(5)), 0u);
}

TEST(TriMesh, EdgeOfThreeTrianglesIsABorder) {
  const std::vector<Vec3> points = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, -1, 0}};
  const std::vector<std::array<std::uint32_t, 3>> triangles = {{0, 1, 2}, {1, 0, 3}, {1, 0, 4}};
  const TriMesh mesh(points, triangles);
  EXPECT_TRUE(mesh.problems().empty());
  for (const TriangleId t : id_range<TriangleId>(3)) {
    for (int i = 0; i < 3; ++i) EXPECT_FALSE(mesh.neighbour({t, i}).valid());
  }
}

TEST(TriMesh, ComesBackFromBytes) {
  Dice dice(3);
  const SurfaceSample s = square_sheet(4, 0.2, dice);
  TriMesh mesh(s.points, s.triangles);
  mesh.split_edge({TriangleId(5), 1}, 0.4);
  Writer out;
  mesh.save(out);
  TriMesh other;
  Reader in(out.bytes(), "test");
  other.load(in);
  EXPECT_TRUE(in.at_end());
  Writer again;
  other.save(again);
  EXPECT_EQ(out.bytes(), again.bytes());
}

TEST(Curvature, BallBendsAlikeEverywhere) {
  const SurfaceSample s = ball_surface(0.5, 4);
  const TriMesh mesh(s.points, s.triangles);
  const std::vector<Mat3> tensors = node_curvatures(mesh);
  const std::vector<Vec3> normals = node_normals(mesh);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const PrincipalCurvatures k = principal_curvatures(tensors[i], normals[i]);
    EXPECT_NEAR(k.first, 2, 0.35) << i;
    EXPECT_NEAR(k.second, 2, 0.35) << i;
  }
}

TEST(Curvature, CylinderBendsRoundItsAxis) {
  const SurfaceSample s = cylinder_surface(0.25, 1, 48, 40);
  const TriMesh mesh(s.points, s.triangles);
  const std::vector<Mat3> tensors = node_curvatures(mesh);
  for (std::size_t i = 0; i < tensors.size(); ++i) {
    const Vec3& p = s.points[i];
    if (p.y() < 0.2 || p.y() > 0.8) continue;  // half of the rings is missing at the rims
    const Vec3 round = Vec3(p.z(), 0, -p.x()).normalized();
    EXPECT_NEAR(round.dot(tensors[i] * round), 4, 0.3);
    EXPECT_NEAR(Vec3::UnitY().dot(tensors[i] * Vec3::UnitY()), 0, 0.3);
  }
}

}  // namespace
}  // namespace sunder
