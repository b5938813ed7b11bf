#include "meshing/sheet_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>

#include "core/error.h"
#include "core/random.h"
#include "meshing/ear_clipping.h"
#include "meshing/triangulate_sheet.h"
#include "shapes/mapped_shapes.h"

namespace sunder {
namespace {

using Index = SheetMesh::Index;

SheetMesh::Place flat(const Vec2& x) { return {Vec3(x.x(), x.y(), 0), Vec3::UnitZ()}; }

SheetMesh square() {
  SheetMesh mesh(flat);
  for (const Vec2& x : {Vec2(0, 0), Vec2(1, 0), Vec2(1, 1), Vec2(0, 1)}) mesh.add_vertex(x, true);
  mesh.add_triangle({0, 1, 2});
  mesh.add_triangle({0, 2, 3});
  mesh.join();
  mesh.label_edges([](Index a, Index b) { return a % 2 == b % 2 ? Index{0} : Index{1}; });
  return mesh;
}

// Neighbours agree with each other, areas add up, labels are those of the outline.
void expect_sound(const SheetMesh& mesh, double area) {
  double sum = 0;
  for (Index t = 0; t < mesh.triangles().size(); ++t) {
    const double twice = doubled_area(mesh.chart(t, 0), mesh.chart(t, 1), mesh.chart(t, 2));
    EXPECT_GT(twice, 0);
    sum += twice / 2;
    const auto& triangle = mesh.triangles()[t];
    for (std::size_t i = 0; i < 3; ++i) {
      const Index n = triangle.neighbours[i];
      EXPECT_EQ(n == SheetMesh::kNone, triangle.labels[i] != 0);
      if (n == SheetMesh::kNone) continue;
      const auto& other = mesh.triangles()[n];
      EXPECT_EQ(std::count(other.neighbours.begin(), other.neighbours.end(), t), 1);
      EXPECT_EQ(std::count(other.corners.begin(), other.corners.end(), triangle.corners[(i + 1) % 3]), 1);
      EXPECT_EQ(std::count(other.corners.begin(), other.corners.end(), triangle.corners[(i + 2) % 3]), 1);
    }
  }
  EXPECT_NEAR(sum, area, 1e-12);
}

TEST(SheetMesh, StaysSoundThroughInsertionsSplitsAndMoves) {
  SheetMesh mesh = square();
  for (std::uint64_t i = 0; i < 200; ++i) {
    const Vec2 x(0.01 + 0.98 * random_unit(i, 0), 0.01 + 0.98 * random_unit(i, 1));
    const Index home = mesh.locate(x, static_cast<Index>(random_bits(i, 2) % mesh.triangles().size()));
    ASSERT_NE(home, SheetMesh::kNone);
    mesh.insert(x, home);
    if (i % 20 == 0) {
      const auto [t, e] = mesh.find_edge(0, [&] {
        for (const auto& triangle : mesh.triangles()) {
          for (std::size_t k = 0; k < 3; ++k) {
            if (triangle.labels[k] != 0 && triangle.corners[(k + 1) % 3] == 0) return triangle.corners[(k + 2) % 3];
          }
        }
        return SheetMesh::kNone;
      }());
      mesh.split_edge(t, e, (mesh.chart(t, (e + 1) % 3) + mesh.chart(t, (e + 2) % 3)) / 2);
    }
  }
  expect_sound(mesh, 1);
  for (Index v = 0; v < mesh.vertices().size(); ++v) {
    if (!mesh.vertices()[v].fixed) mesh.move(v, Vec2(0.5, 0.5), 0);
  }
  mesh.flip_to_best_angles();
  expect_sound(mesh, 1);
}

TEST(SheetMesh, FlipsToTheBestAngles) {
  SheetMesh mesh(flat);
  for (const Vec2& x : {Vec2(0, 0), Vec2(1, -0.2), Vec2(2, 0), Vec2(1, 0.2)}) mesh.add_vertex(x, true);
  mesh.add_triangle({0, 1, 2});
  mesh.add_triangle({0, 2, 3});
  mesh.join();
  mesh.flip_to_best_angles();
  for (const auto& t : mesh.triangles()) {
    const auto& c = t.corners;
    EXPECT_EQ(std::count(c.begin(), c.end(), 1u) + std::count(c.begin(), c.end(), 3u), 2);  // the short diagonal
  }
}

TEST(SheetMesh, AMoveThatFoldsIsRefused) {
  SheetMesh mesh = square();
  const Index v = mesh.insert(Vec2(0.4, 0.5), mesh.locate(Vec2(0.4, 0.5), 0));
  EXPECT_FALSE(mesh.move(v, Vec2(1.5, 0.5), 0));
  EXPECT_EQ(mesh.vertices()[v].chart, Vec2(0.4, 0.5));
  EXPECT_TRUE(mesh.move(v, Vec2(0.5, 0.5), 0));
}

TEST(EarClipping, FillsPolygonsWithHoles) {
  const std::vector<Vec2> corners = {{0, 0}, {4, 0},   {4, 3},   {2, 1.5}, {0, 3},   {0.5, 0.5}, {0.5, 1},
                                     {1, 1}, {1, 0.5}, {3, 0.5}, {3, 1},   {3.5, 1}, {3.5, 0.5}};
  const std::vector<std::vector<Index>> loops = {{0, 1, 2, 3, 4}, {5, 6, 7, 8}, {9, 10, 11, 12}};
  double area = 0;
  const auto triangles = triangles_of_polygon(corners, loops);
  for (const auto& [a, b, c] : triangles) {
    const double twice = doubled_area(corners[a], corners[b], corners[c]);
    EXPECT_GT(twice, 0);
    area += twice / 2;
  }
  EXPECT_NEAR(area, 12 - 3 - 0.5, 1e-12);
  EXPECT_EQ(triangles.size(), 13u + 2 * 2 - 2);
}

TEST(EarClipping, CrossingLoopsAreRefused) {
  const std::vector<Vec2> corners = {{0, 0}, {1, 1}, {1, 0}, {0, 1}};
  EXPECT_THROW(triangles_of_polygon(corners, std::vector<std::vector<Index>>{{0, 1, 2, 3}}), InputError);
}

TEST(TriangulateSheet, AnglesAreGoodAndEdgesEqual) {
  for (const Mapping& mapping : {map_shape(SlabShape{Vec3(1, 0.7, 0.01)}), map_shape(BowlShape{1, 0.6, 0.01}),
                                 map_shape(VaseShape{0.4, 1, 0.02}), map_shape(CylinderShape{0.5, 1})}) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      const Sheet sheet = triangulate_sheet(mapping, 0.05, seed);
      double smallest = 180, sum = 0, count = 0;
      for (Index t = 0; t < sheet.mesh.triangles().size(); ++t) {
        smallest = std::min(smallest, std::acos(sheet.mesh.cosine_of_smallest_angle(t)) * 180 / std::numbers::pi);
        for (int i = 0; i < 3; ++i) {
          sum += (sheet.mesh.world(t, i) - sheet.mesh.world(t, (i + 1) % 3)).norm();
          ++count;
        }
      }
      EXPECT_GE(smallest, 25);
      EXPECT_NEAR(sum / count / 0.05, 1, 0.06);
    }
  }
}

}  // namespace
}  // namespace sunder
