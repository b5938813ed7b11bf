#include "meshfile/write_surface.h"

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>

#include "core/error.h"
#include "meshfile/read_surface.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

// Two triangles with awkward numbers, that share an edge.
TriangleMesh two_triangles() {
  TriangleMesh surface;
  surface.points = {{0, -0.0, 0.1}, {1.0 / 3, 1e-30, 2}, {-1e20, 5, 3}, {7, 8, 9}};
  surface.triangles = {{0, 1, 2}, {2, 1, 3}};
  return surface;
}

TriangleMesh read_back(const TriangleMesh& surface, const std::string& ending) {
  const fs::path path = fs::temp_directory_path() / ("sunder_surface_" + std::to_string(::getpid()) + ending);
  write_surface(path, surface);
  TriangleMesh back = read_surface(path);
  fs::remove(path);
  return back;
}

TEST(WriteSurface, ReadsBackBitForBit) {
  for (const char* ending : {".obj", ".ply", ".off", ".OBJ"}) {
    const TriangleMesh back = read_back(two_triangles(), ending);
    EXPECT_EQ(back.points, two_triangles().points) << ending;
    EXPECT_EQ(back.triangles, two_triangles().triangles) << ending;
  }
}

TEST(WriteSurface, StlHasSinglePrecisionAndNoSharedPoints) {
  const TriangleMesh surface = two_triangles(), back = read_back(surface, ".stl");
  ASSERT_EQ(back.triangles.size(), 2u);
  for (std::size_t t = 0; t < 2; ++t) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 wanted = surface.points[surface.triangles[t][k]].cast<float>().cast<double>();
      const Vec3& found = back.points[back.triangles[t][k]];
      for (int a = 0; a < 3; ++a) EXPECT_NEAR(found[a], wanted[a], 1e-7 * std::abs(wanted[a]));
    }
  }
}

TEST(WriteSurface, ObjKeepsTheLook) {
  TriangleMesh surface = two_triangles();
  surface.group_names = {"clay body", "glaze"};
  surface.groups = {1, 0};
  surface.normals = {{Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)}, {Vec3(0, 1, 0), Vec3(0, 1, 0), Vec3(1, 0, 0)}};
  TriangleMesh back = read_back(surface, ".obj");
  EXPECT_EQ(back.normals, surface.normals);
  EXPECT_TRUE(back.uvs.empty());
  EXPECT_EQ(back.group_names[back.groups[0]], "glaze");
  EXPECT_EQ(back.group_names[back.groups[1]], "clay_body");
  surface.uvs = {{Vec2(0, 0), Vec2(1, 0.5), Vec2(0.1, 0)}, {Vec2(3, -4), Vec2(5, 6), Vec2(7, 8)}};
  back = read_back(surface, ".obj");
  EXPECT_EQ(back.uvs, surface.uvs);
  EXPECT_EQ(back.normals, surface.normals);
  EXPECT_EQ(back.points, surface.points);
}

TEST(WriteSurface, OtherEndingsAreRefused) {
  EXPECT_TRUE(can_write_surface("a.Stl"));
  EXPECT_FALSE(can_write_surface("a.vtu"));
  EXPECT_THROW(write_surface("a.vtu", two_triangles()), UsageError);
}

}  // namespace
}  // namespace sunder
