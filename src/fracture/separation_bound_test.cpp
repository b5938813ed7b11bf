#include "fracture/separation_bound.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/random.h"
#include "geometry/symmetric_eigen.h"
#include "geometry/tetrahedron.h"
#include "mesh/kuhn_grid.h"

namespace sunder {
namespace {

// The forces at one node and all that the bounds are made of.
struct Star {
  std::vector<Vec3> tensile, compressive;
  double sum_of_tensile = 0, sum_of_pulls = 0, sum_of_areas = 0, largest_stretch = 0;

  void add(const Mat3& deformation, const Mat3& stress, const Vec3& scaled_gradient) {
    const TensileSplit parts = tensile_split(stress);
    const CornerForces f = corner_forces(deformation, parts.tensile, parts.compressive, scaled_gradient);
    tensile.push_back(f.tensile), compressive.push_back(f.compressive);
    const double s = tensile_stretch(deformation, stress);
    sum_of_tensile += s * scaled_gradient.norm();
    sum_of_pulls += tensile_pull(s, std::sqrt(deformation_square_bound(deformation)), stress, scaled_gradient);
    sum_of_areas += scaled_gradient.norm();
    largest_stretch = std::max(largest_stretch, s);
  }
  double net_force() const {
    Vec3 sum = Vec3::Zero();
    for (std::size_t i = 0; i < tensile.size(); ++i) sum += tensile[i] + compressive[i];
    return sum.norm();
  }
  double eigenvalue(Compression compression) const {
    return largest_separation(separation_tensor(tensile, compressive, compression)).eigenvalue;
  }
};

// Stress of all kinds: general, of one sign, of rank one, of huge pressure with a little tension.
Mat3 random_stress(std::uint64_t seed, std::uint64_t tet) {
  const auto u = [&](std::uint64_t i) { return 2 * random_unit(seed, 100 + tet, i) - 1; };
  Mat3 s;
  s << u(0), u(1), u(2), u(1), u(3), u(4), u(2), u(4), u(5);
  const Vec3 a(u(6), u(7), u(8));
  switch (seed % 5) {
    case 1:
      return -s * s;
    case 2:
      return a * a.transpose();
    case 3:
      return -1e6 * Mat3::Identity() * (1 + u(9)) + s;
    case 4:
      return -(a * a.transpose());
    default:
      return s;
  }
}

Star random_star(std::uint64_t seed) {
  Star star;
  const std::uint64_t tets = 1 + random_bits(seed, 1) % 30;
  for (std::uint64_t e = 0; e < tets; ++e) {
    const auto u = [&](std::uint64_t i) { return 2 * random_unit(seed, 1000 + e, i) - 1; };
    Mat3 f;
    f << 1 + u(0), u(1), u(2), u(3), 1 + u(4), u(5), u(6), u(7), 1 + u(8);
    star.add(f, random_stress(seed, e), Vec3(u(9), u(10), u(11)));
  }
  return star;
}

TEST(SeparationBound, IsNeverBelowTheEigenvalue) {
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const Star star = random_star(seed);
    EXPECT_GE(separation_bound(star.sum_of_pulls), star.eigenvalue(Compression::negative_part)) << seed;
    EXPECT_LE(star.sum_of_pulls, star.sum_of_tensile) << seed;
    EXPECT_GE(separation_bound(star.sum_of_pulls, star.net_force(), Compression::printed),
              star.eigenvalue(Compression::printed))
        << seed;
  }
}

TEST(SeparationBound, TetsBelowTheSafeStressLeaveTheNodeBelowItsToughness) {
  int decided = 0;
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const Star star = random_star(seed);
    const double eigenvalue = star.eigenvalue(Compression::negative_part);
    for (const double factor : {0.5, 0.999999, 1.0, 2.0, 4.0, 8.0, 16.0}) {
      const double toughness = factor * std::max(eigenvalue, 1e-9);
      if (!(star.largest_stretch < safe_tensile_stretch(toughness, star.sum_of_areas))) continue;
      EXPECT_LT(eigenvalue, toughness) << seed;
      ++decided;
    }
  }
  EXPECT_GT(decided, 1000);  // else nothing was tested
}

// The constant of the proof, approached: a pair of forces between which m changes fastest.
TEST(SeparationBound, ForceMatrixIsLipschitzWithTwoOverRootThree) {
  double steepest = 0;
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const auto u = [&](std::uint64_t i) { return 2 * random_unit(seed, 3, i) - 1; };
    const Vec3 a(u(0), u(1), u(2)),
        b = seed % 2 == 0 ? Vec3(u(3), u(4), u(5)) : Vec3(a + 0.05 * Vec3(u(3), u(4), u(5)));
    const SymmetricEigen e = symmetric_eigen(force_matrix(a) - force_matrix(b));
    steepest = std::max(steepest, e.values[0] / (a - b).norm());
  }
  EXPECT_LE(steepest, 2 / std::sqrt(3.0) * (1 + 1e-12));
  EXPECT_GT(steepest, 1.14);  // 2 / sqrt 3 = 1.1547
}

// The bound would be useless if it were always large: on a pulled grid it is within three times the eigenvalue.
TEST(SeparationBound, IsNearTheEigenvalueUnderPlainTension) {
  const TetSoup grid = kuhn_grid(2, 2, 2);
  const std::uint32_t middle = 13;
  Star star;
  const Mat3 stress = Vec3(2, 0, 0).asDiagonal();
  for (const auto& t : grid.tets) {
    const TetCorners x = {grid.points[t[0]], grid.points[t[1]], grid.points[t[2]], grid.points[t[3]]};
    for (std::size_t i = 0; i < 4; ++i) {
      if (t[i] == middle) star.add(Mat3::Identity(), stress, signed_volume(x) * barycentric_gradients(x)[i]);
    }
  }
  ASSERT_EQ(star.tensile.size(), 24u);
  const double eigenvalue = star.eigenvalue(Compression::negative_part);
  EXPECT_NEAR(eigenvalue, 2, 1e-14);  // stress times h^2, as on any regular grid
  EXPECT_LT(separation_bound(star.sum_of_tensile), 3 * eigenvalue);
}

}  // namespace
}  // namespace sunder
