// Many models: the angles that the issue promises, validity under any placement, and large inputs.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdio>
#include <numbers>

#include "core/error.h"
#include "geometry/tetrahedron.h"
#include "mesh/validate.h"
#include "meshing/mesh_surface.h"
#include "meshing/model_testing.h"

namespace sunder {
namespace {

using namespace model_testing;
constexpr double kDegree = std::numbers::pi / 180;

// A smooth blob: a sphere with a few bumps.
TriangleMesh blob(std::uint64_t seed) {
  TriangleMesh mesh = model_testing::sphere(1, 40);
  for (Vec3& x : mesh.points) {
    double r = 1;
    for (std::uint64_t k = 0; k < 5; ++k) {
      const Vec3 d = Vec3(random_unit(seed, k, 0) - 0.5, random_unit(seed, k, 1) - 0.5, random_unit(seed, k, 2) - 0.5)
                         .normalized();
      r += (0.5 * random_unit(seed, k, 3) - 0.2) * std::exp(-4 * (x.normalized() - d).squaredNorm());
    }
    x *= r;
  }
  return mesh;
}

// A prism over a star or polygon, sharp all over.
TriangleMesh sharp(std::uint64_t seed) {
  const auto n = static_cast<std::uint32_t>(3 + seed % 6);
  TriangleMesh mesh;
  mesh.points.emplace_back(0, 0, 0);
  mesh.points.emplace_back(0, 0, 1);
  for (std::uint32_t i = 0; i < n; ++i) {
    const double angle = 2 * std::numbers::pi * (i + 0.4 * (random_unit(seed, i) - 0.5)) / n;
    const double r = 0.7 + 0.5 * random_unit(seed, i, 1);
    mesh.points.emplace_back(r * std::cos(angle), r * std::sin(angle), 0);
    mesh.points.emplace_back(r * std::cos(angle), r * std::sin(angle), 1);
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    const std::uint32_t a = 2 + 2 * i, b = 2 + 2 * ((i + 1) % n);
    mesh.triangles.push_back({0, b, a});
    mesh.triangles.push_back({1, a + 1, b + 1});
    mesh.triangles.push_back({a, b, b + 1});
    mesh.triangles.push_back({a, b + 1, a + 1});
  }
  return mesh;
}

struct Seen {
  double least = 10, most = 0, kept = 0, length = 0;
  std::size_t tets = 0;
  std::array<std::size_t, 18> histogram{};  // of all dihedral angles, 10 degrees each
};

void mesh_and_check(const TriangleMesh& model, double edge, double least_angle, double volume_error, Seen& seen,
                    const std::string& what) {
  SurfaceMeshOptions options;
  options.edge = edge;
  const SurfaceMesh mesh = mesh_surface(model, options, what);
  TetMesh tets;
  tets.append(mesh.soup, {});
  ASSERT_EQ(validate(tets), std::vector<std::string>()) << what;
  EXPECT_GE(mesh.report.min_dihedral / kDegree, least_angle) << what;
  EXPECT_NEAR(mesh.report.volume / volume_of(model), 1, volume_error) << what;
  seen.least = std::min(seen.least, mesh.report.min_dihedral);
  seen.most = std::max(seen.most, mesh.report.max_dihedral);
  seen.kept += mesh.report.sharp_length_kept;
  seen.length += mesh.report.sharp_length;
  seen.tets += mesh.report.tets;
  for (const auto& t : mesh.soup.tets) {
    const auto& p = mesh.soup.points;
    const TetCorners x = {p[t[0]], p[t[1]], p[t[2]], p[t[3]]};
    for (const double angle : dihedral_angles(x)) ++seen.histogram[static_cast<std::size_t>(angle / kDegree / 10)];
  }
}

void print(const char* title, const Seen& seen) {
  std::printf("%s: %zu tets, dihedral angles %.1f to %.1f degrees", title, seen.tets, seen.least / kDegree,
              seen.most / kDegree);
  if (seen.length > 0) std::printf(", %.2f %% of the sharp edges kept", 100 * seen.kept / seen.length);
  std::printf("\n");
  std::size_t sum = 0;
  for (const std::size_t n : seen.histogram) sum += n;
  for (std::size_t i = 0; i < 18; ++i) {
    std::printf("| %zu-%zu | %.3f %% |\n", 10 * i, 10 * i + 10,
                100.0 * static_cast<double>(seen.histogram[i]) / static_cast<double>(sum));
  }
}

TEST(MeshSurfaceSlow, HundredSmoothModelsKeepTenDegrees) {
  Seen seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const TriangleMesh model = seed % 2 == 0 ? blob(seed) : torus(1, 0.3 + 0.2 * random_unit(5, seed), 36);
    const Vec3 by(random_unit(6, seed), random_unit(7, seed), random_unit(8, seed));
    mesh_and_check(moved(model, random_rotation(seed), by), 0.14 + 0.1 * random_unit(9, seed), 10, 0.08, seen,
                   "smooth " + std::to_string(seed));
  }
  print("100 smooth models", seen);
}

TEST(MeshSurfaceSlow, HundredSharpModelsKeepFiveDegrees) {
  Seen seen;
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const Vec3 by(random_unit(6, seed), random_unit(7, seed), random_unit(8, seed));
    mesh_and_check(moved(sharp(seed), random_rotation(seed), by), 0.1 + 0.1 * random_unit(9, seed), 5, 0.03, seen,
                   "sharp " + std::to_string(seed));
  }
  EXPECT_GT(seen.kept / seen.length, 0.97);
  print("100 sharp models", seen);
}

TEST(MeshSurfaceSlow, AMillionTrianglesAreNoTrouble) {
  const TriangleMesh model = torus(1, 0.4, 500);
  ASSERT_EQ(model.triangles.size(), 1'000'000u);
  Seen seen;
  mesh_and_check(model, 0.08, 10, 0.02, seen, "a million triangles");
}

}  // namespace
}  // namespace sunder
