#include "meshing/mesh_surface.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include "core/error.h"
#include "core/parallel.h"
#include "geometry/tetrahedron.h"
#include "mesh/boundary.h"
#include "mesh/quality.h"
#include "mesh/soup_boundary.h"
#include "mesh/validate.h"
#include "meshing/model_testing.h"

namespace sunder {
namespace {

using namespace model_testing;
constexpr double kDegree = std::numbers::pi / 180;

SurfaceMesh meshed(const TriangleMesh& model, double edge) {
  SurfaceMeshOptions options;
  options.edge = edge;
  return mesh_surface(model, options, "model");
}

void expect_valid(const TetSoup& soup) {
  TetMesh mesh;
  mesh.append(soup, {});
  EXPECT_EQ(validate(mesh), std::vector<std::string>());
  EXPECT_TRUE(is_closed(boundary_faces(mesh)));
}

std::string refusal(const TriangleMesh& model, const SurfaceMeshOptions& options) {
  try {
    mesh_surface(model, options, "model.obj");
  } catch (const InputError& error) {
    return error.what();
  }
  return "";
}
std::string refusal(const TriangleMesh& model, double edge) {
  SurfaceMeshOptions options;
  options.edge = edge;
  return refusal(model, options);
}
void expect_says(const std::string& message, const std::string& part) {
  EXPECT_NE(message.find(part), std::string::npos) << "message: " << message;
}

// --- sharp edges ----------------------------------------------------------------------------------------------------

// Distance from a point to the nearest of the twelve edges of the box [0, size].
double from_box_edges(const Vec3& x, const Vec3& size) {
  double best = 1e300;
  for (int axis = 0; axis < 3; ++axis) {
    for (int which = 0; which < 4; ++which) {
      const int b = (axis + 1) % 3, c = (axis + 2) % 3;
      best =
          std::min(best, std::hypot(x[b] - ((which & 1) != 0 ? size[b] : 0), x[c] - ((which & 2) != 0 ? size[c] : 0)));
    }
  }
  return best;
}

TEST(MeshSurface, ABoxKeepsItsCornersAndEdgesExactly) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    const Vec3 size(1 + random_unit(1, seed), 1 + random_unit(2, seed), 1 + random_unit(3, seed));
    const Mat3 turn = seed == 0 ? Mat3(Mat3::Identity()) : random_rotation(seed);
    const SurfaceMesh mesh = meshed(moved(box(size), turn, Vec3(5, -3, 2)), 0.25);
    expect_valid(mesh.soup);
    EXPECT_NEAR(mesh.report.volume / size.prod(), 1, 1e-9);
    EXPECT_EQ(mesh.report.corners_kept, 8u);
    EXPECT_EQ(mesh.report.curves_kept, 12u);
    EXPECT_GE(mesh.report.min_dihedral / kDegree, 10);
    // Not by our own account only: eight boundary points at the corners, and boundary edges that fill the rims.
    double rims = 0;
    std::size_t corners = 0;
    std::map<std::pair<std::uint32_t, std::uint32_t>, bool> seen;
    std::vector<Vec3> back;
    for (const Vec3& x : mesh.soup.points) back.emplace_back(turn.transpose() * (x - Vec3(5, -3, 2)));
    for (const Vec3& x : back) {
      const Vec3 off = (x.cwiseMin(size - x)).cwiseAbs();
      corners += off.maxCoeff() < 1e-9 ? 1 : 0;
    }
    for (const SoupFace& f : soup_boundary(mesh.soup)) {
      for (std::size_t i = 0; i < 3; ++i) {
        const std::uint32_t a = f.points[i], b = f.points[(i + 1) % 3];
        if (!seen.emplace(std::minmax(a, b), true).second) continue;
        const Vec3 middle = (back[a] + back[b]) / 2;
        if (from_box_edges(back[a], size) < 1e-9 && from_box_edges(back[b], size) < 1e-9 &&
            from_box_edges(middle, size) < 1e-9) {
          rims += (back[a] - back[b]).norm();
        }
      }
    }
    EXPECT_EQ(corners, 8u);
    EXPECT_NEAR(rims, 4 * size.sum(), 1e-6);
  }
}

