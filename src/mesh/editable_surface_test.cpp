#include "mesh/editable_surface.h"

#include <gtest/gtest.h>

#include "mesh/surface_testing.h"
#include "mesh/surface_topology_testing.h"

namespace sunder {
namespace {

TriMesh mesh_of(const EditableSurface& surface) {
  std::vector<NodeId> kept;
  const auto triangles = surface.triangles(kept);
  std::vector<Vec3> points;
  for (const NodeId n : kept) points.push_back(surface.mesh().position(n));
  return {points, triangles};
}

// Without gaps in its numbers the surface has no problem and hangs together as before; lines are the same seen from
// both sides.
void expect_sound(const EditableSurface& surface, const Topology& as_before) {
  const TriMesh mesh = mesh_of(surface);
  for (const std::string& problem : mesh.problems()) {
    EXPECT_NE(problem.find("has no area"), std::string::npos) << problem;  // places mean nothing here
  }
  EXPECT_EQ(topology(mesh), as_before);
  for (const TriangleId t : id_range<TriangleId>(surface.mesh().triangle_count())) {
    if (!surface.alive(t)) continue;
    for (int i = 0; i < 3; ++i) {
      if (!surface.mesh().neighbour({t, i}).valid()) continue;
      EXPECT_EQ(surface.line({t, i}), surface.line(surface.mesh().beyond({t, i})));
    }
  }
}

TEST(EditableSurface, EditsAtRandomKeepTheTopology) {
  Dice dice(11);
  int flips = 0, collapses = 0, refused = 0;
  for (int round = 0; round < 300; ++round) {
    const SurfaceSample s = round % 3 == 0   ? square_sheet(3, 0.2, dice)
                            : round % 3 == 1 ? ball_surface(1, 1)
                                             : cylinder_surface(1, 1, 5, 3);
    EditableSurface surface{TriMesh(s.points, s.triangles)};
    const auto before = topology(surface.mesh());
    for (int i = 0; i < 150; ++i) {
      const TriangleId t(static_cast<std::size_t>(dice(0, static_cast<double>(surface.mesh().triangle_count()))));
      const Side side{t, static_cast<int>(dice(0, 3))};
      const double what = dice(0, 1);
      if (!surface.alive(t)) continue;
      if (what < 0.1) {
        surface.split(side, 0.5);
      } else if (what < 0.5) {
        if (!surface.may_flip(side)) continue;
        surface.flip(side);
        ++flips;
      } else {
        const NodeId from =
            dice(0, 1) < 0.5 ? surface.mesh().clockwise_node(side) : surface.mesh().counter_clockwise_node(side);
        if (!surface.may_collapse(side, from)) {
          ++refused;
          continue;
        }
        surface.collapse(side, from);
        EXPECT_FALSE(surface.alive(from));
        ++collapses;
      }
    }
    expect_sound(surface, before);
    ASSERT_FALSE(testing::Test::HasFailure()) << "round " << round;
  }
  EXPECT_GT(flips, 1000);
  EXPECT_GT(collapses, 1000);
  EXPECT_GT(refused, 1000);  // until hardly anything is left
}

TEST(EditableSurface, LastTetrahedronAndLastTriangleStay) {
  const std::vector<Vec3> points = {Vec3::Zero(), Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};
  const EditableSurface tet{
      TriMesh(points, std::vector<std::array<std::uint32_t, 3>>{{0, 2, 1}, {0, 1, 3}, {1, 2, 3}, {2, 0, 3}})};
  const EditableSurface triangle{TriMesh(points, std::vector<std::array<std::uint32_t, 3>>{{0, 1, 2}})};
  for (int i = 0; i < 3; ++i) {
    const Side side{TriangleId(0), i};
    EXPECT_FALSE(tet.may_collapse(side, tet.mesh().clockwise_node(side)));
    EXPECT_FALSE(tet.may_flip(side));
    EXPECT_FALSE(triangle.may_collapse(side, triangle.mesh().clockwise_node(side)));
    EXPECT_FALSE(triangle.may_flip(side));
  }
}

TEST(EditableSurface, LinesAreSplitButNotFlipped) {
  Dice dice(3);
  const SurfaceSample s = square_sheet(2, 0, dice);
  EditableSurface surface{TriMesh(s.points, s.triangles)};
  Side side{TriangleId(0), 0};
  while (!surface.may_flip(side)) side.index++;
  surface.set_line(side, 7);
  EXPECT_FALSE(surface.may_flip(side));
  const TriMesh::EdgeSplit split = surface.split(side, 0.5);
  EXPECT_EQ(surface.line(side), 7u);
  EXPECT_EQ(surface.line({split.child, side.index}), 7u);
  surface.set_line(side, 8);
  EXPECT_EQ(surface.line({split.child, side.index}), 7u);
  expect_sound(surface, topology(mesh_of(surface)));
}

}  // namespace
}  // namespace sunder
