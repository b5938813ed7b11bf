#include "geometry/rigid_fit.h"

#include <gtest/gtest.h>

#include <Eigen/LU>
#include <vector>

#include "core/dice_testing.h"

namespace sunder {
namespace {

TEST(RigidFit, FindsAKnownMotion) {
  Dice dice(5);
  for (int trial = 0; trial < 20; ++trial) {
    const RigidMotion motion{dice.rotation(), dice.vec(-10, 10)};
    std::vector<Vec3> from(12), to;
    std::vector<double> weights(12);
    for (Vec3& p : from) p = dice.vec(-1, 1);
    if (trial % 3 == 1) {  // in a plane
      for (Vec3& p : from) p.z() = 0.5;
    }
    for (double& w : weights) w = dice(0.1, 2);
    for (const Vec3& p : from) to.push_back(motion(p));
    const RigidFit fit = fit_rigid_motion(from, to, weights);
    EXPECT_LT((fit.motion.rotation - motion.rotation).norm(), 1e-12);
    EXPECT_LT((fit.motion.translation - motion.translation).norm(), 1e-12);
    EXPECT_LT(fit.largest, 1e-12);
    EXPECT_LE(fit.rms, fit.largest);
  }
}

TEST(RigidFit, NeverMirrors) {
  Dice dice(6);
  std::vector<Vec3> from(9), to;
  for (Vec3& p : from) p = dice.vec(-1, 1);
  for (const Vec3& p : from) to.emplace_back(-p);
  const std::vector<double> weights(9, 1.0);
  const RigidFit fit = fit_rigid_motion(from, to, weights);
  EXPECT_NEAR(fit.motion.rotation.determinant(), 1, 1e-12);
  EXPECT_GT(fit.rms, 0.1);
}

TEST(RigidFit, IsBestAmongItsNeighboursAndReportsWhatRemains) {
  Dice dice(8);
  std::vector<Vec3> from(30), to;
  std::vector<double> weights(30);
  const Mat3 bent = dice.rotation() * (Mat3::Identity() + 0.2 * dice.matrix(-1, 1));
  for (Vec3& p : from) p = dice.vec(-1, 1), to.emplace_back(bent * p + Vec3(1, 2, 3));
  for (double& w : weights) w = dice(0, 1);
  const RigidFit fit = fit_rigid_motion(from, to, weights);
  const auto rms = [&](const RigidMotion& motion) {
    double sum = 0, all = 0;
    for (std::size_t i = 0; i < from.size(); ++i) {
      sum += weights[i] * (motion(from[i]) - to[i]).squaredNorm(), all += weights[i];
    }
    return std::sqrt(sum / all);
  };
  EXPECT_NEAR(rms(fit.motion), fit.rms, 1e-12);
  for (int trial = 0; trial < 50; ++trial) {
    const Vec3 axis = dice.vec(-1, 1).normalized();
    const RigidMotion other{Eigen::AngleAxisd(1e-3, axis).toRotationMatrix() * fit.motion.rotation,
                            fit.motion.translation + 1e-3 * dice.vec(-1, 1)};
    EXPECT_GT(rms(other), fit.rms);
  }
}

}  // namespace
}  // namespace sunder
