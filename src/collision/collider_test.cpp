// Depth and normal of every shape: a true distance on both sides of its surface.
#include "collision/collider.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "collision/closed_surface.h"
#include "collision/collision_testing.h"
#include "core/random.h"

namespace sunder {
namespace {

using collision_testing::box_surface;
using collision_testing::l_surface;

std::vector<Collider> shapes() {
  std::vector<Collider> all(6);
  all[0].shape = GroundCollider{0.1};
  all[1].shape = PlaneCollider{Vec3(1, 2, 0.5).normalized()};
  all[2].shape = SphereCollider{0.6};
  all[3].shape = BoxCollider{Vec3(0.8, 1.2, 0.5)};
  all[4].shape = CapsuleCollider{0.3, 1.4};
  all[5].shape = MeshCollider{};
  all[5].surface = l_surface();
  Dice dice(3);
  for (std::size_t i = 1; i < all.size(); ++i) {
    all[i].position = dice.vec(-0.2, 0.2);
    all[i].rotation = rotation_by(dice.vec(-2, 2)).toRotationMatrix();
  }
  return all;
}

// A distance changes by as much as one walks along its normal, and its gradient is that normal.
TEST(Penetration, IsASignedDistanceWithItsGradientInsideAndOutside) {
  constexpr double h = 1e-6;
  for (const Collider& collider : shapes()) {
    Dice dice(11);
    int inside = 0, outside = 0, kinks = 0;
    for (int i = 0; i < 400; ++i) {
      const Vec3 x = dice.vec(-1.2, 1.2);
      const Penetration p = penetration(collider, x);
      ASSERT_NEAR(p.normal.norm(), 1, 1e-12);
      (p.depth > 0 ? inside : outside) += 1;
      // The nearest surface point lies there and nowhere nearer.
      EXPECT_NEAR(penetration(collider, x + p.depth * p.normal).depth, 0, 1e-9) << kind_name(collider.shape);
      Vec3 gradient;
      for (int a = 0; a < 3; ++a) {
        gradient[a] =
            -(penetration(collider, x + h * Vec3::Unit(a)).depth - penetration(collider, x - h * Vec3::Unit(a)).depth) /
            (2 * h);
      }
      if ((gradient - p.normal).norm() > 1e-4) ++kinks;  // on a medial surface two points are nearest
    }
    EXPECT_GT(outside, 50) << kind_name(collider.shape);
    EXPECT_GT(inside, 5) << kind_name(collider.shape);
    EXPECT_LE(kinks, 2) << kind_name(collider.shape);
  }
}

TEST(Penetration, OfAMeshOfABoxIsTheBoxs) {
  Collider box, mesh;
  box.shape = BoxCollider{Vec3(1, 0.6, 2)};
  mesh.shape = MeshCollider{};
  mesh.surface = box_surface(Vec3(1, 0.6, 2), Vec3::Zero());
  Dice dice(5);
  for (int i = 0; i < 2000; ++i) {
    const Vec3 x = dice.vec(-1.5, 1.5);
    const Penetration a = penetration(box, x), b = penetration(mesh, x);
    ASSERT_NEAR(a.depth, b.depth, 1e-12) << x.transpose();
    if (a.depth < 0) {
      EXPECT_LT((a.normal - b.normal).norm(), 1e-9);
    }
  }
}

TEST(Penetration, OfAMeshKnowsTheNotchOfAnLFromItsSolid) {
  Collider l;
  l.shape = MeshCollider{};
  l.surface = l_surface();  // the unit square of x and y but for its upper right quarter
  EXPECT_NEAR(penetration(l, Vec3(0.6, 0.8, 0)).depth, -0.1, 1e-12);
  EXPECT_NEAR(penetration(l, Vec3(0.4, 0.8, 0)).depth, 0.1, 1e-12);
  EXPECT_LT((penetration(l, Vec3(0.4, 0.8, 0)).normal - Vec3::UnitX()).norm(), 1e-12);
  EXPECT_NEAR(penetration(l, Vec3(0.4, 0.4, 0)).depth, std::hypot(0.1, 0.1), 1e-12) << "from the inner edge";
}

TEST(Penetration, WithinADistanceAgreesThereAndIsFarBeyondIt) {
  for (const Collider& collider : shapes()) {
    Dice dice(17);
    for (int i = 0; i < 300; ++i) {
      const Vec3 x = dice.vec(-2, 2);
      const double depth = penetration(collider, x).depth, asked = penetration(collider, x, 0.2).depth;
      if (depth > -0.2) {
        EXPECT_EQ(depth, asked) << kind_name(collider.shape);
      } else {
        EXPECT_LT(asked, -0.2 * (1 - 1e-12)) << kind_name(collider.shape);
      }
    }
  }
}

TEST(Penetration, IsFiniteWhereTheWayOutIsNotUnique) {
  for (const Collider& collider : shapes()) {
    const Penetration p = penetration(collider, collider.position);
    EXPECT_TRUE(std::isfinite(p.depth)) << kind_name(collider.shape);
    EXPECT_NEAR(p.normal.norm(), 1, 1e-9) << kind_name(collider.shape);
  }
}

}  // namespace
}  // namespace sunder
