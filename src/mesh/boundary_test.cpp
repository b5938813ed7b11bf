#include "mesh/boundary.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "mesh/kuhn_grid.h"

namespace sunder {
namespace {

TetMesh grid(std::uint32_t nx, std::uint32_t ny, std::uint32_t nz) {
  TetMesh mesh;
  mesh.append(kuhn_grid(nx, ny, nz), {});
  return mesh;
}

TEST(Boundary, OfABlockHasTwoTrianglesForEachSquareOfTheSurface) {
  const TetMesh mesh = grid(2, 3, 4);
  const auto faces = boundary_faces(mesh);
  EXPECT_EQ(faces.size(), 2u * 2u * (2 * 3 + 3 * 4 + 4 * 2));
  double area = 0;
  for (const BoundaryFace& face : faces) area += area_vector(face, mesh.material_positions()).norm();
  EXPECT_NEAR(area, 2 * (6 + 12 + 8), 1e-12);
}

TEST(Boundary, LooksOutward) {
  const TetMesh mesh = grid(2, 3, 4);
  const Vec3 middle(1, 1.5, 2);
  double volume = 0;
  for (const BoundaryFace& face : boundary_faces(mesh)) {
    const Vec3 area = area_vector(face, mesh.material_positions());
    EXPECT_GT(area.dot(mesh.material_position(face.nodes[0]) - middle), 0);
    volume += area.dot(mesh.material_position(face.nodes[0])) / 3;
  }
  EXPECT_NEAR(volume, 24, 1e-12);  // the divergence theorem
}

TEST(Boundary, IsInTheOrderOfTetsAndCorners) {
  TetMesh mesh = grid(2, 2, 2);
  mesh.remove_tet(TetId(7));
  const auto faces = boundary_faces(mesh);
  EXPECT_TRUE(std::is_sorted(faces.begin(), faces.end(), [](const BoundaryFace& a, const BoundaryFace& b) {
    return std::pair(a.face.tet, a.face.index) < std::pair(b.face.tet, b.face.index);
  }));
  for (const BoundaryFace& face : faces) {
    EXPECT_NE(face.face.tet, TetId(7));
    EXPECT_EQ(face.nodes, mesh.face_nodes(face.face));
  }
}

TEST(Boundary, GrowsByTheFacesOfARemovedTet) {
  TetMesh mesh = grid(3, 3, 3);
  const std::size_t before = boundary_faces(mesh).size();
  const TetId inner(6 * 13);  // the first of the middle cube
  int shared = 0;
  for (int i = 0; i < 4; ++i) shared += mesh.neighbour({inner, i}).valid() ? 1 : 0;
  ASSERT_EQ(shared, 4);
  mesh.remove_tet(inner);
  const auto after = boundary_faces(mesh);
  EXPECT_EQ(after.size(), before + 4);
  EXPECT_TRUE(is_closed(after));
}

TEST(Boundary, NodesAreThoseOnTheSurface) {
  const TetMesh mesh = grid(3, 3, 3);
  const auto nodes = boundary_nodes(boundary_faces(mesh));
  EXPECT_EQ(nodes.size(), 64u - 8u);
  EXPECT_TRUE(std::is_sorted(nodes.begin(), nodes.end()));
  for (const NodeId n : nodes) {
    const Vec3& x = mesh.material_position(n);
    EXPECT_TRUE(x.minCoeff() == 0 || x.maxCoeff() == 3);
  }
}

TEST(Boundary, IsClosedUntilAFaceIsMissingOrTurned) {
  auto faces = boundary_faces(grid(2, 2, 2));
  EXPECT_TRUE(is_closed(faces));
  std::swap(faces[3].nodes[0], faces[3].nodes[1]);
  EXPECT_FALSE(is_closed(faces));
  faces.erase(faces.begin() + 3);
  EXPECT_FALSE(is_closed(faces));
  EXPECT_TRUE(is_closed({}));
}

}  // namespace
}  // namespace sunder