TEST(MeshSurface, RimsOfCylindersAndCupsAreKept) {
  const SurfaceMesh can = meshed(cylinder(0.5, 1, 48), 0.15);
  EXPECT_EQ(can.report.curves_kept, 2u);
  EXPECT_NEAR(can.report.sharp_length_kept, 2 * std::numbers::pi, 0.02);
  EXPECT_NEAR(can.report.volume / can.report.input_volume, 1, 0.02);
  const SurfaceMesh mug = meshed(cup(0.5, 0.8, 0.12, 48), 0.1);
  EXPECT_EQ(mug.report.curves_kept, 4u);
  EXPECT_NEAR(mug.report.volume / mug.report.input_volume, 1, 0.01);
  EXPECT_GE(mug.report.min_dihedral / kDegree, 5);
  expect_valid(mug.soup);
}

TEST(MeshSurface, WithoutFeaturesEdgesAreBevelled) {
  SurfaceMeshOptions options;
  options.edge = 0.2;
  options.fill.sharp = 180;
  const SurfaceMesh mesh = mesh_surface(box({1, 1, 1}), options, "box");
  EXPECT_EQ(mesh.report.curves, 0u);
  EXPECT_LT(mesh.report.volume, 0.999);
}

// --- dirt -----------------------------------------------------------------------------------------------------------

class DirtyModels : public ::testing::Test {
 protected:
  const TriangleMesh clean_ = model_testing::sphere(1, 24);
  const double volume_ = volume_of(clean_);
  void expect_close(const TriangleMesh& dirty) {
    const SurfaceMesh mesh = meshed(dirty, 0.2);
    EXPECT_NEAR(mesh.report.volume / volume_, 1, 0.02);
    EXPECT_EQ(mesh.report.pieces, 1u);
    EXPECT_GE(mesh.report.min_dihedral / kDegree, 10);
    expect_valid(mesh.soup);
  }
};

TEST_F(DirtyModels, Clean) { expect_close(clean_); }
TEST_F(DirtyModels, Holes) {
  for (const double part : {0.01, 0.03, 0.05}) expect_close(without(clean_, part, 7));
}
TEST_F(DirtyModels, FlippedFaces) {
  expect_close(with_flips(clean_, 0.05, 1));
  expect_close(with_flips(clean_, 0.45, 1));
}
TEST_F(DirtyModels, DoubledFaces) {
  expect_close(with_doubles(clean_, 0.1, 1));
  expect_close(with_doubles(clean_, 2, 1));
}
TEST_F(DirtyModels, UnweldedFaces) { expect_close(unwelded(clean_)); }
TEST_F(DirtyModels, InsideOut) { expect_close(with_flips(clean_, 2, 1)); }
TEST_F(DirtyModels, ZeroAreaTriangles) {
  TriangleMesh mesh = clean_;
  for (std::uint32_t t = 0; t < 100; ++t) {
    mesh.triangles.push_back({t, t, t + 1});
    mesh.triangles.push_back({t, t + 1, t});
  }
  expect_close(mesh);
  EXPECT_EQ(meshed(mesh, 0.3).report.dropped, 200u);
}
TEST_F(DirtyModels, EverythingAtOnce) {
  expect_close(unwelded(without(with_doubles(with_flips(clean_, 0.05, 1), 0.1, 2), 0.03, 3)));
}
TEST_F(DirtyModels, FlipsInUnweldedTrianglesOfABox) {
  const TriangleMesh dirty = with_flips(unwelded(subdivided(subdivided(box({1, 1, 1})))), 0.1, 5);
  EXPECT_NEAR(meshed(dirty, 0.15).report.volume, 1, 1e-9);
}

TEST_F(DirtyModels, HolesInABoxAndInARing) {
  TriangleMesh cube = box({1, 1, 1});
  for (int i = 0; i < 4; ++i) cube = subdivided(cube);
  for (const TriangleMesh& model : {cube, torus(1, 0.5, 32)}) {
    const SurfaceMesh mesh = meshed(unwelded(without(with_flips(model, 0.03, 4), 0.03, 2)), 0.12);
    EXPECT_NEAR(mesh.report.volume / volume_of(model), 1, 0.02);
    EXPECT_EQ(mesh.report.pieces, 1u);
    expect_valid(mesh.soup);
  }
}

