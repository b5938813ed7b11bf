#include "meshing/coarsen_walls.h"

#include <gtest/gtest.h>

#include <cmath>

#include "core/parallel.h"
#include "core/random.h"
#include "geometry/tetrahedron.h"
#include "mesh/boundary.h"
#include "mesh/validate.h"
#include "meshing/mesh_surface.h"
#include "meshing/mesh_testing.h"
#include "meshing/model_testing.h"

namespace sunder {
namespace {

using namespace model_testing;

// As `sunder drop` does it.
SurfaceMesh meshed(const TriangleMesh& model, double edge, double stretch = 4) {
  SurfaceMeshOptions options;
  options.edge = edge;
  options.fill.walls = 1.3;
  options.fill.stretch = stretch;
  return mesh_surface(model, options, "model");
}

int valid_with_euler_characteristic(const TetSoup& soup) {
  TetMesh mesh;
  mesh.append(soup, {});
  EXPECT_EQ(validate(mesh), std::vector<std::string>());
  const std::vector<BoundaryFace> faces = boundary_faces(mesh);
  EXPECT_TRUE(is_closed(faces));
  return mesh_testing::euler_characteristic(faces);
}

double smallest_altitude_of(const TetSoup& soup) {
  double least = 1e300;
  for (const auto& [a, b, c, d] : soup.tets) {
    least = std::min(least, smallest_altitude({soup.points[a], soup.points[b], soup.points[c], soup.points[d]}));
  }
  return least;
}

TriangleMesh placed_at_random(const TriangleMesh& model, std::uint64_t seed) {
  return moved(model, random_rotation(seed), Vec3(random_unit(seed, 1), random_unit(seed, 2), random_unit(seed, 3)));
}

constexpr double kWall = 0.05, kHeight = 1;

TEST(CoarsenWalls, ACupHasAFewThousandTetsWhereverItStands) {
  for (std::uint64_t seed = 1; seed <= 2; ++seed) {
    const TriangleMesh model = placed_at_random(cup(0.4, kHeight, kWall, 64), seed);
    const SurfaceMesh mesh = meshed(model, 0.12);
    EXPECT_LT(mesh.report.tets, 3500u);
    EXPECT_NEAR(mesh.report.volume / volume_of(model), 1, 0.02) << "seed " << seed;
    EXPECT_EQ(mesh.report.pieces, 1u);
    EXPECT_EQ(valid_with_euler_characteristic(mesh.soup), 2);
    EXPECT_GT(smallest_altitude_of(mesh.soup), 0.2 * kWall);  // so long may steps be
    EXPECT_LT(mesh.report.deviation_max, 0.35 * kWall);
    EXPECT_LT(mesh.report.back_deviation_max, 0.35 * kWall);
    EXPECT_GT(mesh.report.sharp_length_kept, 0.95 * mesh.report.sharp_length);
    if (seed > 1) continue;
    EXPECT_LT(5 * mesh.report.tets, meshed(model, 0.12, 0).report.tets);  // what the lattice makes of it
  }
}

TEST(CoarsenWalls, AHandleStaysAHandle) {
  // A ring through the wall: the part that sticks into the cup is left out of the way of its bottom and rim.
  const Mat3 upright = Eigen::AngleAxisd(std::numbers::pi / 2, Vec3::UnitX()).toRotationMatrix();
  const TriangleMesh model =
      joined(cup(0.4, kHeight, kWall, 64), moved(torus(0.2, 0.045, 20), upright, Vec3(0.42, 0, 0.5)));
  const SurfaceMesh mesh = meshed(placed_at_random(model, 5), 0.12);
  const SurfaceMesh fine = meshed(placed_at_random(model, 5), 0.12, 0);
  EXPECT_EQ(valid_with_euler_characteristic(mesh.soup), valid_with_euler_characteristic(fine.soup));
  EXPECT_NEAR(mesh.report.volume / fine.report.volume, 1, 0.02);
  EXPECT_LT(3 * mesh.report.tets, fine.report.tets);
  EXPECT_EQ(mesh.report.pieces, 1u);
}

TEST(CoarsenWalls, EveryPointOfTheBoundaryLiesOnTheSurface) {
  const TriangleMesh model = cup(0.4, kHeight, kWall, 64);
  const SurfaceMesh mesh = meshed(model, 0.12);
  const TriangleTree tree(model.points, model.triangles);
  TetMesh tets;
  tets.append(mesh.soup, {});
  for (const NodeId node : boundary_nodes(boundary_faces(tets))) {
    EXPECT_LT(tree.nearest(tets.material_position(node)).distance, 1e-9);
  }
}

TEST(CoarsenWalls, HolesAndFlippedFacesDoNoHarm) {
  const TriangleMesh clean = cup(0.4, kHeight, kWall, 64);
  const SurfaceMesh mesh = meshed(with_flips(without(subdivided(clean), 0.01, 3), 0.1, 4), 0.12);
  EXPECT_NEAR(mesh.report.volume / volume_of(clean), 1, 0.03);
  EXPECT_EQ(valid_with_euler_characteristic(mesh.soup), 2);
  EXPECT_LT(mesh.report.tets, 8000u);
}

TEST(CoarsenWalls, WhatIsNotThinStaysAsItIs) {
  const SurfaceMesh plain = meshed(torus(1, 0.4, 24), 0.2, 0), stretched = meshed(torus(1, 0.4, 24), 0.2, 4);
  EXPECT_EQ(plain.soup.points, stretched.soup.points);
  EXPECT_EQ(plain.soup.tets, stretched.soup.tets);
}

TEST(CoarsenWalls, IsTheSameForAnyNumberOfThreads) {
  const TriangleMesh model = cup(0.4, 0.5, 0.08, 32);
  const SurfaceMesh expected = meshed(model, 0.16);
  for (const int threads : {1, 3}) {
    SurfaceMesh found;
    Threads(threads).run([&] { found = meshed(model, 0.16); });
    EXPECT_EQ(found.soup.points, expected.soup.points) << threads;
    EXPECT_EQ(found.soup.tets, expected.soup.tets);
  }
}

TEST(CoarsenWalls, ShortEdgesThatAreAskedForStay) {
  SurfaceMeshOptions options;
  options.edge = 0.16;
  options.fill.walls = 1.3;
  options.fill.stretch = 4;
  options.fill.finer = {{Vec3(0.4, 0, 0.25), 0.15, 0.04}};
  const TriangleMesh model = cup(0.4, 0.5, 0.08, 32);
  const auto near = [&](const TetSoup& soup) {
    std::size_t count = 0;
    for (const Vec3& x : soup.points) count += (x - options.fill.finer[0].centre).norm() < 0.15 ? 1 : 0;
    return count;
  };
  EXPECT_GT(near(mesh_surface(model, options, "cup").soup), 3 * near(meshed(model, 0.16).soup));
}

}  // namespace
}  // namespace sunder
