#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <set>

#include "fracture/split_testing.h"
#include "mesh/boundary.h"
#include "solvers/regions.h"

namespace sunder {
namespace {

// All of a body's outside, pressed.
Regions pressed_all_round(const TetMesh& mesh) {
  Region pressed;
  pressed.name = "air", pressed.kind = Region::Kind::pressure, pressed.pressure = 1;
  for (const BoundaryFace& face : boundary_faces(mesh)) pressed.faces.push_back(face.nodes);
  Regions regions({pressed});
  regions.bind(mesh);
  return regions;
}

std::set<std::array<NodeId, 3>> sorted(const std::vector<std::array<NodeId, 3>>& faces) {
  std::set<std::array<NodeId, 3>> result;
  for (std::array<NodeId, 3> nodes : faces) {
    std::rotate(nodes.begin(), std::min_element(nodes.begin(), nodes.end()), nodes.end());  // keeps the orientation
    result.insert(nodes);
  }
  return result;
}

// The outer surface as it is now: boundary faces that are not crack surface.
std::set<std::array<NodeId, 3>> outer_faces(const TetMesh& mesh) {
  std::vector<std::array<NodeId, 3>> faces;
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    for (int i = 0; mesh.alive(t) && i < 4; ++i) {
      if (!mesh.neighbour({t, i}).valid() && (mesh.crack_faces(t) >> i & 1) == 0)
        faces.push_back(mesh.face_nodes({t, i}));
    }
  }
  return sorted(faces);
}

Vec3 direction(std::uint64_t draw) {
  return {random_unit(1, draw) - 0.5, random_unit(2, draw) - 0.5, random_unit(3, draw) - 0.5};
}

TEST(RegionUpkeep, WhatIsPressedStaysTheOuterSurfaceWhateverIsSplit) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SplitBody body(seed);
    Regions regions = pressed_all_round(body.mesh);
    NodeSplitter splitter;
    int done = 0;
    for (std::uint64_t draw = 0; draw < 40; ++draw) {
      const SplitResult& result = body.split(splitter, body.random_node(draw), direction(draw));
      if (!result.done()) continue;
      ++done;
      regions.follow(result, body.mesh, Column<NodeId, double>(body.mesh.node_slots(), 1));
      ASSERT_EQ(sorted(regions[0].faces), outer_faces(body.mesh)) << seed << " " << draw;
    }
    EXPECT_GT(done, 3) << seed;

    Writer out;
    regions.save_members(out);
    Regions again({regions[0]});
    again.bind(body.mesh);
    Reader in(out.bytes(), "test");
    again.load_members(in, body.mesh);
    EXPECT_EQ(again[0].faces, regions[0].faces) << "in the same order: it decides the bits of sums";
  }
}

}  // namespace
}  // namespace sunder
