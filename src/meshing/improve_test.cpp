#include "meshing/improve.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "core/random.h"
#include "mesh/kuhn_grid.h"
#include "mesh/quality.h"

namespace sunder {
namespace {

TEST(Improve, TheSineOfKnownTetsIsKnown) {
  const std::array<Vec3, 4> corner = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
  EXPECT_NEAR(worst_dihedral_sine(corner), std::sqrt(2.0 / 3), 1e-14);  // acos(1 / sqrt 3)
  EXPECT_NEAR(worst_dihedral_sine({corner[0], corner[2], corner[1], corner[3]}), -1, 0.5);
  EXPECT_LT(worst_dihedral_sine({corner[0], corner[2], corner[1], corner[3]}), 0);
  EXPECT_LE(worst_dihedral_sine({corner[0], corner[1], corner[2], Vec3(1, 1, 0)}), 0);  // flat
}

TEST(Improve, InnerPointsThatWereShakenComeRight) {
  TetSoup soup = kuhn_grid(4, 4, 4);
  const TetSoup before = soup;
  std::vector<std::uint8_t> inner(soup.points.size(), 0);
  for (std::size_t p = 0; p < inner.size(); ++p) {
    inner[p] = (soup.points[p].array() > 0.5).all() && (soup.points[p].array() < 3.5).all() ? 1 : 0;
    if (inner[p] != 0) {
      soup.points[p] += 0.9 * Vec3(random_unit(1, p, 0) - 0.5, random_unit(1, p, 1) - 0.5, random_unit(1, p, 2) - 0.5);
    }
  }
  ASSERT_LT(mesh_quality(soup).min_dihedral, 0.1);
  ImproveOptions options;
  options.target = 0.45;
  const std::size_t bad = improve_points(
      soup, [&](std::uint32_t p, Vec3&) { return inner[p] != 0; }, options);
  EXPECT_EQ(bad, 0u);
  EXPECT_GE(mesh_quality(soup).min_dihedral, 0.45 - 1e-9);
  EXPECT_GT(mesh_quality(soup).min_quality, 0);
  for (std::size_t p = 0; p < inner.size(); ++p) {
    if (inner[p] != 0) continue;
    EXPECT_EQ(soup.points[p], before.points[p]);
  }
}

TEST(Improve, AGoodMeshIsLeftAlone) {
  TetSoup soup = kuhn_grid(2, 2, 2);
  const TetSoup before = soup;
  EXPECT_EQ(improve_points(soup, [](std::uint32_t, Vec3&) { return true; }, {}), 0u);
  EXPECT_EQ(soup.points, before.points);
}

}  // namespace
}  // namespace sunder
