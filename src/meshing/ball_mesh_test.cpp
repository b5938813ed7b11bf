#include "meshing/ball_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "core/error.h"
#include "mesh/boundary.h"
#include "mesh/quality.h"
#include "mesh/validate.h"
#include "shapes/shape.h"

namespace sunder {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
constexpr double kUnitBall = 4 * std::numbers::pi / 3;

TEST(BallMesh, IsAValidMeshWithoutHingesAtEveryFrequency) {
  for (std::uint32_t n = 1; n <= 12; ++n) {
    TetMesh mesh;
    mesh.append(ball_mesh_of_shells(2, n, 1), {});
    ASSERT_EQ(validate(mesh), std::vector<std::string>()) << n;
    EXPECT_EQ(mesh.tet_count(), 20u * n * n * n);
    EXPECT_EQ(boundary_faces(mesh).size(), 20u * n * n);
  }
}

TEST(BallMesh, BoundaryNodesLieOnTheSphereAndNoOthers) {
  const double radius = 0.3;
  TetMesh mesh;
  mesh.append(ball_mesh_of_shells(radius, 5, 1), {});
  const auto nodes = boundary_nodes(boundary_faces(mesh));
  EXPECT_EQ(nodes.size(), 10u * 5 * 5 + 2);
  std::set<NodeId> on_sphere(nodes.begin(), nodes.end());
  for (const NodeId n : id_range<NodeId>(mesh.node_slots())) {
    const double r = mesh.material_position(n).norm();
    if (on_sphere.count(n) != 0) {
      EXPECT_NEAR(r, radius, 1e-15);
    } else {
      EXPECT_LT(r, 0.9 * radius);
    }
  }
}

TEST(BallMesh, KeepsItsElementsGoodAtEveryFrequency) {
  for (std::uint32_t n = 1; n <= 12; ++n) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const MeshQuality q = mesh_quality(ball_mesh_of_shells(1, n, seed));
      EXPECT_GE(q.min_dihedral, 25 * kDegree) << n;
      EXPECT_GE(q.min_quality, 0.35) << n;
      EXPECT_GE(q.mean_quality, 0.8) << n;
      EXPECT_LE(q.max_edge / q.min_edge, 4) << n;
      EXPECT_GE(q.min_altitude * n, 0.3) << n;  // in shells; sets the time step
    }
  }
}

TEST(BallMesh, VolumeConvergesWithSecondOrder) {
  const auto error = [](std::uint32_t n) { return kUnitBall - mesh_quality(ball_mesh_of_shells(1, n, 1)).volume; };
  for (const std::uint32_t n : {3u, 4u, 6u, 8u}) {
    EXPECT_GT(error(n), 0);
    EXPECT_NEAR(std::log2(error(n) / error(2 * n)), 2, 0.1) << n;
  }
  EXPECT_LT(error(12) / kUnitBall, 0.005);
}

TEST(BallMesh, HasTheMeanEdgeThatWasAskedFor) {
  for (std::uint32_t n = 4; n <= 12; ++n) {
    const double edge = mesh_quality(ball_mesh_of_shells(1, n, 1)).mean_edge;
    EXPECT_NEAR(mesh_quality(ball_mesh(1, edge, 1)).mean_edge / edge, 1, 1e-9) << n;
  }
  for (const double edge : {0.3, 0.2, 0.15, 0.11}) {
    EXPECT_NEAR(mesh_quality(ball_mesh(1, edge, 1)).mean_edge / edge, 1, 0.15) << edge;
  }
}

TEST(BallMesh, HasTheEstimatedNumberOfTets) {
  for (const double edge : {5.0, 1.0, 0.5, 0.2, 0.11}) {
    EXPECT_EQ(static_cast<double>(ball_mesh(1, edge, 1).tets.size()), estimated_tets(SphereShape{1}, edge));
  }
}

TEST(BallMesh, TheSeedMovesInnerPointsOnly) {
  const TetSoup a = ball_mesh_of_shells(1, 5, 1), again = ball_mesh_of_shells(1, 5, 1),
                b = ball_mesh_of_shells(1, 5, 2);
  EXPECT_EQ(a.points, again.points);
  EXPECT_EQ(a.tets, again.tets);
  EXPECT_EQ(a.tets, b.tets);
  std::size_t same = 0;
  for (std::size_t i = 0; i < a.points.size(); ++i) same += a.points[i] == b.points[i] ? 1 : 0;
  EXPECT_EQ(same, 252u);  // those on the sphere
}

TEST(BallMesh, AnAbsurdEdgeIsRefused) {
  EXPECT_THROW(ball_mesh(1, 1e-4, 1), InputError);
  EXPECT_THROW(ball_mesh(1, 1e-300, 1), InputError);
}

}  // namespace
}  // namespace sunder
