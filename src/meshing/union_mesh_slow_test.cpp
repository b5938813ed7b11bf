// Everything that is put together of parts, at three resolutions and for two seeds.

#include <gtest/gtest.h>

#include <numbers>

#include "mesh/boundary.h"
#include "mesh/quality.h"
#include "mesh/validate.h"
#include "meshing/mesh_shape.h"
#include "meshing/mesh_testing.h"
#include "meshing/shape_samples.h"

namespace sunder {
namespace {

TEST(UnionMeshSlow, EveryAssemblyIsOneGoodPiece) {
  for (const ShapeSample& sample : assembly_samples()) {
    for (const double factor : {1.3, 1.0, 0.8}) {
      for (std::uint64_t seed = 1; seed <= (factor == 1.0 ? 2u : 1u); ++seed) {
        const TetSoup soup = mesh_shape(sample.shape, MeshOptions{factor * default_edge(sample.shape), 0, seed});
        const std::string which = sample.name + " " + std::to_string(factor) + " " + std::to_string(seed);
        TetMesh mesh;
        mesh.append(soup, {});
        ASSERT_EQ(validate(mesh), std::vector<std::string>()) << which;
        const MeshQuality q = mesh_quality(soup);
        EXPECT_GE(q.min_dihedral, 15 * std::numbers::pi / 180) << which;
        EXPECT_GE(q.min_quality, 0.1) << which;
        EXPECT_EQ(mesh_testing::pieces(soup), 1u) << which;
        EXPECT_EQ(mesh_testing::euler_characteristic(boundary_faces(mesh)), sample.euler) << which;
      }
    }
  }
}

}  // namespace
}  // namespace sunder
