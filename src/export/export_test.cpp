#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <filesystem>

#include "core/error.h"
#include "core/files.h"
#include "export/crack_net.h"
#include "export/cracked_surface.h"
#include "meshfile/read_surface.h"

namespace sunder {
namespace {

// Two squares of one metre beside each other in the plane y = 0, parted by a crack along z whose sides stand 0.1 m
// apart; texture coordinates from 0 to 1 over both.
Frame parted_sheet() {
  Frame frame;
  const auto add = [&](double x, double z, double shift) {
    frame.rest.emplace_back(x, 0, z);
    frame.position.emplace_back(x + shift, 0, z);
    frame.wall.emplace_back(0, -0.2, 0);
    frame.velocity.push_back(Vec3::Zero());
    frame.node_uid.push_back(frame.rest.size());
  };
  add(0, 0, -0.05), add(0, 1, -0.05), add(1, 1, -0.05), add(1, 0, -0.05);
  add(1, 0, 0.05), add(1, 1, 0.05), add(2, 1, 0.05), add(2, 0, 0.05);
  frame.triangles = {{0, 1, 2}, {0, 2, 3}, {4, 5, 6}, {4, 6, 7}};
  frame.crack_faces = {0, 0b001, 0b100, 0};
  frame.crack_order = {{0, 0, 0}, {1, 0, 0}, {0, 0, 1}, {0, 0, 0}};
  frame.crack_time = {{0, 0, 0}, {0.25, 0, 0}, {0, 0, 0.25}, {0, 0, 0}};
  frame.body = frame.material = {0, 0, 0, 0};
  frame.fragment = {1, 1, 2, 2};
  frame.tet_uid = {1, 2, 3, 4};
  frame.stress = {0, 0, 0, 0};
  for (const auto& t : frame.triangles) {
    auto& uv = frame.corner_uv.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      uv[2 * k] = static_cast<float>(frame.rest[t[k]].x() / 2);
      uv[2 * k + 1] = static_cast<float>(1 - frame.rest[t[k]].z());
    }
  }
  return frame;
}

TEST(Export, NetHasOneCrackAndTheBorder) {
  const CrackGraph graph = crack_graph_of(parted_sheet());
  EXPECT_EQ(std::count_if(graph.edges.begin(), graph.edges.end(), [](const auto& e) { return !e.rim; }), 1);
  EXPECT_EQ(graph.edges.size(), 7u);
  const CrackStatistics s = crack_statistics(graph, 0.1);
  EXPECT_EQ(s.cells, 2u);
  EXPECT_NEAR(s.length, 1, 1e-12);
}

TEST(Export, LinesNameTheirEvents) {
  const std::string text = crack_lines_obj(parted_sheet());
  EXPECT_NE(text.find("o crack_1\nl "), std::string::npos);
  std::size_t lines = 0;
  for (std::size_t at = text.find("\nl "); at != std::string::npos; at = text.find("\nl ", at + 1)) ++lines;
  EXPECT_EQ(lines, 1u) << text;
}

TEST(Export, DrawingIsInMillimetresAndNeedsAFlatSurface) {
  Frame frame = parted_sheet();
  const std::string text = crack_lines_svg(frame, 0.01);
  EXPECT_NE(text.find("width=\"2020.0000mm\" height=\"1020.0000mm\""), std::string::npos) << text;
  EXPECT_NE(text.find("class=\"crack\" data-event=\"1\""), std::string::npos);
  frame.rest[6].y() = 0.5;
  EXPECT_THROW(crack_lines_svg(frame, 0.01), UsageError);
}

TEST(Export, WallsReachFromTheLipsToTheirFeet) {
  const TriangleMesh mesh = surface_with_walls(parted_sheet());
  ASSERT_EQ(mesh.triangles.size(), 8u);
  EXPECT_EQ(std::count(mesh.groups.begin(), mesh.groups.end(), 1u), 4);
  for (std::size_t i = 4; i < 8; ++i) {
    Vec3 normal = (mesh.points[mesh.triangles[i][1]] - mesh.points[mesh.triangles[i][0]])
                      .cross(mesh.points[mesh.triangles[i][2]] - mesh.points[mesh.triangles[i][0]]);
    // Each wall looks into the gap, and a little upwards.
    EXPECT_GT((i < 6 ? 1 : -1) * normal.x(), 0) << i;
    EXPECT_GT(normal.y(), 0);
  }
}

TEST(Export, PlyReadsBackWithItsCrackVertices) {
  const auto file = std::filesystem::temp_directory_path() / "sunder-export-test.ply";
  write_file_atomically(file, cracked_ply(parted_sheet()));
  const TriangleMesh mesh = read_surface(file);
  EXPECT_EQ(mesh.points.size(), 8u);
  EXPECT_EQ(mesh.triangles.size(), 4u);
  const auto crack = std::find_if(mesh.attributes.begin(), mesh.attributes.end(),
                                  [](const PointAttribute& a) { return a.name == "crack"; });
  ASSERT_NE(crack, mesh.attributes.end());
  EXPECT_EQ(crack->values, (std::vector<double>{0, 0, 1, 1, 1, 1, 0, 0}));
  std::filesystem::remove(file);
}

TEST(Export, MaskIsBlackAlongTheCrackOnly) {
  const render::Image mask = crack_mask(parted_sheet(), 100, 0.06);
  for (int y = 5; y < 95; ++y) {
    EXPECT_EQ(*mask.at(50, y), 0) << y;
    EXPECT_EQ(*mask.at(40, y), 255);
    EXPECT_EQ(*mask.at(60, y), 255);
  }
  Frame bare = parted_sheet();
  bare.corner_uv.clear();
  EXPECT_THROW(crack_mask(bare, 100, 0.06), UsageError);
}

}  // namespace
}  // namespace sunder
