#include "fracture/separation_tensor.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <vector>

#include "core/random.h"
#include "geometry/symmetric_eigen.h"
#include "geometry/tetrahedron.h"

namespace sunder {
namespace {

using Forces = std::vector<Vec3>;

Mat3 outer(const Vec3& a) { return a * a.transpose(); }
Mat3 pulls(const Forces& f) { return separation_tensor(f, {}); }

Vec3 random_vector(std::uint64_t seed, std::uint64_t which) {
  return {random_unit(seed, which, 0) - 0.5, random_unit(seed, which, 1) - 0.5, random_unit(seed, which, 2) - 0.5};
}

Forces random_forces(std::uint64_t seed, std::uint64_t count) {
  Forces f;
  for (std::uint64_t i = 0; i < count; ++i) f.push_back(random_vector(seed, i));
  return f;
}

TEST(ForceMatrix, HasTheForceAsEigenvectorAndItsLengthAsEigenvalue) {
  const Vec3 f(1, -2, 2);
  EXPECT_LT((force_matrix(f) * f - 3 * f).norm(), 1e-15);
  EXPECT_NEAR(force_matrix(f).trace(), 3, 1e-15);
  EXPECT_EQ(force_matrix(Vec3::Zero()), Mat3(Mat3::Zero()));
  EXPECT_EQ(force_matrix(f), force_matrix(-f));
}

TEST(SeparationTensor, OpposedPullsGiveTheirSizeAlongTheirLine) {
  const Vec3 a = Vec3(1, 2, -1).normalized();
  EXPECT_LT((pulls({5 * a, -5 * a}) - 5 * outer(a)).norm(), 1e-14);
}

TEST(SeparationTensor, UnequalOpposedPullsGiveTheSmaller) {
  const Vec3 a = Vec3(1, 2, -1).normalized();
  EXPECT_LT((pulls({5 * a, -2 * a}) - 2 * outer(a)).norm(), 1e-14);
}

TEST(SeparationTensor, SingleOrParallelPullsSeparateNothing) {
  const Vec3 a = Vec3(3, 2, -1).normalized();
  EXPECT_LT(pulls({4 * a}).norm(), 1e-15);
  EXPECT_LT(pulls({4 * a, 2 * a, 0.5 * a}).norm(), 1e-14);
  EXPECT_EQ(pulls({}), Mat3(Mat3::Zero()));
}

TEST(SeparationTensor, ThreePullsAt120DegreesGiveThreeQuartersInTheirPlane) {
  Forces f;
  for (int i = 0; i < 3; ++i) f.push_back(2 * Vec3(std::cos(i * 2 * M_PI / 3), std::sin(i * 2 * M_PI / 3), 0));
  EXPECT_LT((pulls(f) - 1.5 * Mat3(Vec3(1, 1, 0).asDiagonal())).norm(), 1e-14);
}

TEST(SeparationTensor, SixPullsAlongTheAxesGiveTheIdentity) {
  Forces f;
  for (int i = 0; i < 3; ++i) f.push_back(7 * Vec3::Unit(i)), f.push_back(-7 * Vec3::Unit(i));
  EXPECT_LT((pulls(f) - 7 * Mat3::Identity()).norm(), 1e-14);
  // Every plane is as good as any other: one is chosen, always the same.
  const Separation s = largest_separation(pulls(f));
  EXPECT_NEAR(s.eigenvalue, 7, 1e-14);
  EXPECT_NEAR(s.normal.norm(), 1, 1e-15);
  EXPECT_EQ(s.normal, largest_separation(pulls(f)).normal);
}

TEST(SeparationTensor, BalancedCompressionNeverSeparates) {
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    Forces f = random_forces(seed, 7);
    Vec3 sum = Vec3::Zero();
    for (const Vec3& x : f) sum += x;
    f.push_back(-sum);
    for (const Compression c : {Compression::negative_part, Compression::printed}) {
      EXPECT_LT(largest_separation(separation_tensor({}, f, c)).eigenvalue, 1e-14);
    }
  }
}

TEST(SeparationTensor, UnbalancedCompressionSeparatesOnlyAsPrinted) {
  const Forces push = {Vec3(1, 0, 0), Vec3(0, 1, 0)};
  const double printed = largest_separation(separation_tensor({}, push, Compression::printed)).eigenvalue;
  EXPECT_NEAR(printed, (std::sqrt(2.0) - 1) / 2, 1e-15);  // 0.207
  EXPECT_LE(largest_separation(separation_tensor({}, push)).eigenvalue, 1e-16);
  for (std::uint64_t seed = 0; seed < 300; ++seed) {
    EXPECT_LE(largest_separation(separation_tensor({}, random_forces(seed, 1 + seed % 9))).eigenvalue, 1e-15);
  }
}

TEST(SeparationTensor, CompressionAcrossAPullWeakensIt) {
  const Vec3 x = Vec3::UnitX();
  const Mat3 tensor = separation_tensor(Forces{5 * x, -5 * x}, Forces{2 * x, -2 * x});
  EXPECT_NEAR(largest_separation(tensor).eigenvalue, 3, 1e-14);
}

TEST(SeparationTensor, TurnsWithTheWorld) {
  const Mat3 turn = Eigen::AngleAxisd(1.1, Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    const Forces t = random_forces(seed, 9), c = random_forces(seed + 1000, 5);
    Forces turned_t, turned_c;
    for (const Vec3& f : t) turned_t.push_back(turn * f);
    for (const Vec3& f : c) turned_c.push_back(turn * f);
    for (const Compression mode : {Compression::negative_part, Compression::printed}) {
      const Mat3 expected = turn * separation_tensor(t, c, mode) * turn.transpose();
      EXPECT_LT((separation_tensor(turned_t, turned_c, mode) - expected).norm(), 1e-13);
    }
  }
}

// One element, its material coordinates turned: F becomes F R^T, S becomes R S R^T, grad b becomes R grad b.
TEST(SeparationTensor, DoesNotSeeHowTheMaterialIsTurned) {
  const Mat3 turn = Eigen::AngleAxisd(0.8, Vec3(0.3, 2, -1).normalized()).toRotationMatrix();
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    Forces plain[2], turned[2];
    for (std::uint64_t e = 0; e < 6; ++e) {
      Mat3 f, s;
      for (int i = 0; i < 3; ++i) {
        f.col(i) = Vec3::Unit(i) + 0.3 * random_vector(seed, 10 * e + static_cast<std::uint64_t>(i));
        s.col(i) = random_vector(seed, 10 * e + 3 + static_cast<std::uint64_t>(i));
      }
      s = Mat3(0.5 * (s + s.transpose()));
      const Vec3 g = random_vector(seed, 10 * e + 7);
      const TensileSplit a = tensile_split(s), b = tensile_split(turn * s * turn.transpose());
      const CornerForces x = corner_forces(f, a.tensile, a.compressive, g);
      const CornerForces y = corner_forces(f * turn.transpose(), b.tensile, b.compressive, turn * g);
      plain[0].push_back(x.tensile), plain[1].push_back(x.compressive);
      turned[0].push_back(y.tensile), turned[1].push_back(y.compressive);
      EXPECT_LT((x.tensile + x.compressive + f * s * g).norm(), 1e-14);  // f+ + f- = f
    }
    EXPECT_LT((separation_tensor(plain[0], plain[1]) - separation_tensor(turned[0], turned[1])).norm(), 1e-13);
  }
}

}  // namespace
}  // namespace sunder
