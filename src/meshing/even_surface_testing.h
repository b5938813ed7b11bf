#pragma once
// What must hold of a surface that was meshed anew, whatever it was, and surfaces at random to see it on.

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <vector>

#include "mesh/surface_testing.h"
#include "mesh/surface_topology_testing.h"
#include "mesh/tri_mesh.h"
#include "meshing/even_surface.h"
#include "meshing/model_testing.h"
#include "spatial/triangle_tree.h"

namespace sunder::even_surface_testing {

inline std::vector<double> edge_lengths(const TriangleMesh& mesh) {
  std::vector<double> lengths;
  for (const auto& t : mesh.triangles) {
    for (std::size_t k = 0; k < 3; ++k) lengths.push_back((mesh.points[t[k]] - mesh.points[t[(k + 1) % 3]]).norm());
  }
  std::sort(lengths.begin(), lengths.end());
  return lengths;
}

// A closed or open surface, smooth or jagged, of triangles at random, with values that go from 0 to 1.
inline TriangleMesh random_surface(Dice& dice) {
  TriangleMesh mesh;
  const auto take = [&](const SurfaceSample& s) { mesh.points = s.points, mesh.triangles = s.triangles; };
  const auto whole = [&](double low, double high) { return static_cast<std::uint32_t>(dice(low, high + 1)); };
  switch (whole(0, 4)) {
    case 0:
      take(ball_surface(1, static_cast<int>(whole(0, 2))));
      break;
    case 1:
      mesh = model_testing::torus(1, dice(0.2, 0.8), whole(3, 9));
      break;
    case 2:
      take(cylinder_surface(dice(0.3, 1), dice(0.5, 2), whole(4, 14), whole(1, 8)));
      break;
    case 3:
      take(square_sheet(whole(1, 8), 0.3, dice));
      for (Vec3& p : mesh.points) p /= 4;
      break;
    default:  // holes, and pieces that hang together at points only
      take(square_sheet(whole(4, 8), 0.3, dice));
      for (Vec3& p : mesh.points) p /= 4;
      std::erase_if(mesh.triangles, [&](const auto&) { return dice(0, 1) < 0.15; });
      if (mesh.triangles.empty()) mesh.triangles.push_back({0, 1, 2});
  }
  const double rough = dice(0, 1) < 0.5 ? 0 : dice(0, 0.15);
  const Mat3 turn = dice.rotation();
  const Vec3 stretch = dice.vec(0.3, 1.5);
  for (Vec3& p : mesh.points) {
    p = turn * (p + rough * dice.vec(-1, 1)).cwiseProduct(stretch);
    if (mesh.attributes.empty()) mesh.attributes.push_back({"value", {}});
    mesh.attributes[0].values.push_back(dice(0, 1));
  }
  mesh.face_attributes.push_back({"face", {}});
  for (std::size_t t = 0; t < mesh.triangles.size(); ++t) mesh.face_attributes[0].values.push_back(dice(0, 1));
  return mesh;
}

inline void expect_even_surface(const TriangleMesh& input, const EvenSurfaceOptions& options) {
  const TriangleMesh even = even_surface(input, options);
  const TriMesh before(input.points, input.triangles), after(even.points, even.triangles);
  EXPECT_EQ(after.problems(), std::vector<std::string>());
  EXPECT_EQ(topology(after), topology(before));
  EXPECT_EQ(after.node_count(), even.points.size());  // none is used by two fans

  // Near each other, both ways.
  const double reach = (options.deviation + 1e-9) * options.edge;
  const TriangleTree old_tree(input.points, input.triangles), new_tree(even.points, even.triangles);
  for (const auto& [a, b, c] : even.triangles) {
    const Vec3 &x = even.points[a], &y = even.points[b], &z = even.points[c];
    for (const Vec3& p : {x, y, z, Vec3((x + y) / 2), Vec3((y + z) / 2), Vec3((z + x) / 2), Vec3((x + y + z) / 3)}) {
      EXPECT_LE(old_tree.nearest(p).distance, reach);
    }
  }
  for (const auto& t : input.triangles) {
    for (const std::uint32_t p : t) EXPECT_LE(new_tree.nearest(input.points[p]).distance, reach);
  }

  ASSERT_EQ(even.attributes.size(), input.attributes.size());
  ASSERT_EQ(even.face_attributes.size(), input.face_attributes.size());
  for (std::size_t a = 0; a < even.attributes.size(); ++a) {
    const auto& old_values = input.attributes[a].values;
    const auto [low, high] = std::minmax_element(old_values.begin(), old_values.end());
    ASSERT_EQ(even.attributes[a].values.size(), even.points.size());
    for (const double value : even.attributes[a].values) {
      EXPECT_GE(value, *low - 1e-12);
      EXPECT_LE(value, *high + 1e-12);
    }
  }
  for (std::size_t a = 0; a < even.face_attributes.size(); ++a) {
    const auto& old_values = input.face_attributes[a].values;
    ASSERT_EQ(even.face_attributes[a].values.size(), even.triangles.size());
    for (const double value : even.face_attributes[a].values) {
      EXPECT_NE(std::find(old_values.begin(), old_values.end(), value), old_values.end());
    }
  }
}

}  // namespace sunder::even_surface_testing
