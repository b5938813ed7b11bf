// What may be left unlooked at for a while: random moves up to the bound, none of which may break the promise.
#include "collision/safe_travel.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/dice_testing.h"

namespace sunder {
namespace {

TriangleCorners triangle(Dice& dice, double size) {
  return {dice.vec(-size, size), dice.vec(-size, size), dice.vec(-size, size)};
}

// Any way, as far as allowed.
Vec3 moved(Dice& dice, const Vec3& x, double by) { return x + by * dice.vec(-1, 1).stableNormalized(); }

TriangleCorners moved(Dice& dice, const TriangleCorners& t, double by) {
  return {moved(dice, t[0], by), moved(dice, t[1], by), moved(dice, t[2], by)};
}

constexpr int kCases = 100000;

TEST(SafeTravel, StaysInFrontOfAFace) {
  Dice dice(1);
  int told = 0;
  for (int i = 0; i < kCases; ++i) {
    const TriangleCorners t = triangle(dice, 1);
    const Vec3 x = dice.vec(-1, 1), area = area_vector(t);
    if (area.dot(x - t[0]) < 0) continue;
    const double safe = safe_travel_in_front(t, area, x);
    const TriangleCorners later = moved(dice, t, safe);
    ASSERT_GE(area_vector(later).dot(moved(dice, x, safe) - later[0]), 0) << "case " << i;
    told += safe > 0.01 ? 1 : 0;
  }
  EXPECT_GT(told, kCases / 4);  // it does not just say 0
}

TEST(SafeTravel, StaysOutOfReach) {
  Dice dice(2);
  int told = 0;
  for (int i = 0; i < kCases; ++i) {
    const TriangleCorners t = triangle(dice, 1);
    const Vec3 x = dice.vec(-1.5, 1.5);
    const double safe = safe_travel_out_of_reach((closest_point(t, x).point - x).norm(), 0.2);
    if (safe == 0) continue;
    const Vec3 y = moved(dice, x, safe);
    ASSERT_GT((closest_point(moved(dice, t, safe), y).point - y).norm(), 0.2) << "case " << i;
    ++told;
  }
  EXPECT_GT(told, kCases / 2);
}

TEST(SafeTravel, StaysAlike) {
  Dice dice(3);
  int told = 0;
  for (int i = 0; i < kCases; ++i) {
    const TriangleCorners t = triangle(dice, 1);
    std::array<TriangleCorners, 3> others = {triangle(dice, 1), triangle(dice, 0.3), triangle(dice, 0.5)};
    AreaVector a, b;
    a.add(t);
    for (const TriangleCorners& o : others) b.add(o);
    if (a.sum.dot(b.sum) < 0) continue;
    const double safe = safe_travel_alike(a, b);
    AreaVector later_a, later_b;
    later_a.add(moved(dice, t, safe));
    for (const TriangleCorners& o : others) later_b.add(moved(dice, o, safe));
    ASSERT_GE(later_a.sum.dot(later_b.sum), 0) << "case " << i;
    told += safe > 0.01 ? 1 : 0;
  }
  EXPECT_GT(told, kCases / 4);
}

}  // namespace
}  // namespace sunder
