#include "fracture/resistance.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <algorithm>
#include <cmath>

#include "core/random.h"

namespace sunder {
namespace {

double number(std::uint64_t key, std::uint64_t draw) { return 2 * random_unit(7, key, draw) - 1; }
Vec3 random_vector(std::uint64_t key, std::uint64_t draw) {
  return {number(key, 3 * draw), number(key, 3 * draw + 1), number(key, 3 * draw + 2)};
}
Mat3 across(const Vec3& n) { return n * n.transpose(); }

TEST(Resistance, OneFactorIsThatFactorAcrossItsDirectionAndNoneAlongIt) {
  const Vec3 d = Vec3(1, 2, 2) / 3;
  const PlaneFactors factors = plane_factors(std::log(0.3) * across(d));
  EXPECT_NEAR(factors.of(d), 0.3, 1e-14);
  EXPECT_NEAR(factors.of(Vec3(2, -2, 1) / 3), 1, 1e-14);
  EXPECT_NEAR(factors.weakest, 0.3, 1e-14);
}

TEST(Resistance, FactorsMultiplyAndTheirOrderNeverMatters) {
  const Vec3 d = Vec3(1, 2, 2) / 3, other = Vec3(2, -2, 1) / 3;
  const PlaneFactors twice = plane_factors(std::log(0.3) * across(d) + std::log(0.5) * across(d));
  EXPECT_NEAR(twice.of(d), 0.15, 1e-14);
  const PlaneFactors both = plane_factors(std::log(0.3) * across(d) + std::log(0.5) * across(other));
  EXPECT_NEAR(both.of(d), 0.3, 1e-14);
  EXPECT_NEAR(both.of(other), 0.5, 1e-14);
}

TEST(Resistance, NoPlaneHasALargerRatioThanTheOneThatIsChosen) {
  for (std::uint64_t key = 0; key < 50; ++key) {
    const Vec3 u = random_vector(key, 0), v = random_vector(key, 1), w = random_vector(key, 2);
    const Mat3 tensor = across(u) + 0.5 * across(v) - 0.3 * across(w);
    const PlaneFactors factors =
        plane_factors(std::log(0.1) * across(random_vector(key, 3).normalized()) +
                      std::log(0.4) * (Mat3::Identity() - across(random_vector(key, 4).normalized())));
    const Separation chosen = weakest_separation(tensor, factors);
    const double ratio = chosen.eigenvalue / factors.of(chosen.normal);
    EXPECT_NEAR(chosen.normal.norm(), 1, 1e-12);
    double best = 0;
    for (std::uint64_t draw = 10; draw < 2010; ++draw) {
      const Vec3 n = random_vector(key, draw).normalized();
      best = std::max(best, n.dot(tensor * n) / factors.of(n));
    }
    EXPECT_LE(best, ratio * (1 + 1e-12));
    EXPECT_GT(best, 0.9 * ratio);
    EXPECT_LE(ratio, largest_separation(tensor).eigenvalue / factors.weakest * (1 + 1e-12)) << "the bound of the cull";
  }
}

TEST(Resistance, TurnsWithTheBody) {
  const Mat3 turn = Eigen::AngleAxisd(0.8, Vec3(1, 2, 2) / 3).toRotationMatrix();
  const Vec3 d = Vec3::UnitX();
  const PlaneFactors turned = plane_factors(std::log(0.3) * across(d)).turned(turn);
  EXPECT_NEAR(turned.of(turn * d), 0.3, 1e-14);
  const Mat3 stretched = turn * Vec3(1.2, 0.9, 1.05).asDiagonal();
  EXPECT_LT((rotation_of(stretched) - turn).norm(), 1e-12);
  const Mat3 flipped = turn * Vec3(1.2, -0.1, 1.05).asDiagonal();  // an element turned inside out
  EXPECT_NEAR(rotation_of(flipped).determinant(), 1, 1e-12);
}

}  // namespace
}  // namespace sunder
