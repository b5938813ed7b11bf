#include "meshing/lattice_cells.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>

#include <cmath>
#include <map>

#include "core/error.h"
#include "meshing/hex_quality.h"
#include "meshing/hex_testing.h"
#include "meshing/shape_samples.h"

namespace sunder {
namespace {

using testing::pieces_of;

double volume_of(const HexSoup& soup) {
  double sum = 0;
  for (const auto& c : soup.cells) {
    Vec3 middle = Vec3::Zero();
    for (const std::uint32_t n : c) middle += soup.points[n] / 8;
    constexpr std::array<std::array<std::size_t, 4>, 6> kFaces = {
        {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 7, 6, 2}, {0, 3, 2, 1}, {4, 5, 6, 7}}};
    for (const auto& f : kFaces) {
      for (std::size_t i = 0; i < 4; ++i) {
        const Vec3 a = soup.points[c[f[i]]] - middle, b = soup.points[c[f[(i + 1) % 4]]] - middle,
                   d = soup.points[c[f[(i + 2) % 4]]] - middle;
        sum += a.cross(b).dot(d) / 12;
      }
    }
  }
  return sum;
}

HexSoup cells_of(const Shape& shape, double edge, std::vector<std::string>* told = nullptr) {
  std::vector<std::string> notes;
  HexSoup soup = lattice_cells(shape, {.edge = edge}, notes);
  if (told != nullptr) *told = notes;
  return soup;
}

TEST(LatticeCells, NoCellIsFoldedAndVolumesAreTheShapes) {
  const std::vector<std::pair<Shape, double>> samples = {{BoxShape{Vec3(0.4, 0.2, 0.2)}, 0.05},
                                                         {SlabShape{}, 0.05},
                                                         {SphereShape{0.2}, 0.05},
                                                         {CylinderShape{}, 0.025},
                                                         {TorusShape{}, 0.03},
                                                         {BowlShape{}, 0.01},
                                                         {CupShape{}, 0.006},
                                                         {VaseShape{}, 0.012},
                                                         {PlateShape{}, 0.008},
                                                         {RevolveShape{}, 0.01},
                                                         {PatchShape{}, 0.015},
                                                         {TubeShape{}, 0.01},
                                                         {EllipsoidShape{}, 0.05},
                                                         {CapsuleShape{}, 0.03}};
  for (const auto& [shape, edge] : samples) {
    const HexSoup soup = cells_of(shape, edge);
    ASSERT_GT(soup.cells.size(), 10u) << shape.index();
    std::size_t folded = 0;
    for (const auto& cell : soup.cells) folded += least_corner_volume(soup, cell) > -1e-9 ? 0 : 1;
    EXPECT_EQ(folded, 0u) << shape.index();
    EXPECT_EQ(pieces_of(soup), 1u) << shape.index();
    const auto exact = exact_volume(shape);
    EXPECT_NEAR(volume_of(soup) / exact.value_or(volume_of(soup)), 1, 0.12) << shape.index();
  }
}

TEST(LatticeCells, BoxIsAGridOfCubes) {
  const HexSoup soup = cells_of(BoxShape{Vec3(0.4, 0.2, 0.1)}, 0.05);
  EXPECT_EQ(soup.cells.size(), 8u * 4 * 2);
  EXPECT_EQ(soup.points.size(), 9u * 5 * 3);
  for (const auto& cell : soup.cells) EXPECT_NEAR(least_corner_volume(soup, cell), 1, 1e-9);
}

TEST(LatticeCells, NodesOfAVoxelisedSurfaceLieOnIt) {
  const CapsuleShape capsule{0.1, 0.4};
  const HexSoup soup = cells_of(capsule, 0.03);
  double worst = 0;
  std::map<std::array<std::uint32_t, 4>, int> faces;
  constexpr std::array<std::array<std::size_t, 4>, 6> kFaces = {
      {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 7, 6, 2}, {0, 3, 2, 1}, {4, 5, 6, 7}}};
  for (const auto& c : soup.cells) {
    for (const auto& f : kFaces) {
      std::array<std::uint32_t, 4> key = {c[f[0]], c[f[1]], c[f[2]], c[f[3]]};
      std::sort(key.begin(), key.end());
      ++faces[key];
    }
  }
  double sum = 0, count = 0;
  for (const auto& [face, cells] : faces) {
    if (cells != 1) continue;
    for (const std::uint32_t n : face) {
      const Vec3 x = soup.points[n];
      const double out = std::abs(Vec3(x.x(), std::max(0.0, std::abs(x.y()) - 0.1), x.z()).norm() - 0.1);
      worst = std::max(worst, out);
      sum += out, count += 1;
    }
  }
  EXPECT_LT(sum / count, 0.1 * 0.03);
  EXPECT_LT(worst, 0.5 * 0.03);
}

TEST(LatticeCells, TeapotIsAPotAndALidOnIt) {
  std::vector<std::string> notes;
  const HexSoup pot = cells_of(TeapotShape{0.1, 0.0065, true}, 0.011, &notes);
  EXPECT_EQ(pieces_of(pot), 2u);
  EXPECT_EQ(pieces_of(cells_of(TeapotShape{0.1, 0.0065, false}, 0.011)), 1u);
  for (const auto& cell : pot.cells) EXPECT_GT(least_corner_volume(pot, cell), -0.2);
}

TEST(LatticeCells, TooFineIsRefused) { EXPECT_THROW(cells_of(BoxShape{Vec3(1, 1, 1)}, 1e-4), InputError); }

}  // namespace
}  // namespace sunder
