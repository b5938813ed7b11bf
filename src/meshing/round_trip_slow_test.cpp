// Every shape as a surface file, and from there back to tetrahedra, as if another program had made it.

#include <gtest/gtest.h>
#include <unistd.h>

#include <cmath>
#include <cstdio>
#include <filesystem>
#include <map>
#include <numbers>

#include "mesh/boundary_surface.h"
#include "mesh/quality.h"
#include "mesh/validate.h"
#include "meshfile/write_surface.h"
#include "meshing/mesh_file.h"
#include "meshing/mesh_shape.h"
#include "meshing/shape_samples.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

// Length of the sharp edges of the samples that have a formula for it, m.
std::map<std::string, double> known_rims() {
  const auto circles = [](std::initializer_list<double> radii) {
    double sum = 0;
    for (const double r : radii) sum += 2 * std::numbers::pi * r;
    return sum;
  };
  return {{"box", 12},
          {"slab", 4 * (1 + 0.7 + 0.1)},
          {"sphere", 0},
          {"ellipsoid", 0},
          {"capsule", 0},
          {"torus", 0},
          {"cylinder", circles({0.1, 0.1})},
          {"bowl", circles({0.15, 0.14})},
          {"ring", circles({0.1, 0.1, 0.14, 0.14})},
          {"tube", circles({0.02, 0.02})},
          {"hollow tube", circles({0.02, 0.02, 0.014, 0.014})},
          {"polygon", 2 * 1.2 + 6 * 0.06}};
}

TEST(RoundTrip, EveryShapeComesBackWithItsVolumeAndRims) {
  const std::array<const char*, 3> endings = {".obj", ".ply", ".stl"};
  std::printf("| shape | file | triangles | tets | volume | sharp edges, m | kept | smallest angle |\n");
  const std::map<std::string, double> rims = known_rims();
  std::size_t number = 0, compared = 0;
  for (const ShapeSample& sample : shape_samples()) {
    const double edge = default_edge(sample.shape);
    const TetSoup exported = mesh_shape(sample.shape, MeshOptions{edge / 2, 0, 1});
    const TriangleMesh surface = boundary_surface(exported);
    const fs::path path = fs::temp_directory_path() /
                          ("sunder_round_trip_" + std::to_string(::getpid()) + endings[number % endings.size()]);
    write_surface(path, surface);
    const FileMesh back = mesh_file(FileShape{path}, 0.6 * edge, 1);
    fs::remove(path);
    TetMesh mesh;
    mesh.append(back.soup, {});
    EXPECT_EQ(validate(mesh), std::vector<std::string>()) << sample.name;
    const SurfaceMeshReport& report = *back.surface;
    const double volume = report.volume / mesh_quality(exported).volume - 1;
    const double kept = report.sharp_length > 0 ? report.sharp_length_kept / report.sharp_length : 1;
    const double angle = report.min_dihedral * 180 / std::numbers::pi;
    std::printf("| %s | %s | %zu | %zu | %+.2f %% | %.3f | %.1f %% | %.1f |\n", sample.name.c_str(),
                endings[number % endings.size()], surface.triangles.size(), report.tets, 100 * volume,
                report.sharp_length, 100 * kept, angle);
    EXPECT_LT(std::abs(volume), sample.straight ? 1e-6 : 0.02) << sample.name;
    // Of the patch about the length of one of its eight long rims is bevelled at this edge.
    EXPECT_GT(kept, sample.name == "patch" ? 0.88 : 0.97) << sample.name;
    EXPECT_GE(angle, report.sharp_length > 0 ? 5 : 10) << sample.name;
    EXPECT_EQ(report.pieces, sample.name == "text" ? 6u : 1u) << sample.name;
    if (const auto known = rims.find(sample.name); known != rims.end()) {
      EXPECT_NEAR(report.sharp_length, known->second, 0.01 * known->second) << sample.name;
      ++compared;
    }
    ++number;
  }
  EXPECT_EQ(compared, rims.size());
}

}  // namespace
}  // namespace sunder
