#include "geometry/tetrahedron.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace sunder {
namespace {

// Regular, edge length sqrt(8).
const TetCorners kRegular = {Vec3(1, 1, 1), Vec3(-1, 1, -1), Vec3(1, -1, -1), Vec3(-1, -1, 1)};
const TetCorners kUnitCorner = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};

TetCorners random_tet(std::uint64_t seed) {
  TetCorners x;
  for (std::uint64_t i = 0; i < 4; ++i) {
    x[i] = Vec3(random_unit(seed, i, 0), random_unit(seed, i, 1), random_unit(seed, i, 2));
  }
  if (signed_volume(x) < 0) std::swap(x[2], x[3]);
  return x;
}

TEST(Tetrahedron, UnitCornerHasASixthOfTheCube) {
  EXPECT_DOUBLE_EQ(signed_volume(kUnitCorner), 1.0 / 6);
  EXPECT_DOUBLE_EQ(signed_volume({kUnitCorner[0], kUnitCorner[2], kUnitCorner[1], kUnitCorner[3]}), -1.0 / 6);
}

TEST(Tetrahedron, VolumeIsThatOfTheEdgeMatrix) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TetCorners x = random_tet(seed);
    EXPECT_NEAR(signed_volume(x), edge_matrix(x).determinant() / 6, 1e-15);
  }
}

TEST(Tetrahedron, RegularOneHasTheTextbookMeasures) {
  const double a = std::sqrt(8.0);
  EXPECT_NEAR(signed_volume(kRegular), a * a * a / (6 * std::sqrt(2.0)), 1e-14);
  EXPECT_NEAR(quality(kRegular), 1, 1e-14);
  EXPECT_NEAR(smallest_altitude(kRegular), a * std::sqrt(2.0 / 3), 1e-14);
  EXPECT_NEAR(smallest_dihedral_angle(kRegular), std::acos(1.0 / 3), 1e-14);
  EXPECT_NEAR(mean_edge(kRegular), a, 1e-14);
}

TEST(Tetrahedron, UnitCornerHasTheTextbookMeasures) {
  EXPECT_NEAR(smallest_altitude(kUnitCorner), 1 / std::sqrt(3.0), 1e-15);
  EXPECT_NEAR(smallest_dihedral_angle(kUnitCorner), std::acos(1 / std::sqrt(3.0)), 1e-15);
  EXPECT_NEAR(mean_edge(kUnitCorner), (1 + std::sqrt(2.0)) / 2, 1e-15);
}

TEST(Tetrahedron, QualityIsNegativeInsideOutAndZeroWhenFlat) {
  EXPECT_NEAR(quality({kRegular[1], kRegular[0], kRegular[2], kRegular[3]}), -1, 1e-14);
  EXPECT_EQ(quality({Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(1, 1, 0)}), 0);
}

TEST(Tetrahedron, MeasuresScaleAndTurnWithIt) {
  const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TetCorners x = random_tet(seed);
    TetCorners y;
    for (std::size_t i = 0; i < 4; ++i) y[i] = 3 * (turn * x[i]) + Vec3(5, 6, 7);
    EXPECT_NEAR(quality(y), quality(x), 1e-12);
    EXPECT_NEAR(smallest_dihedral_angle(y), smallest_dihedral_angle(x), 1e-9);
    EXPECT_NEAR(smallest_altitude(y), 3 * smallest_altitude(x), 1e-12);
    EXPECT_NEAR(mean_edge(y), 3 * mean_edge(x), 1e-12);
  }
}

TEST(Tetrahedron, SmallestAltitudeIsTheSmallestDistanceOfACornerFromItsFace) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TetCorners x = random_tet(seed);
    double smallest = 1e9;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& f = kTetFaces[i];
      const Vec3 &a = x[static_cast<std::size_t>(f[0])], &b = x[static_cast<std::size_t>(f[1])],
                 &c = x[static_cast<std::size_t>(f[2])];
      const auto plane = Eigen::Hyperplane<double, 3>::Through(a, b, c);
      smallest = std::min(smallest, plane.absDistance(x[i]));
    }
    EXPECT_NEAR(smallest_altitude(x), smallest, 1e-13);
  }
}

TEST(Tetrahedron, FacesLookOutwardAndLeaveTheirCornerOut) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TetCorners x = random_tet(seed);
    Vec3 closed = Vec3::Zero();
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& f = kTetFaces[i];
      EXPECT_EQ(std::count(f.begin(), f.end(), static_cast<int>(i)), 0);
      const Vec3& a = x[static_cast<std::size_t>(f[0])];
      const Vec3 area = (x[static_cast<std::size_t>(f[1])] - a).cross(x[static_cast<std::size_t>(f[2])] - a) / 2;
      EXPECT_LT(area.dot(x[i] - a), 0);
      closed += area;
    }
    EXPECT_LT(closed.norm(), 1e-14);
  }
}

TEST(Tetrahedron, BarycentricGradientsMatchFiniteDifferencesOfVolumes) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TetCorners x = random_tet(seed);
    const auto gradients = barycentric_gradients(x);
    const Vec3 p(0.3, 0.4, 0.5);
    for (std::size_t i = 0; i < 4; ++i) {
      // b_i at p: the volume with p in place of corner i. It is linear, so any step will do.
      const auto b = [&](const Vec3& at) {
        TetCorners y = x;
        y[i] = at;
        return signed_volume(y) / signed_volume(x);
      };
      for (int axis = 0; axis < 3; ++axis) {
        const Vec3 step = 0.1 * Vec3::Unit(axis);
        const double difference = (b(p + step) - b(p - step)) / 0.2;
        EXPECT_NEAR(gradients[i][axis], difference, 1e-9 * (1 + std::abs(difference)));
      }
    }
  }
}

}  // namespace
}  // namespace sunder