TEST(MeshSurface, OverlappingShellsBecomeOneSolid) {
  const TriangleMesh two = joined(box({1, 1, 1}), moved(box({1, 1, 1}), Mat3::Identity(), {0.5, 0.4, 0.3}));
  const SurfaceMesh mesh = meshed(two, 0.1);
  EXPECT_EQ(mesh.report.pieces, 1u);
  EXPECT_NEAR(mesh.report.volume / (2 - 0.5 * 0.6 * 0.7), 1, 0.02);
  expect_valid(mesh.soup);
  // One of them inside out is turned, because it is not a cavity of the other.
  const TriangleMesh odd =
      joined(box({1, 1, 1}), with_flips(moved(box({1, 1, 1}), Mat3::Identity(), {0.5, 0.4, 0.3}), 2, 1));
  EXPECT_NEAR(meshed(odd, 0.1).report.volume, mesh.report.volume, 0.02);
}

TEST(MeshSurface, ACavityStaysHollow) {
  const TriangleMesh hollow = joined(model_testing::sphere(1, 16), with_flips(model_testing::sphere(0.5, 16), 2, 1));
  const SurfaceMesh mesh = meshed(hollow, 0.2);
  EXPECT_NEAR(mesh.report.volume / volume_of(hollow), 1, 0.03);
  // Inside out as a whole: the same.
  EXPECT_NEAR(meshed(with_flips(hollow, 2, 1), 0.2).report.volume, mesh.report.volume, 1e-6);
}

// --- thin walls -----------------------------------------------------------------------------------------------------

TEST(MeshSurface, ThinWallsAreRefinedNotLost) {
  const SurfaceMesh mesh = meshed(box({1, 0.6, 0.06}), 0.15);
  EXPECT_NEAR(mesh.report.thinnest_wall, 0.06, 1e-9);
  EXPECT_LT(mesh.report.finest_edge, 0.04);
  EXPECT_NEAR(mesh.report.volume / 0.036, 1, 0.01);
  EXPECT_EQ(mesh.report.pieces, 1u);
  expect_valid(mesh.soup);
}

TEST(MeshSurface, WallsTooThinAreRefusedWithTheEdgeNeeded) {
  const std::string far_too_thin = refusal(box({1, 1, 1e-4}), 0.2);
  expect_says(far_too_thin, "model.obj: a wall near");
  expect_says(far_too_thin, "is 0.0001 m thick");
  expect_says(far_too_thin, "use an edge of at most 4.6");
  SurfaceMeshOptions budget;
  budget.edge = 0.1;
  budget.most_tets = 20'000;
  expect_says(refusal(box({1, 1, 0.02}), budget), "more than 20000 tets");
  SurfaceMeshOptions no_refinement;
  no_refinement.edge = 0.1;
  no_refinement.refine_thin_walls = false;
  expect_says(refusal(box({1, 1, 0.05}), no_refinement), "too large for it");
}

// Broken things have shards a hundredth as thick as their walls.
TEST(MeshSurface, SliversFarThinnerThanTheWallsAreGivenUpWhereWallsAreStretched) {
  TriangleMesh fin = box({0.12, 0.12, 0.0017});
  for (Vec3& point : fin.points) point += Vec3(2, 0, 0);
  const TriangleMesh both = joined(box({1, 1, 0.05}), fin);
  SurfaceMeshOptions options;
  options.edge = 0.1;
  options.most_tets = 150'000;
  expect_says(refusal(both, options), "more than 150000 tets");
  options.fill.stretch = 4;
  options.fill.walls = 1.3;
  const SurfaceMesh mesh = mesh_surface(both, options, "model.obj");
  EXPECT_NEAR(mesh.report.given_up_below, 0.05 / 4, 1e-6);
  EXPECT_NEAR(mesh.report.volume / 0.05, 1, 0.02);
  expect_valid(mesh.soup);
}

TEST(MeshSurface, AWedgeIsNoThinWall) {
  TriangleMesh wedge;
  wedge.points = {{0, 0, 0}, {1, 0, 0}, {1, 0.5, 0}, {0, 0, 1}, {1, 0, 1}, {1, 0.5, 1}};
  wedge.triangles = {{0, 2, 1}, {3, 4, 5}, {0, 1, 4}, {0, 4, 3}, {1, 2, 5}, {1, 5, 4}, {2, 0, 3}, {2, 3, 5}};
  const SurfaceMesh mesh = meshed(wedge, 0.1);
  EXPECT_NEAR(mesh.report.volume, 0.25, 0.0025);
  EXPECT_LT(mesh.report.tets, 20'000u);
  EXPECT_GE(mesh.report.min_dihedral / kDegree, 5);
}

// --- refusals -------------------------------------------------------------------------------------------------------

TEST(MeshSurface, WhatEnclosesNothingIsRefused) {
  TriangleMesh one;
  one.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}};
  one.triangles = {{0, 1, 2}};
  expect_says(refusal(one, 0.1), "encloses no volume");
  TriangleMesh tent;  // bent, so that the winding number passes a half near the ridge
  tent.points = {{0, 0, 0}, {1, 0, 0}, {1, 1, 0}, {0, 1, 0}, {0, 0, 1}, {0, 1, 1}};
  tent.triangles = {{0, 1, 2}, {0, 2, 3}, {0, 3, 5}, {0, 5, 4}};
  expect_says(refusal(tent, 0.1), "the surface is open");
  expect_says(refusal(TriangleMesh(), 0.1), "no triangles");
  one.points[1] = one.points[0];
  expect_says(refusal(one, 0.1), "no triangle of the surface has an area");
}

