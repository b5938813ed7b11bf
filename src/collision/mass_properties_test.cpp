#include "collision/mass_properties.h"

#include <gtest/gtest.h>

#include <numbers>

#include "collision/closed_surface.h"
#include "collision/collision_testing.h"

namespace sunder {
namespace {

using collision_testing::box_surface;
using collision_testing::l_surface;

Collider collider(const ColliderShape& shape) {
  Collider c;
  c.shape = shape;
  return c;
}

TEST(MassProperties, OfSphereAndBoxAreTheTextbooks) {
  const MassProperties sphere = solid_of_density(collider(SphereCollider{0.3}), 1000);
  EXPECT_NEAR(sphere.mass, 1000 * 4.0 / 3 * std::numbers::pi * 0.027, 1e-9);
  EXPECT_NEAR(sphere.inertia(1, 1), 0.4 * sphere.mass * 0.09, 1e-12);
  const MassProperties box = solid_of_density(collider(BoxCollider{Vec3(1, 2, 3)}), 10);
  EXPECT_NEAR(box.mass, 60, 1e-12);
  EXPECT_LT((box.inertia.diagonal() - Vec3(65, 50, 25)).norm(), 1e-12);
}

// Discs of radius rho(y): mass pi rho^2, inertia pi rho^4 / 2 about y, pi rho^4 / 4 + pi rho^2 y^2 across.
TEST(MassProperties, OfACapsuleIsTheSumOfItsDiscs) {
  const double r = 0.2, height = 1.1;
  double mass = 0, along = 0, across = 0;
  constexpr int n = 200000;
  for (int i = 0; i < n; ++i) {
    const double y = height * ((i + 0.5) / n - 0.5), beyond = std::max(0.0, std::abs(y) - (height / 2 - r));
    const double rho2 = r * r - beyond * beyond, slice = std::numbers::pi * height / n;
    mass += slice * rho2;
    along += slice * rho2 * rho2 / 2;
    across += slice * (rho2 * rho2 / 4 + rho2 * y * y);
  }
  const MassProperties capsule = solid_of_density(collider(CapsuleCollider{r, height}), 1);
  EXPECT_NEAR(capsule.mass, mass, 1e-8 * mass);
  EXPECT_NEAR(capsule.inertia(1, 1), along, 1e-8 * along);
  EXPECT_NEAR(capsule.inertia(0, 0), across, 1e-8 * across);
  EXPECT_NEAR(capsule.inertia(2, 2), across, 1e-8 * across);
}

TEST(MassProperties, OfAMeshDoNotDependOnWhereItsOriginIs) {
  Collider mesh = collider(MeshCollider{});
  mesh.surface = box_surface(Vec3(1, 2, 3), Vec3(40, -30, 20));
  const MassProperties box = solid_of_density(mesh, 10);
  EXPECT_NEAR(box.mass, 60, 1e-9);
  EXPECT_LT((box.centre - Vec3(40, -30, 20)).norm(), 1e-9);
  EXPECT_LT((box.inertia - Mat3(Vec3(65, 50, 25).asDiagonal())).norm(), 1e-9);
}

// Two boxes by the parallel axis theorem.
TEST(MassProperties, OfAnLShapedMeshAreThoseOfItsTwoBoxes) {
  Collider mesh = collider(MeshCollider{});
  mesh.surface = l_surface();
  const MassProperties l = solid_of_density(mesh, 1);
  const std::array<double, 2> mass = {0.5, 0.25};
  const std::array<Vec3, 2> size = {Vec3(1, 0.5, 1), Vec3(0.5, 0.5, 1)}, at = {Vec3(0.5, 0.25, 0), Vec3(0.25, 0.75, 0)};
  const Vec3 centre = (mass[0] * at[0] + mass[1] * at[1]) / 0.75;
  Mat3 inertia = Mat3::Zero();
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3 s = size[i].cwiseAbs2() / 12, d = at[i] - centre;
    inertia += mass[i] * Mat3(Vec3(s.y() + s.z(), s.z() + s.x(), s.x() + s.y()).asDiagonal());
    inertia += mass[i] * (d.squaredNorm() * Mat3::Identity() - d * d.transpose());
  }
  EXPECT_NEAR(l.mass, 0.75, 1e-14);
  EXPECT_LT((l.centre - centre).norm(), 1e-14);
  EXPECT_LT((l.inertia - inertia).norm(), 1e-14);
}

TEST(MassProperties, AMassIsTheDensityTimesTheVolume) {
  Collider by_mass = collider(CapsuleCollider{0.2, 1}), by_density = by_mass;
  by_density.density = 700;
  by_mass.mass = mass_properties(by_density).mass;
  EXPECT_NEAR(*by_mass.mass, 700 * solid_of_density(by_mass, 1).mass, 1e-12);
  EXPECT_LT((mass_properties(by_mass).inertia - mass_properties(by_density).inertia).norm(), 1e-12);
}

}  // namespace
}  // namespace sunder
