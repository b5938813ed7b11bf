#include "mesh/quality.h"

#include <gtest/gtest.h>

#include <cmath>

#include "mesh/kuhn_grid.h"

namespace sunder {
namespace {

TEST(MeshQuality, OfAKuhnCubeIsKnown) {
  const MeshQuality q = mesh_quality(kuhn_grid(1, 1, 1));
  EXPECT_EQ(q.nodes, 8u);
  EXPECT_EQ(q.tets, 6u);
  EXPECT_NEAR(q.volume, 1, 1e-15);
  EXPECT_EQ(q.lower, Vec3(0, 0, 0));
  EXPECT_EQ(q.upper, Vec3(1, 1, 1));
  // All six are alike: squared edges 1, 1, 1, 2, 2, 3.
  const double rms = std::sqrt(10.0 / 6);
  EXPECT_NEAR(q.min_quality, std::sqrt(2.0) / std::pow(rms, 3), 1e-14);
  EXPECT_NEAR(q.mean_quality, q.min_quality, 1e-14);
  EXPECT_NEAR(q.min_dihedral, std::acos(-1.0) / 4, 1e-14);
  EXPECT_NEAR(q.min_altitude, 1 / std::sqrt(2.0), 1e-14);
  // 12 edges of the cube, 6 face diagonals, one through the middle, however many tets share them.
  EXPECT_NEAR(q.mean_edge, (12 + 6 * std::sqrt(2.0) + std::sqrt(3.0)) / 19, 1e-14);
  EXPECT_EQ(q.min_edge, 1);
  EXPECT_NEAR(q.max_edge, std::sqrt(3.0), 1e-15);
}

TEST(MeshQuality, OfAMeshLeavesHolesOut) {
  TetMesh mesh;
  mesh.append(kuhn_grid(2, 1, 1), {});
  for (std::size_t t = 0; t < 6; ++t) mesh.remove_tet(TetId(t));
  for (const NodeId n : id_range<NodeId>(mesh.node_slots())) {
    if (mesh.star(n).empty()) mesh.remove_node(n);
  }
  const MeshQuality q = mesh_quality(mesh), cube = mesh_quality(kuhn_grid(1, 1, 1));
  EXPECT_EQ(q.nodes, 8u);
  EXPECT_EQ(q.tets, 6u);
  EXPECT_EQ(q.lower, Vec3(1, 0, 0));
  EXPECT_NEAR(q.volume, cube.volume, 1e-15);
  EXPECT_NEAR(q.mean_edge, cube.mean_edge, 1e-14);
}

TEST(MeshQuality, FindsTheWorstElement) {
  TetSoup soup = kuhn_grid(2, 2, 2);
  const MeshQuality before = mesh_quality(soup);
  soup.points[13] += Vec3(0.3, 0.2, 0.1);  // the one inside
  const MeshQuality after = mesh_quality(soup);
  EXPECT_LT(after.min_quality, before.min_quality);
  EXPECT_LT(after.min_dihedral, before.min_dihedral);
  EXPECT_LT(after.min_altitude, before.min_altitude);
  EXPECT_LT(after.min_edge, before.min_edge);
  EXPECT_GT(after.max_edge, before.max_edge);
  EXPECT_NEAR(after.volume, 8, 1e-14);
  std::swap(soup.tets[5][0], soup.tets[5][1]);
  EXPECT_LT(mesh_quality(soup).min_quality, 0);
}

TEST(MeshQuality, OfNothingIsZero) {
  const MeshQuality q = mesh_quality(TetSoup());
  EXPECT_EQ(q.tets, 0u);
  EXPECT_EQ(q.volume, 0);
  EXPECT_EQ(q.mean_edge, 0);
}

}  // namespace
}  // namespace sunder
