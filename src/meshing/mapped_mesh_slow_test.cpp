// Every shape at three resolutions and for several seeds.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <string>
#include <vector>

#include "mesh/quality.h"
#include "mesh/validate.h"
#include "meshing/mesh_shape.h"
#include "meshing/shape_samples.h"

namespace sunder {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

TEST(MappedMeshSlow, EveryShapeIsValidAndWellShapedAtThreeResolutions) {
  for (const ShapeSample& sample : shape_samples()) {
    for (const double factor : {1.3, 1.0, 0.7}) {
      for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        const TetSoup soup = mesh_shape(sample.shape, MeshOptions{factor * default_edge(sample.shape), 0, seed});
        TetMesh mesh;
        mesh.append(soup, {});
        ASSERT_EQ(validate(mesh), std::vector<std::string>()) << sample.name << " " << factor << " " << seed;
        const MeshQuality q = mesh_quality(soup);
        EXPECT_GE(q.min_dihedral, 15 * kDegree) << sample.name << " " << factor << " " << seed;
        EXPECT_GE(q.min_quality, 0.25) << sample.name << " " << factor << " " << seed;
      }
    }
  }
}

TEST(MappedMeshSlow, VolumeConvergesWithSecondOrder) {
  for (const ShapeSample& sample : shape_samples()) {
    if (!has_layers(sample.shape)) continue;
    const double edge = default_edge(sample.shape), exact = *exact_volume(sample.shape);
    const auto error = [&](double factor) {
      return std::abs(mesh_quality(mesh_shape(sample.shape, MeshOptions{factor * edge, 0, 1})).volume / exact - 1);
    };
    const double coarse = error(1.2), fine = error(0.4);
    if (sample.straight) {
      EXPECT_LT(coarse, 1e-12) << sample.name;
    } else {
      EXPECT_GT(std::log(coarse / fine) / std::log(3.0), 1.6) << sample.name;
      EXPECT_LT(fine, 0.015) << sample.name;
    }
  }
}

TEST(MappedMeshSlow, EveryLetterIsWellShaped) {
  for (const char c : std::string("ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.!?-&")) {
    for (const double edge : {0.034, 0.025, 0.017}) {
      const TetSoup soup = mesh_shape(TextShape{std::string(1, c), 0.2, 0.05}, MeshOptions{edge, 0, 1});
      EXPECT_GE(mesh_quality(soup).min_dihedral, 15 * kDegree) << c << " " << edge;
    }
  }
}

}  // namespace
}  // namespace sunder
