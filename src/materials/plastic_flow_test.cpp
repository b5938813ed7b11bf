#include "materials/plastic_flow.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <Eigen/LU>
#include <cmath>

#include "core/random.h"

namespace sunder {
namespace {

Material metal(double hardening = 0) {
  Material m;
  m.lambda = 60e9, m.mu = 40e9, m.density = 8000;
  m.yield_stress = 50e6, m.hardening = hardening;
  return m;
}

// A point of a material that is deformed step by step.
struct Point {
  explicit Point(const Material& material) : m(material), law(material) {}

  Mat3 elastic_square(const Mat3& f) const {
    const Mat3 fe = f * fp.inverse();
    return fe.transpose() * fe;
  }
  void deform(const Mat3& f) {
    const Mat3 before = elastic_square(f);
    const PlasticFlow::Step step = law.flow(before, strain);
    fp = step.back.inverse() * fp;
    strain += step.strain;
    lost += law.energy_density(before) - law.energy_density(elastic_square(f));
  }
  // True stress times the change of volume.
  Mat3 kirchhoff(const Mat3& f) const {
    const Mat3 fe = f * fp.inverse();
    const Mat3 e = 0.5 * (fe.transpose() * fe - Mat3::Identity());
    return fe * (m.lambda * e.trace() * Mat3::Identity() + 2 * m.mu * e) * fe.transpose();
  }