TEST(MeshSurface, AbsurdNumbersAreRefusedAtOnce) {
  const double nan = std::numeric_limits<double>::quiet_NaN();
  const TriangleMesh good = box({1, 1, 1});
  for (const double edge : {0.0, -1.0, nan, std::numeric_limits<double>::infinity(), 1e-12, 1e-300}) {
    EXPECT_NE(refusal(good, edge), "") << edge;
  }
  expect_says(refusal(good, 1e-4), "tets");
  for (const double bad : {nan, 1e308, -std::numeric_limits<double>::infinity()}) {
    TriangleMesh mesh = good;
    mesh.points[3][1] = bad;
    EXPECT_NE(refusal(mesh, 0.1), "") << bad;
  }
  expect_says(refusal(moved(good, 1e-12 * Mat3::Identity(), Vec3(1e6, 0, 0)), 1e-13), "nearer to the origin");
  EXPECT_GT(meshed(good, 1e9).report.tets, 10u);  // an edge longer than the model gives a few tets
}

// --- sizes and places -----------------------------------------------------------------------------------------------

TEST(MeshSurface, TinyHugeAndFarModelsAreMeshedAlike) {
  const TriangleMesh model = cylinder(0.5, 1, 32);
  const std::size_t tets = meshed(model, 0.2).report.tets;
  for (const double scale : {1e-6, 1.0, 1e6}) {
    for (const double away : {0.0, 1.0, 1e6}) {
      if (away > 0 && scale * 1e10 < away) continue;  // too few digits are left
      const SurfaceMesh mesh = meshed(moved(model, scale * Mat3::Identity(), Vec3(away, -away, away)), 0.2 * scale);
      expect_valid(mesh.soup);
      EXPECT_NEAR(static_cast<double>(mesh.report.tets) / static_cast<double>(tets), 1, 0.05);
      EXPECT_NEAR(mesh.report.volume / (volume_of(model) * scale * scale * scale), 1, 0.02);
      EXPECT_EQ(mesh.report.curves_kept, 2u);
    }
  }
}

TEST(MeshSurface, IsTheSameForAnyNumberOfThreads) {
  const TriangleMesh model = without(cup(0.5, 0.8, 0.3, 16), 0.02, 1);
  const SurfaceMesh expected = meshed(model, 0.2);
  for (const int threads : {1, 2, 5}) {
    SurfaceMesh found;
    Threads(threads).run([&] { found = meshed(model, 0.2); });
    EXPECT_EQ(found.soup.points, expected.soup.points) << threads;
    EXPECT_EQ(found.soup.tets, expected.soup.tets);
    EXPECT_EQ(found.report.deviation_mean, expected.report.deviation_mean);
  }
}

TEST(MeshSurface, HasTheEdgeThatWasAskedFor) {
  SurfaceMeshOptions options;
  options.fill.inside = 1;
  for (const double edge : {0.3, 0.2, 0.15}) {
    options.edge = edge;
    EXPECT_NEAR(mesh_quality(mesh_surface(model_testing::sphere(1, 20), options, "ball").soup).mean_edge / edge, 1,
                0.1);
  }
}

// --- grading --------------------------------------------------------------------------------------------------------

