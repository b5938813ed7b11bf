#pragma once
// The pairs of surface tets that overlap, by brute force.

#include <gtest/gtest.h>

#include <algorithm>
#include <vector>

#include "collision/near_faces_testing.h"
#include "collision/near_tets.h"
#include "geometry/tet_overlap.h"

namespace sunder::testing {

// With a node of one within `reach` of a face of the other: a part of those that are.
inline std::vector<NearTets::Pair> tets_within(const TetMesh& mesh, const Column<NodeId, Vec3>& x, double reach) {
  std::vector<NearTets::Pair> pairs;
  for (const TetId a : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(a) || boundary_faces_of(mesh, a) == 0) continue;
    for (const TetId b : id_range<TetId>(mesh.tet_slots())) {
      if (a == b || !mesh.alive(b) || boundary_faces_of(mesh, b) == 0) continue;
      if (share_a_node(mesh.corners(a), mesh.corners(b))) continue;
      bool close = false;
      for (const NodeId n : mesh.corners(a)) {
        for (int i = 0; i < 4 && !close; ++i) {
          const auto f = mesh.face_nodes({b, i});
          close = (closest_point({x[f[0]], x[f[1]], x[f[2]]}, x[n]).point - x[n]).norm() <= reach;
        }
      }
      close = close || tet_overlap(mesh.corner_positions(a, x), mesh.corner_positions(b, x)).volume > 0;
      if (close) pairs.push_back({std::min(a, b), std::max(a, b)});
    }
  }
  std::sort(pairs.begin(), pairs.end());
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return pairs;
}

// Everything within reach is in the list.
inline void expect_complete(const NearTets& near, const Blocks& blocks, double reach) {
  const std::vector<NearTets::Pair> needed = tets_within(blocks.mesh, blocks.position, reach);
  EXPECT_TRUE(std::includes(near.pairs().begin(), near.pairs().end(), needed.begin(), needed.end()));
  EXPECT_GT(needed.size(), 20u);
}

}  // namespace sunder::testing
