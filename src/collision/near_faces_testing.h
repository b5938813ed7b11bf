#pragma once
// Three blocks side by side, and the pairs of their nodes and faces by brute force.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "collision/near_faces.h"
#include "core/random.h"
#include "geometry/triangle.h"
#include "mesh/boundary.h"
#include "meshing/box_mesh.h"

namespace sunder::testing {

inline std::vector<NearFaces::Pair> within(const TetMesh& mesh, const Column<NodeId, Vec3>& x, double reach) {
  const std::vector<BoundaryFace> faces = boundary_faces(mesh);
  std::vector<NearFaces::Pair> pairs;
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
  }
  void move(double by) {
    for (Vec3& x : position) {
      for (int a = 0; a < 3; ++a) x[a] += by * (random_unit(5, draw++) - 0.5);
    }
  }
  TetMesh mesh;
  Column<NodeId, Vec3> position;
  std::uint64_t draw = 0;
};

// Everything within reach is in the list, and nothing that has no business there.
inline void expect_complete(const NearFaces& near, const Blocks& blocks, double reach, double margin) {
  const std::vector<NearFaces::Pair> needed = within(blocks.mesh, blocks.position, reach);
  const std::vector<NearFaces::Pair> allowed = within(blocks.mesh, blocks.position, reach + 8 * margin);
  EXPECT_TRUE(std::includes(near.pairs().begin(), near.pairs().end(), needed.begin(), needed.end()));
  EXPECT_TRUE(std::includes(allowed.begin(), allowed.end(), near.pairs().begin(), near.pairs().end()));
  EXPECT_GT(needed.size(), 20u);
}

}  // namespace sunder::testing