TEST(MeshSurface, IsCoarserInsideAndFinerInRegions) {
  SurfaceMeshOptions options;
  options.edge = 0.13;
  options.fill.inside = 1;
  const TriangleMesh model = model_testing::sphere(1, 24);
  const std::size_t uniform = mesh_surface(model, options, "ball").report.tets;
  options.fill.inside = 2;
  const SurfaceMesh coarse = mesh_surface(model, options, "ball");
  expect_valid(coarse.soup);
  EXPECT_LT(static_cast<double>(coarse.report.tets), 0.9 * static_cast<double>(uniform));
  EXPECT_GE(coarse.report.min_dihedral / kDegree, 10);

  options.edge = 0.2;
  options.fill.finer = {{Vec3(1, 0, 0), 0.3, 0.05}};
  const SurfaceMesh fine = mesh_surface(model, options, "ball");
  expect_valid(fine.soup);
  EXPECT_GE(fine.report.min_dihedral / kDegree, 10);
  double near = 0, far = 0;
  std::size_t near_count = 0, far_count = 0;
  for (const auto& t : fine.soup.tets) {
    const TetCorners x = {fine.soup.points[t[0]], fine.soup.points[t[1]], fine.soup.points[t[2]],
                          fine.soup.points[t[3]]};
    const double d = (x[0] - Vec3(1, 0, 0)).norm();
    if (d < 0.25) {
      near += mean_edge(x);
      ++near_count;
    } else if (d > 0.8) {
      far += mean_edge(x);
      ++far_count;
    }
  }
  EXPECT_LT(near / static_cast<double>(near_count), 0.06);
  EXPECT_GT(far / static_cast<double>(far_count), 0.15);
}

TEST(MeshSurface, TheSeedMovesInnerPointsOnly) {
  SurfaceMeshOptions options;
  options.edge = 0.3;
  const TriangleMesh model = model_testing::sphere(1, 24);
  const SurfaceMesh a = mesh_surface(model, options, "ball");
  options.seed = 2;
  const SurfaceMesh b = mesh_surface(model, options, "ball");
  ASSERT_EQ(a.soup.points.size(), b.soup.points.size());
  EXPECT_EQ(a.report.deviation_max, b.report.deviation_max);
  EXPECT_NE(a.soup.points, b.soup.points);
  options.jitter = 0;
  EXPECT_NE(mesh_surface(model, options, "ball").soup.points, b.soup.points);
}

TEST(MeshSurface, TellsHowFarItIs) {
  SurfaceMeshOptions options;
  options.edge = 0.3;
  std::vector<double> shares;
  options.progress = [&](const char* what, double share) {
    EXPECT_GT(std::string(what).size(), 3u);
    shares.push_back(share);
  };
  mesh_surface(model_testing::sphere(1, 24), options, "ball");
  ASSERT_GT(shares.size(), 5u);
  EXPECT_EQ(shares.front(), 0);
  EXPECT_LT(shares.back(), 1);
  EXPECT_TRUE(std::is_sorted(shares.begin(), shares.end()));
}

// --- the report and the skin ----------------------------------------------------------------------------------------

TEST(MeshSurface, DeviationShrinksWithTheSquareOfTheEdge) {
  const TriangleMesh model = model_testing::sphere(1, 40);
  const SurfaceMesh coarse = meshed(model, 0.26), fine = meshed(model, 0.13);
  EXPECT_NEAR(std::log2(coarse.report.deviation_mean / fine.report.deviation_mean), 2, 0.5);
  EXPECT_GT(coarse.report.back_deviation_mean, fine.report.back_deviation_mean);
  EXPECT_LT(fine.report.deviation_max, 0.015);
}

