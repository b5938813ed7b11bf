#include "meshing/union_mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <set>
#include <string>

#include "core/error.h"
#include "core/parallel.h"
#include "mesh/boundary.h"
#include "mesh/quality.h"
#include "mesh/validate.h"
#include "meshing/mesh_shape.h"
#include "meshing/mesh_testing.h"
#include "meshing/shape_samples.h"
#include "shapes/signed_distance.h"

namespace sunder {
namespace {

using std::numbers::pi;

constexpr double kDegree = pi / 180;

UnionPart part(const std::string& name, const PartShape& shape, const Vec3& position) {
  return {name, shape, position, Vec3::Zero()};
}

double volume(const Shape& shape, double edge) { return mesh_quality(mesh_shape(shape, edge, 1)).volume; }

TEST(UnionMesh, TwoBallsOverlapOnce) {
  // Two balls of radius 1 at a distance of 1 share a lens of 5 pi / 12.
  const UnionShape balls{{part("a", SphereShape{1}, {0, 0, 0}), part("b", SphereShape{1}, {1, 0, 0})}};
  EXPECT_NEAR(volume(balls, 0.16), 2 * 4 * pi / 3 - 5 * pi / 12, 0.02 * 8 * pi / 3);
}

TEST(UnionMesh, PartsAreTurnedAndMovedLikeBodies) {
  // A long box, turned from x to y, and moved.
  const UnionShape turned{{{"bar", BoxShape{{1, 0.4, 0.4}}, Vec3(3, 0, 0), Vec3(0, 0, 90)}}};
  const MeshQuality q = mesh_quality(mesh_shape(turned, 0.15, 1));
  EXPECT_NEAR(q.lower.x(), 2.8, 1e-6);
  EXPECT_NEAR(q.upper.y(), 0.5, 1e-6);
  EXPECT_NEAR(q.volume, 0.16, 2e-3);
}

TEST(UnionMesh, AMugIsOnePieceOfGoodTetsAndItsFacesKnowTheirParts) {
  const UnionShape mug{
      {part("cup", CupShape{0.1, 0.2, 0.03}, {0, 0, 0}),
       part("handle",
            TubeShape{{{0, 0.05, 0}, {0.05, 0.055, 0}, {0.07, 0, 0}, {0.045, -0.05, 0}, {-0.005, -0.05, 0}},
                      0.013,
                      0,
                      false,
                      {}},
            {0.12, 0, 0})}};
  const TetSoup soup = mesh_shape(mug, 0.02, 1);
  TetMesh mesh;
  mesh.append(soup, {});
  ASSERT_EQ(validate(mesh), std::vector<std::string>());
  EXPECT_EQ(mesh_testing::pieces(soup), 1u);
  EXPECT_GE(mesh_quality(soup).min_dihedral, 15 * kDegree);
  EXPECT_EQ(soup.skin.size(), boundary_faces(mesh).size());
  const std::set<std::string> names(soup.part_names.begin(), soup.part_names.end());
  for (const char* name : {"cup-outside", "cup-inside", "cup-rim", "handle-surface"}) EXPECT_EQ(names.count(name), 1u);
  EXPECT_EQ(names.count("handle-start"), 0u);  // within the wall
  // Every face lies on the part that it names: the handle's are beyond the cup.
  for (const SkinFace& face : soup.skin) {
    if (soup.part_names[face.skin.part] != "handle-surface") continue;
    for (const std::uint32_t p : soup.tets[face.tet]) EXPECT_GT(soup.points[p].x(), 0.05);
  }
}

TEST(UnionMesh, TheVolumeIsThatOfTheSignedDistance) {
  const GobletShape goblet{0.05, 0.16, 0.012};
  const DistanceFunction distance = signed_distance(goblet);
  constexpr int across = 48, up = 72;
  const Vec3 step(0.102 / across, 0.162 / up, 0.102 / across);
  std::size_t inside = 0;
  for (int i = 0; i < across * across * up; ++i) {
    const int column = i % across, level = i / across % up, row = i / (across * up);
    const Vec3 cell(column, level, row);
    if (distance((cell + Vec3::Constant(0.5)).cwiseProduct(step) - Vec3(0.051, 0.081, 0.051)) < 0) ++inside;
  }
  EXPECT_NEAR(volume(goblet, default_edge(goblet)) / (static_cast<double>(inside) * step.prod()), 1, 0.02);
}

TEST(UnionMesh, IsTheSameForAnyNumberOfThreads) {
  const GobletShape goblet{0.05, 0.16, 0.012};
  const auto mesh = [&](int threads) {
    TetSoup soup;
    Threads(threads).run([&] { soup = mesh_shape(goblet, MeshOptions{}); });
    return soup;
  };
  const TetSoup one = mesh(1), three = mesh(3);
  EXPECT_EQ(one.points, three.points);
  EXPECT_EQ(one.tets, three.tets);
  EXPECT_EQ(one.skin, three.skin);
}

TEST(UnionMesh, WhatCannotBeIsRefused) {
  EXPECT_THROW(mesh_shape(UnionShape{{}}, MeshOptions{}), InputError);
  EXPECT_THROW(mesh_shape(GobletShape{0.05, 0.16, 0.03}, MeshOptions{}), InputError);
  EXPECT_THROW(mesh_shape(GobletShape{0.05, 0.5, 0.006}, MeshOptions{}), InputError);
  EXPECT_THROW(mesh_shape(TeapotShape{0.1, 0.03, true}, MeshOptions{}), InputError);
  EXPECT_THROW(mesh_shape(TeapotShape{}, MeshOptions{1e-9, 0, 1}), InputError);
}

TEST(UnionMesh, AGobletHasItsMeasures) {
  const MeshQuality q = mesh_quality(mesh_shape(GobletShape{0.05, 0.16, 0.01}, MeshOptions{}));
  EXPECT_NEAR(q.upper.x(), 0.05, 1e-3);
  EXPECT_NEAR(q.upper.y(), 0.08, 1e-3);
  EXPECT_NEAR(q.lower.y(), -0.08, 1e-3);
}

}  // namespace
}  // namespace sunder
