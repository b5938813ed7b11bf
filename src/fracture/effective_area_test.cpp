#include "fracture/effective_area.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "core/column.h"
#include "fracture/separation_tensor.h"
#include "geometry/tetrahedron.h"
#include "mesh/tet_mesh.h"
#include "meshing/box_mesh.h"

namespace sunder {
namespace {

// v grad b of the tets round a node: a third of the opposite faces, inward.
std::vector<Vec3> scaled_gradients(const TetMesh& mesh, NodeId node) {
  std::vector<Vec3> result;
  for (const Corner c : mesh.star(node)) {
    const auto n = mesh.face_nodes(c);
    const Vec3& a = mesh.material_position(n[0]);
    Vec3 g = (mesh.material_position(n[1]) - a).cross(mesh.material_position(n[2]) - a) / 6;
    if (g.dot(mesh.material_position(node) - a) < 0) g = -g;
    result.push_back(g);
  }
  return result;
}

double size_of(const std::vector<Vec3>& vectors) {
  double sum = 0;
  for (const Vec3& v : vectors) sum += v.norm();
  return sum;
}

TEST(EffectiveArea, TurnsTheSeparationUnderUniaxialStressIntoThatStress) {
  TetMesh mesh;
  mesh.append(box_mesh(Vec3(0.1, 0.08, 0.08), 0.02, 1), {});
  const double stress = 3e4;
  std::size_t seen = 0;
  for (const Vec3& n : {Vec3(Vec3::UnitX()), Vec3(Vec3(1, 2, -0.5).normalized())}) {
    for (const NodeId node : id_range<NodeId>(mesh.node_slots())) {
      const Vec3 x = mesh.material_position(node);
      const bool inner = std::abs(x.x()) < 0.049 && std::abs(x.y()) < 0.039 && std::abs(x.z()) < 0.039;
      if (!inner) continue;
      const std::vector<Vec3> a = scaled_gradients(mesh, node);
      std::vector<Vec3> pulls, pushes(a.size(), Vec3::Zero());
      for (const Vec3& g : a) pulls.push_back(-stress * n * n.dot(g));
      const Separation s = largest_separation(separation_tensor(pulls, pushes));
      EXPECT_NEAR(s.eigenvalue / effective_area(a, n, size_of(a)), stress, 1e-9 * stress);
      EXPECT_NEAR(std::abs(s.normal.dot(n)), 1, 1e-9);
      ++seen;
    }
  }
  EXPECT_GT(seen, 50u);
}

TEST(EffectiveArea, IsThatOfTheCrossSectionWhenSummedOverAPlaneOfNodes) {
  TetMesh mesh;
  mesh.append(box_mesh(Vec3(0.1, 0.06, 0.04), 0.02, 1), {});
  // Each node's share is 1/2 sum |v g . n|, and sum over all nodes of v |g . n| is the volume over the length that the
  // shape functions change in: the sum over nodes of A times an edge is about the volume.
  double inner = 0, count = 0;
  for (const NodeId node : id_range<NodeId>(mesh.node_slots())) {
    const Vec3 x = mesh.material_position(node);
    if (std::abs(x.x()) > 0.045 || std::abs(x.y()) > 0.025 || std::abs(x.z()) > 0.015) continue;
    const std::vector<Vec3> a = scaled_gradients(mesh, node);
    inner += effective_area(a, Vec3::UnitX(), size_of(a)), ++count;
  }
  EXPECT_GT(count, 0);
  EXPECT_NEAR(inner / count, 0.02 * 0.02, 0.5 * 0.02 * 0.02);
}

TEST(EffectiveArea, IsNeverBelowItsBound) {
  TetMesh mesh;
  mesh.append(box_mesh(Vec3(0.1, 0.08, 0.08), 0.02, 3), {});
  bool reached = false;
  for (const NodeId node : id_range<NodeId>(mesh.node_slots())) {
    const std::vector<Vec3> a = scaled_gradients(mesh, node);
    const double areas = size_of(a);
    for (const Vec3& n : {Vec3(Vec3::UnitX()), Vec3(Vec3::UnitY()), Vec3(Vec3(1, 1, 1).normalized())}) {
      const double area = effective_area(a, n, areas);
      EXPECT_GE(area, least_effective_area(areas));
      reached = reached || area == least_effective_area(areas);
    }
  }
  EXPECT_TRUE(reached) << "the planes along a face hardly meet the stars of its nodes";
}

}  // namespace
}  // namespace sunder
