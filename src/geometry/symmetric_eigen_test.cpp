#include "geometry/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <cmath>
#include <limits>
#include <vector>

#include "core/random.h"

namespace sunder {
namespace {

constexpr double kEps = std::numeric_limits<double>::epsilon();

Mat3 random_rotation(std::uint64_t seed) {
  const auto u = [&](std::uint64_t i) { return random_unit(seed, 77, i) - 0.5; };
  return Eigen::Quaterniond(u(0) + 1e-3, u(1), u(2), u(3)).normalized().toRotationMatrix();
}

Mat3 with_eigenvalues(const Vec3& values, std::uint64_t seed) {
  const Mat3 turn = random_rotation(seed);
  const Mat3 m = turn * values.asDiagonal() * turn.transpose();
  return 0.5 * (m + m.transpose());
}

// Random matrices of all kinds: plain, graded over 16 decades, with equal and nearly equal eigenvalues, singular.
std::vector<Mat3> all_kinds() {
  std::vector<Mat3> result = {Mat3::Zero(),
                              Mat3::Identity(),
                              -5 * Mat3::Identity(),
                              Vec3(1, 2, 3).asDiagonal(),
                              Vec3(3, 3, 1).asDiagonal(),
                              Vec3(-1, 2, 2).asDiagonal(),
                              Mat3::Constant(1)};
  for (std::uint64_t seed = 0; seed < 3000; ++seed) {
    const auto u = [&](std::uint64_t i) { return 2 * random_unit(seed, 5, i) - 1; };
    const double tiny = std::pow(10, -16 * random_unit(seed, 6));
    Vec3 values(u(0), u(1), u(2));
    switch (seed % 6) {
      case 1:
        values[1] = values[0];
        break;
      case 2:
        values[1] = values[0] * (1 + tiny);
        break;
      case 3:
        values = values[0] * Vec3(1, 1 + tiny, 1 - tiny);
        break;
      case 4:
        values[2] *= tiny;
        break;
      case 5:
        values = Vec3(values[0], values[1] * tiny, values[2] * tiny);
        break;
      default:
        break;
    }
    result.push_back(with_eigenvalues(values, seed));
  }
  return result;
}

TEST(SymmetricEigen, VectorsAreOrthonormalAndDiagonaliseToRoundOff) {
  double worst = 0;
  for (const Mat3& a : all_kinds()) {
    const SymmetricEigen e = symmetric_eigen(a);
    const double norm = a.norm();
    EXPECT_LT((e.vectors.transpose() * e.vectors - Mat3::Identity()).norm(), 10 * kEps);
    EXPECT_NEAR(e.vectors.col(0).cross(e.vectors.col(1)).dot(e.vectors.col(2)), 1, 10 * kEps);
    EXPECT_GE(e.values[0], e.values[1]);
    EXPECT_GE(e.values[1], e.values[2]);
    for (int i = 0; i < 3; ++i) {
      const double residual = (a * e.vectors.col(i) - e.values[static_cast<std::size_t>(i)] * e.vectors.col(i)).norm();
      EXPECT_LE(residual, 20 * kEps * norm) << a;
      if (norm > 0) worst = std::max(worst, residual / norm / kEps);
    }
  }
  RecordProperty("worst_residual_in_eps", std::to_string(worst));
}

TEST(SymmetricEigen, AgreesWithAnIterativeSolver) {
  for (const Mat3& a : all_kinds()) {
    const Eigen::SelfAdjointEigenSolver<Mat3> oracle(a);
    const SymmetricEigen e = symmetric_eigen(a);
    for (int i = 0; i < 3; ++i) {
      EXPECT_NEAR(e.values[static_cast<std::size_t>(i)], oracle.eigenvalues()[2 - i], 20 * kEps * a.norm());
    }
  }
}

TEST(SymmetricEigen, ValuesAloneAreTheSame) {
  for (const Mat3& a : all_kinds()) {
    const SymmetricEigen e = symmetric_eigen(a);
    const std::array<double, 3> values = symmetric_eigenvalues(a);
    for (std::size_t i = 0; i < 3; ++i) EXPECT_NEAR(values[i], e.values[i], 2e-8 * a.norm());
    EXPECT_GE(values[0], values[1]);
    EXPECT_GE(values[1], values[2]);
  }
  EXPECT_TRUE(std::isnan(symmetric_eigenvalues(Mat3::Constant(std::nan("")))[0]));
}

TEST(SymmetricEigen, RepeatedEigenvaluesGiveOneAndTheSamePlane) {
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Mat3 a = with_eigenvalues(seed % 2 == 0 ? Vec3(2, 2, 1) : Vec3(2, 1, 1), seed);
    const SymmetricEigen first = symmetric_eigen(a), again = symmetric_eigen(a);
    EXPECT_TRUE(first.vectors.allFinite());
    EXPECT_EQ(first.vectors, again.vectors);
    // The vector of the eigenvalue that stands alone does not care about the other two.
    const Vec3 alone = random_rotation(seed).col(seed % 2 == 0 ? 2 : 0);
    EXPECT_NEAR(std::abs(alone.dot(first.vectors.col(seed % 2 == 0 ? 2 : 0))), 1, 1e-14);
  }
  const SymmetricEigen ball = symmetric_eigen(3 * Mat3::Identity());
  EXPECT_EQ(ball.vectors, Mat3(Mat3::Identity()));
  EXPECT_EQ(ball.values, (std::array<double, 3>{3, 3, 3}));
}

TEST(SymmetricEigen, HugeAndTinyMatricesNeitherOverflowNorVanish) {
  const Mat3 a = with_eigenvalues(Vec3(3, -1, 0.5), 9);
  for (const double scale : {1e-300, 1e-160, 1e160, 1e300}) {
    const SymmetricEigen e = symmetric_eigen(scale * a);
    EXPECT_NEAR(e.values[0] / scale, 3, 1e-14);
    EXPECT_NEAR(e.values[2] / scale, -1, 1e-14);
  }
}

TEST(SymmetricEigen, NotANumberIsPassedOn) {
  Mat3 a = Mat3::Identity();
  a(1, 0) = std::numeric_limits<double>::quiet_NaN();
  EXPECT_TRUE(std::isnan(symmetric_eigen(a).values[0]));
  a(1, 0) = std::numeric_limits<double>::infinity();
  EXPECT_TRUE(std::isnan(symmetric_eigen(a).values[0]));
}

TEST(TensileSplit, PartsAddUpAndHaveOneSignEach) {
  for (const Mat3& a : all_kinds()) {
    const TensileSplit parts = tensile_split(a);
    EXPECT_LE((parts.tensile + parts.compressive - a).norm(), 2 * kEps * a.norm());
    EXPECT_GE(symmetric_eigen(parts.tensile).values[2], -30 * kEps * a.norm());
    EXPECT_LE(symmetric_eigen(parts.compressive).values[0], 30 * kEps * a.norm());
    EXPECT_LE(std::abs(parts.tensile.cwiseProduct(parts.compressive).sum()), 50 * kEps * a.squaredNorm());
  }
}

TEST(TensileSplit, StressOfOneSignComesBackBitByBit) {
  const Mat3 pull = with_eigenvalues(Vec3(3, 2, 1), 4);
  EXPECT_EQ(tensile_split(pull).tensile, pull);
  EXPECT_EQ(tensile_split(pull).compressive, Mat3(Mat3::Zero()));
  const Mat3 push = -pull;
  EXPECT_EQ(tensile_split(push).compressive, push);
  EXPECT_EQ(tensile_split(push).tensile, Mat3(Mat3::Zero()));
}

TEST(LargestEigenvalueBound, IsNeverBelowAndReachedWhereTwoAreEqual) {
  for (const Mat3& a : all_kinds()) {
    EXPECT_GE(largest_eigenvalue_bound(a), symmetric_eigen(a).values[0] - 10 * kEps * a.norm());
  }
  EXPECT_NEAR(largest_eigenvalue_bound(with_eigenvalues(Vec3(5, 1, 1), 3)), 5, 1e-14);
}

}  // namespace
}  // namespace sunder
