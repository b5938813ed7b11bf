// The broad phase of contact against brute force, while bodies move and crack.
#include "collision/near_faces.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/random.h"
#include "fracture/split.h"
#include "geometry/triangle.h"
#include "mesh/boundary.h"
#include "meshing/box_mesh.h"

namespace sunder {
namespace {

using Pair = NearFaces::Pair;

std::vector<Pair> within(const TetMesh& mesh, const Column<NodeId, Vec3>& x, double reach) {
  const std::vector<BoundaryFace> faces = boundary_faces(mesh);
  std::vector<Pair> pairs;
  for (const NodeId n : boundary_nodes(faces)) {
    for (const BoundaryFace& f : faces) {
      if (are_neighbours(mesh, n, f.face.tet)) continue;
      const TrianglePoint at = closest_point({x[f.nodes[0]], x[f.nodes[1]], x[f.nodes[2]]}, x[n]);
      if ((at.point - x[n]).norm() <= reach) pairs.push_back({n, face_number(f.face)});
    }
  }
  std::sort(pairs.begin(), pairs.end());
  return pairs;
}

struct Blocks {
  Blocks() {
    for (std::uint32_t b = 0; b < 3; ++b) {
      const TetSoup soup = box_mesh(Vec3::Ones(), 0.5, b + 1);
      mesh.append(soup, {b, b});
      for (const Vec3& p : soup.points) position.push_back(p + 1.02 * b * Vec3(1, 0.1, 0));
    }
    lengths = reference_lengths(mesh);
  }
  void move(double by) {
    for (Vec3& x : position) {
      for (int a = 0; a < 3; ++a) x[a] += by * (random_unit(5, draw++) - 0.5);
    }
  }
  void split() {
    const NodeId node(static_cast<std::size_t>(random_unit(6, draw++) * static_cast<double>(mesh.node_slots())));
    const Vec3 normal(random_unit(7, draw), random_unit(8, draw), random_unit(9, draw) - 0.5);
    ++draw;
    const SplitResult& result = splitter.split(mesh, node, normal, position, lengths);
    if (result.done()) carry_to_new_nodes(result, mesh, position);
  }
  TetMesh mesh;
  Column<NodeId, Vec3> position;
  Column<TetId, double> lengths;
  NodeSplitter splitter;
  std::uint64_t draw = 0;
};

// Everything within reach is in the list, and nothing that has no business there.
void expect_complete(const NearFaces& near, const Blocks& blocks, double reach, double margin) {
  const std::vector<Pair> needed = within(blocks.mesh, blocks.position, reach);
  const std::vector<Pair> allowed = within(blocks.mesh, blocks.position, reach + 4 * margin);
  EXPECT_TRUE(std::includes(near.pairs().begin(), near.pairs().end(), needed.begin(), needed.end()));
  EXPECT_TRUE(std::includes(allowed.begin(), allowed.end(), near.pairs().begin(), near.pairs().end()));
  EXPECT_GT(needed.size(), 20u);
}

TEST(NearFaces, HoldsAllPairsWithinReachWhileBodiesMove) {
  Blocks blocks;
  NearFaces near(0.1, 0.03);
  for (int step = 0; step < 60; ++step) {
    near.update(blocks.mesh, blocks.position);
    expect_complete(near, blocks, 0.1, 0.03);
    blocks.move(0.01);
  }
  EXPECT_GT(near.searches(), 2u);
  EXPECT_LT(near.searches(), 40u);  // the margin saves searches
}

TEST(NearFaces, HoldsAllPairsWithinReachWhileBodiesCrack) {
  Blocks blocks;
  NearFaces near(0.1, 0.03);
  for (int step = 0; step < 90; ++step) {
    near.update(blocks.mesh, blocks.position);
    expect_complete(near, blocks, 0.1, 0.03);
    EXPECT_EQ(near.faces(), boundary_faces(blocks.mesh).size());
    blocks.split();
    if (step % 3 == 0) blocks.move(0.008);
    if (step == 60) blocks.mesh.compact();
    ASSERT_FALSE(testing::Test::HasFailure()) << "step " << step;
  }
}

}  // namespace
}  // namespace sunder
