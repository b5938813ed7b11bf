#include "fracture/crack_course.h"

#include <gtest/gtest.h>

#include <cmath>

namespace sunder {
namespace {

// Degrees between two planes.
double angle(const Vec3& a, const Vec3& b) { return std::acos(std::min(1.0, std::abs(a.dot(b)))) * 180 / M_PI; }

TEST(CrackCourse, TurnsFromTheStressToTheCrackAsAlphaGrows) {
  const Vec3 stress = Vec3::UnitX(), crack = Vec3(std::cos(0.5), std::sin(0.5), 0);
  const double between = angle(stress, crack);
  EXPECT_NEAR(angle(crack_course(stress, crack, 0), stress), 0, 1e-6);
  EXPECT_NEAR(angle(crack_course(stress, crack, 0.5), stress), between / 2, 1e-6);
  EXPECT_NEAR(angle(crack_course(stress, crack, 1), crack), 0, 1e-6);
  double last = between;
  for (const double alpha : {0.1, 0.3, 0.5, 0.7, 0.9, 1.0}) {
    const double left = angle(crack_course(stress, crack, alpha), crack);
    EXPECT_LT(left, last);
    last = left;
  }
}

TEST(CrackCourse, PlanesHaveNoSides) {
  const Vec3 stress = Vec3(1, 0.2, 0.1).normalized(), crack = Vec3(0.8, 0.5, 0).normalized();
  EXPECT_NEAR(angle(crack_course(stress, crack, 0.4), crack_course(stress, -crack, 0.4)), 0, 1e-6);
}

}  // namespace
}  // namespace sunder
