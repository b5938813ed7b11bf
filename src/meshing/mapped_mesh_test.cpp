#include "meshing/mapped_mesh.h"

#include <gtest/gtest.h>

#include <cmath>
#include <map>
#include <numbers>
#include <set>
#include <string>
#include <vector>

#include "core/parallel.h"
#include "geometry/tetrahedron.h"
#include "mesh/boundary.h"
#include "mesh/quality.h"
#include "mesh/validate.h"
#include "meshing/mesh_shape.h"
#include "meshing/mesh_testing.h"
#include "meshing/shape_samples.h"
#include "meshing/triangulate_sheet.h"
#include "shapes/mapped_shapes.h"

namespace sunder {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

// Finer ones, and more seeds: mapped_mesh_slow_test.cpp.
TEST(MappedMesh, EveryShapeIsValidAndWellShaped) {
  for (const ShapeSample& sample : shape_samples()) {
    const double edge = 1.3 * default_edge(sample.shape);
    const TetSoup soup = mesh_shape(sample.shape, MeshOptions{edge, 0, 1});
    TetMesh mesh;
    mesh.append(soup, {});
    ASSERT_EQ(validate(mesh), std::vector<std::string>()) << sample.name;
    const MeshQuality q = mesh_quality(soup);
    EXPECT_GE(q.min_dihedral, 15 * kDegree) << sample.name;
    EXPECT_GE(q.min_quality, 0.25) << sample.name;
    EXPECT_EQ(mesh_testing::euler_characteristic(boundary_faces(mesh)), sample.euler) << sample.name;
    EXPECT_NEAR(static_cast<double>(q.tets) / estimated_tets(sample.shape, edge), 1, 0.4) << sample.name;
  }
}

TEST(MappedMesh, ABowlOfOneLayerHasTwoThousandGoodTets) {
  const TetSoup soup = mesh_shape(BowlShape{0.15, 0.09, 0.01}, 0.018, 1);
  const MeshQuality q = mesh_quality(soup);
  EXPECT_NEAR(static_cast<double>(q.tets), 2250, 150);
  EXPECT_GE(q.min_dihedral, 18 * kDegree);
  EXPECT_NEAR(q.upper.x(), 0.15, 1e-3);
  EXPECT_NEAR(q.upper.y() - q.lower.y(), 0.09, 1e-3);
}

TEST(MappedMesh, AWallOfTwoLayersComesNearThePapersCounts) {
  // OH99 has 338 nodes and 1109 tets.
  const MeshQuality q = mesh_quality(mesh_shape(SlabShape{Vec3(2, 1.4, 0.2)}, MeshOptions{0.19, 2, 1}));
  EXPECT_NEAR(static_cast<double>(q.nodes), 338, 30);
  EXPECT_NEAR(static_cast<double>(q.tets), 1109, 110);
  EXPECT_NEAR(q.volume, 0.56, 1e-12);
}

TEST(MappedMesh, LayersAreAsAsked) {
  for (const std::uint32_t layers : {1u, 3u}) {
    const TetSoup soup = mapped_tets(map_shape(SlabShape{Vec3(1, 1, 0.1)}), 0.2, layers, 1);
    std::set<double> heights;
    for (const Vec3& p : soup.points) heights.insert(p.z());
    EXPECT_EQ(heights.size(), layers + 1);
  }
}

// Directions of inner edges of a flat sheet, in bins of 10 degrees: no direction is preferred.
TEST(MappedMesh, EdgesHaveNoPreferredDirection) {
  constexpr std::size_t bins = 18;
  std::vector<double> count(bins, 0);
  double all = 0;
  for (std::uint64_t seed = 1; seed <= 6; ++seed) {
    const Sheet sheet = triangulate_sheet(map_shape(SlabShape{Vec3(1, 1, 0.05)}), 0.04, seed);
    for (const auto& triangle : sheet.mesh.triangles()) {
      for (std::size_t i = 0; i < 3; ++i) {
        const auto &a = sheet.mesh.vertices()[triangle.corners[i]],
                   &b = sheet.mesh.vertices()[triangle.corners[(i + 1) % 3]];
        const Vec2 middle = (a.chart + b.chart) / 2;
        if (triangle.corners[i] > triangle.corners[(i + 1) % 3]) continue;  // each edge once
        if ((middle - Vec2(0.5, 0.5)).cwiseAbs().maxCoeff() > 0.35) continue;
        double angle = std::atan2(b.chart.y() - a.chart.y(), b.chart.x() - a.chart.x()) / std::numbers::pi;
        angle -= std::floor(angle);
        count[std::min(bins - 1, static_cast<std::size_t>(angle * bins))] += 1;
        all += 1;
      }
    }
  }
  ASSERT_GT(all, 4000);
  // A lattice would have three or four full bins and the rest empty; independent directions scatter by 6 %.
  for (std::size_t i = 0; i < bins; ++i) EXPECT_NEAR(count[i] / all * bins, 1, 0.25) << 10 * i << " degrees";
}

TEST(MappedMesh, TheSameSeedGivesTheSameMeshOnAnyNumberOfThreads) {
  const auto mesh = [](int threads, std::uint64_t seed) {
    TetSoup soup;
    Threads(threads).run([&] { soup = mesh_shape(CupShape{}, MeshOptions{0.008, 0, seed}); });
    return soup;
  };
  const TetSoup one = mesh(1, 5), three = mesh(3, 5), other = mesh(1, 6);
  EXPECT_EQ(one.points, three.points);
  EXPECT_EQ(one.tets, three.tets);
  EXPECT_EQ(one.skin, three.skin);
  EXPECT_NE(one.points, other.points);
}

TEST(MappedMesh, EveryBoundaryFaceKnowsItsPart) {
  for (const ShapeSample& sample : shape_samples()) {
    const TetSoup soup = mesh_shape(sample.shape, MeshOptions{});
    TetMesh mesh;
    mesh.append(soup, {});
    std::set<std::pair<std::uint32_t, std::uint32_t>> named;
    for (const SkinFace& face : soup.skin) {
      EXPECT_TRUE(named.insert({face.tet, face.face}).second) << sample.name;
      ASSERT_LT(face.skin.part, soup.part_names.size());
    }
    std::set<std::pair<std::uint32_t, std::uint32_t>> boundary;
    for (const BoundaryFace& face : boundary_faces(mesh)) {
      boundary.insert({face.face.tet.index, static_cast<std::uint32_t>(face.face.index)});
    }
    EXPECT_EQ(named, boundary) << sample.name;
  }
}

TEST(MappedMesh, PartsOfABowlLieWhereTheirNamesSay) {
  const BowlShape bowl;
  const TetSoup soup = mesh_shape(bowl, MeshOptions{0.018, 1, 1});
  std::map<std::string, double> area;
  for (const SkinFace& face : soup.skin) {
    const auto& tet = soup.tets[face.tet];
    const auto corner = [&](std::size_t i) {
      return soup.points[tet[static_cast<std::size_t>(kTetFaces[face.face][i])]];
    };
    const Vec3 twice = (corner(1) - corner(0)).cross(corner(2) - corner(0));
    const std::string& part = soup.part_names[face.skin.part];
    area[part] += twice.norm() / 2;
    const Vec3 middle = (corner(0) + corner(1) + corner(2)) / 3;
    if (part == "rim") {
      EXPECT_NEAR(middle.y(), bowl.depth / 2, 1e-3);
    }
    // Normals look away from the axis and down outside, and the other way inside.
    const Vec3 outwards = middle - Vec3(0, bowl.depth / 2, 0);
    if (part == "outside") {
      EXPECT_GT(twice.dot(outwards), 0);
    }
    if (part == "inside") {
      EXPECT_LT(twice.dot(outwards), 0);
    }
  }
  EXPECT_EQ(area.size(), 3u);
  EXPECT_NEAR(area["rim"], std::numbers::pi * (0.15 * 0.15 - 0.14 * 0.14), 3e-4);
  EXPECT_GT(area["outside"], area["inside"]);
}

TEST(MappedMesh, TextureCoordinatesAreContinuousAcrossEveryFace) {
  for (const ShapeSample& sample : shape_samples()) {
    for (const SkinFace& face : mesh_shape(sample.shape, MeshOptions{}).skin) {
      for (std::size_t i = 0; i < 3; ++i) {
        const Vec2 step = face.skin.uv[(i + 1) % 3] - face.skin.uv[i];
        EXPECT_LE(std::abs(step.x()), sample.straight ? 1 : 0.7) << sample.name;  // no jump across a seam
        EXPECT_GE(face.skin.uv[i].y(), -1e-12);
        EXPECT_LE(face.skin.uv[i].y(), 1 + 1e-12);
      }
    }
  }
}

TEST(MappedMesh, HexahedraFillTheSameShape) {
  for (const ShapeSample& sample : shape_samples()) {
    if (!has_layers(sample.shape)) continue;
    const HexSoup soup = hex_shape(sample.shape, MeshOptions{});
    ASSERT_FALSE(soup.cells.empty());
    double volume = 0;
    for (const auto& cell : soup.cells) {
      std::array<Vec3, 8> x;
      for (std::size_t i = 0; i < 8; ++i) x[i] = soup.points[cell[i]];
      // Five tets; the corner ones must all stand upright.
      for (const auto& [a, b, c, d] : {std::array{0, 1, 3, 4}, {2, 3, 1, 6}, {5, 4, 6, 1}, {7, 6, 4, 3}}) {
        const double v = signed_volume({x[static_cast<std::size_t>(a)], x[static_cast<std::size_t>(b)],
                                        x[static_cast<std::size_t>(c)], x[static_cast<std::size_t>(d)]});
        EXPECT_GT(v, 0) << sample.name;
        volume += v;
      }
      volume += signed_volume({x[1], x[3], x[4], x[6]});
    }
    EXPECT_NEAR(volume / *exact_volume(sample.shape), 1, 0.05) << sample.name;
  }
}

}  // namespace
}  // namespace sunder