TEST(SurfaceSkin, CarriesGroupsTextureAndNormals) {
  // A box whose six sides have each a texture from 0 to 1 of their own, shifted by the side, and a group.
  TriangleMesh model = unwelded(box({1, 1, 1}));
  for (std::size_t t = 0; t < 12; ++t) {
    const std::size_t side = t / 2;
    model.groups.push_back(static_cast<std::uint32_t>(side));
    std::array<Vec2, 3> uv;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 x = model.points[model.triangles[t][k]];
      const int axis = side < 2 ? 2 : side < 4 ? 1 : 0;
      uv[k] = Vec2(10.0 * static_cast<double>(side) + x[(axis + 1) % 3], x[(axis + 2) % 3]);
    }
    model.uvs.push_back(uv);
  }
  model.group_names = {"bottom", "top", "front", "back", "left", "right"};
  const SurfaceMesh mesh = meshed(model, 0.2);
  const auto boundary = soup_boundary(mesh.soup);
  ASSERT_EQ(mesh.soup.skin.size(), boundary.size());
  EXPECT_EQ(mesh.soup.part_names, model.group_names);
  std::array<double, 6> area{};
  for (std::size_t f = 0; f < boundary.size(); ++f) {
    const FaceSkin& face = mesh.soup.skin[f].skin;
    EXPECT_EQ(mesh.soup.skin[f].tet, boundary[f].tet);
    EXPECT_EQ(static_cast<int>(mesh.soup.skin[f].face), boundary[f].corner);
    ASSERT_GT(face.source, 0u);
    EXPECT_EQ((face.source - 1) / 2, face.part);
    const int axis = face.part < 2 ? 2 : face.part < 4 ? 1 : 0;
    const Vec3 &a = mesh.soup.points[boundary[f].points[0]], &b = mesh.soup.points[boundary[f].points[1]],
               &c = mesh.soup.points[boundary[f].points[2]];
    const Vec3 normal = (b - a).cross(c - a);
    area[face.part] += normal.norm() / 2;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 x = mesh.soup.points[boundary[f].points[k]];
      EXPECT_NEAR(face.uv[k][0], 10.0 * face.part + x[(axis + 1) % 3], 1e-9);  // no corner takes another side's
      EXPECT_NEAR(face.uv[k][1], x[(axis + 2) % 3], 1e-9);
      EXPECT_GT(face.normals[k].dot(normal.normalized()), 0.999);
    }
  }
  for (const double a : area) EXPECT_NEAR(a, 1, 1e-9);
}

TEST(SurfaceSkin, NoFaceHoldsAWholeLapOfTheTextureAtASeam) {
  constexpr std::uint32_t n = 20;
  TriangleMesh model = torus(1, 0.3, n);
  for (std::uint32_t i = 0; i < 2 * n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {  // in the order of torus_like(): each runs from 0 to 1, and 1 is not 0
      const auto at = [&](std::uint32_t u, std::uint32_t v) { return Vec2((i + u) / (2.0 * n), (j + v) / double{n}); };
      model.uvs.push_back({at(0, 0), at(1, 0), at(1, 1)});
      model.uvs.push_back({at(0, 0), at(1, 1), at(0, 1)});
    }
  }
  const SurfaceMesh mesh = meshed(model, 0.2);
  const auto boundary = soup_boundary(mesh.soup);
  std::size_t beyond = 0;
  for (std::size_t f = 0; f < boundary.size(); ++f) {
    const FaceSkin& face = mesh.soup.skin[f].skin;
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3& x = mesh.soup.points[boundary[f].points[k]];
      const Vec2 around(std::atan2(x.y(), x.x()), std::atan2(x.z(), std::hypot(x.x(), x.y()) - 1));
      const Vec2 off = face.uv[k] - around / (2 * std::numbers::pi);
      EXPECT_LT((off - Vec2(std::round(off.x()), std::round(off.y()))).norm(), 0.03) << "it is the right place ...";
      EXPECT_LT((face.uv[k] - face.uv[(k + 1) % 3]).norm(), 0.35) << "... of the right lap";
      beyond += face.uv[k].minCoeff() < -1e-9 || face.uv[k].maxCoeff() > 1 + 1e-9 ? 1 : 0;
    }
  }
  EXPECT_GT(beyond, 20u) << "faces lie over the seam";
}

TEST(SurfaceSkin, AGroupForEveryFaceIsTooMany) {
  TriangleMesh model = model_testing::sphere(1, 20);
  for (std::uint32_t t = 0; t < model.triangles.size(); ++t) {
    model.groups.push_back(t);
    model.group_names.push_back("face " + std::to_string(t));
  }
  const SurfaceMesh mesh = meshed(model, 0.3);
  EXPECT_EQ(mesh.soup.part_names.size(), kMostParts);
  for (const SkinFace& face : mesh.soup.skin) {
    const std::string& part = mesh.soup.part_names[face.skin.part];
    EXPECT_EQ(part, face.skin.source < kMostParts ? "face " + std::to_string(face.skin.source - 1) : "others");
  }
}

TEST(SurfaceSkin, NormalsOfASphereAreSmooth) {
  const SurfaceMesh mesh = meshed(model_testing::sphere(1, 32), 0.25);
  const auto boundary = soup_boundary(mesh.soup);
  for (std::size_t f = 0; f < boundary.size(); ++f) {
    for (std::size_t k = 0; k < 3; ++k) {
      const Vec3 x = mesh.soup.points[boundary[f].points[k]];
      EXPECT_GT(mesh.soup.skin[f].skin.normals[k].dot(x.normalized()), 0.995);
    }
  }
}

}  // namespace
}  // namespace sunder