  Material m;
  PlasticFlow law;
  Mat3 fp = Mat3::Identity();
  double strain = 0;
  double lost = 0;  // J/m^3
};

// Stretches along x and lets the sides find the width at which nothing pulls at them. Returns the width.
double pull(Point& point, double stretch, double width) {
  for (int i = 0; i < 60; ++i) {
    Point trial = point;
    const auto side = [&](double w) {
      trial = point;
      const Mat3 f = Vec3(stretch, w, w).asDiagonal();
      trial.deform(f);
      return trial.kirchhoff(f)(1, 1);
    };
    const double h = 1e-7, at = side(width);
    width -= at * 2 * h / (side(width + h) - side(width - h));
    if (std::abs(at) < 1e-6 * point.m.yield_stress) break;
  }
  point.deform(Vec3(stretch, width, width).asDiagonal());
  return width;
}

TEST(PlasticFlow, ABarBeyondItsYieldStressFollowsTheLineOfItsHardening) {
  for (const double hardening : {0.0, 300e6}) {
    Point bar(metal(hardening));
    double width = 1;
    for (int i = 1; i <= 200; ++i) {
      const double stretch = std::exp(0.002 * i);  // to a true strain of 0.4
      width = pull(bar, stretch, width);
      const double stress = bar.kirchhoff(Vec3(stretch, width, width).asDiagonal())(0, 0);
      const double young = 40e9 * (3 * 60e9 + 2 * 40e9) / (60e9 + 40e9);
      EXPECT_NEAR(stress, 50e6 + hardening * bar.strain, 2e-5 * stress) << i;
      // True strain = elastic part + plastic part. The elastic law is Hooke's up to the square of its strain.
      EXPECT_NEAR(0.002 * i, bar.strain + stress / young, 3 * std::pow(stress / young, 2)) << i;
    }
    EXPECT_NEAR(bar.fp.determinant(), 1, 1e-11);
  }
}

TEST(PlasticFlow, WhatIsLostIsTheWorkOfTheStress) {
  constexpr double kHardening = 2e9;
  Point bar(metal(kHardening));
  double width = 1;
  for (int i = 1; i <= 4000; ++i) width = pull(bar, std::exp(1e-5 * i), width);  // small against the yield strain
  const double work = 50e6 * bar.strain + 0.5 * kHardening * bar.strain * bar.strain;
  EXPECT_NEAR(bar.lost, work, 0.01 * work);
}

TEST(PlasticFlow, UnloadingLeavesThePlasticStrain) {
  Point bar(metal(300e6));
  double width = 1, stretch = 1;
  for (int i = 1; i <= 50; ++i) width = pull(bar, stretch = std::exp(0.002 * i), width);
  const double strain = bar.strain, lost = bar.lost;
  const Mat3 rest = bar.fp;
  bar.deform(rest);  // where nothing pulls
  EXPECT_EQ(bar.strain, strain);
  EXPECT_EQ(bar.lost, lost);
  EXPECT_LT(bar.kirchhoff(rest).norm(), 1);
  EXPECT_NEAR(std::log(rest(0, 0)), strain, 1e-9);       // longer by the plastic strain
  EXPECT_NEAR(std::log(rest(1, 1)), -strain / 2, 1e-9);  // and thinner, at the same volume
}

TEST(PlasticFlow, AtItsLimitAMaterialIsElasticAgain) {
  Material m = metal();
  m.plastic_limit = 0.05;
  Point bar(m);
  double width = 1;
  for (int i = 1; i <= 60; ++i) width = pull(bar, std::exp(0.001 * i), width);
  EXPECT_NEAR(bar.strain, 0.05, 1e-12);
  // The rest is elastic: 0.01 of true strain, Hooke's to a few of them.
  const double young = 40e9 * (3 * 60e9 + 2 * 40e9) / (60e9 + 40e9);
  const Mat3 f = Vec3(std::exp(0.06), width, width).asDiagonal();
  EXPECT_NEAR(bar.kirchhoff(f)(0, 0), young * 0.01, 0.04 * young * 0.01);
}

TEST(PlasticFlow, PressureAloneLetsNothingFlow) {
  for (const double size : {0.5, 0.9, 0.999, 1.001, 1.2}) {
    Point point(metal());
    const Mat3 turn = Eigen::AngleAxisd(0.7, Vec3(1, 2, 3).normalized()).toRotationMatrix();
    point.deform(size * turn);
    EXPECT_EQ(point.strain, 0) << size;
    EXPECT_EQ(point.fp, Mat3::Identity()) << size;
  }
}

TEST(PlasticFlow, ShearBearsTheYieldStressOverRootThree) {
  Point point(metal());
  Mat3 f = Mat3::Identity();
  for (int i = 1; i <= 200; ++i) {
    f(0, 1) = 1e-4 * i;
    point.deform(f);
  }
  EXPECT_NEAR(point.kirchhoff(f)(0, 1), 50e6 / std::sqrt(3.0), 2e-3 * 50e6);
  // Of the shear 0.02 the elastic part is tau / mu; an equivalent strain is the shear over root three.
  EXPECT_NEAR(point.strain, (0.02 - 50e6 / std::sqrt(3.0) / 40e9) / std::sqrt(3.0), 2e-6);
}

TEST(PlasticFlow, StressEndsOnTheYieldSurfaceAndEnergyIsLost) {
  const Material m = metal(200e6);
  const PlasticFlow law(m);
  int flowed = 0;
  for (std::uint64_t i = 0; i < 400; ++i) {
    const double size = i < 200 ? 0.2 : i < 300 ? 0.02 : 0.004;  // the small ones go another way
    Mat3 f = (1 + 0.1 * random_unit(8, i)) * Mat3::Identity();
    for (int k = 0; k < 9; ++k) f(k / 3, k % 3) += size * (random_unit(7, i, static_cast<std::uint64_t>(k)) - 0.5);
    const Mat3 c = f.transpose() * f;
    const PlasticFlow::Step step = law.flow(c, 0.1);
    EXPECT_EQ(step.strain > 0, law.yields(c, 0.1));
    if (step.strain == 0) continue;
    ++flowed;
    EXPECT_NEAR(step.back.determinant(), 1, 1e-13);
    EXPECT_LT((step.back - step.back.transpose()).norm(), 1e-15);
    const Mat3 after = step.back * c * step.back;
    EXPECT_NEAR(law.equivalent_stress(after), 50e6 + 200e6 * (0.1 + step.strain), 50);
    EXPECT_NEAR(after.determinant(), c.determinant(), 1e-13);
    EXPECT_LT(law.energy_density(after), law.energy_density(c));
    // The material's own axes are its only ones: a turned element flows the same, turned.
    const Mat3 turn = Eigen::AngleAxisd(0.3 * static_cast<double>(i), Vec3(1, -2, 0.5).normalized()).toRotationMatrix();
    const PlasticFlow::Step turned = law.flow(turn * c * turn.transpose(), 0.1);
    EXPECT_NEAR(turned.strain, step.strain, 1e-12);
    EXPECT_LT((turn.transpose() * turned.back * turn - step.back).norm(), 1e-12);
  }
  EXPECT_GT(flowed, 350);
}

TEST(PlasticFlow, EquivalentStressIsThatOfTheMandelStress) {
  const Material m = metal();
  for (std::uint64_t i = 0; i < 50; ++i) {
    Mat3 f;
    for (int k = 0; k < 9; ++k)
      f(k / 3, k % 3) = random_unit(3, i, static_cast<std::uint64_t>(k)) + (k % 4 == 0 ? 1 : 0);
    const Mat3 c = f.transpose() * f, e = 0.5 * (c - Mat3::Identity());
    const Mat3 mandel = c * (m.lambda * e.trace() * Mat3::Identity() + 2 * m.mu * e);
    const double q = std::sqrt(1.5) * (mandel - mandel.trace() / 3 * Mat3::Identity()).norm();
    EXPECT_NEAR(PlasticFlow(m).equivalent_stress(c), q, 1e-12 * q);
  }
}

TEST(PlasticFlow, WhatIsCrushedFlatIsLeftAlone) {
  const PlasticFlow law(metal());
  EXPECT_EQ(law.flow(Vec3(1, 1, 0).asDiagonal(), 0).strain, 0);
  EXPECT_EQ(law.flow(Vec3(1e-9, 4, 1).asDiagonal(), 0).strain, 0);
}

}  // namespace
}  // namespace sunder
