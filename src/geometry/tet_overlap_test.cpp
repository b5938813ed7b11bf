#include "geometry/tet_overlap.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "core/random.h"
#include "geometry/triangle.h"

namespace sunder {
namespace {

#ifdef SUNDER_SANITIZED
constexpr int kMany = 5000;  // sanitizers take thirty times as long
#else
constexpr int kMany = 100000;
#endif

const TetCorners kUnitCorner = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
// Regular, about the origin, edge sqrt(8): every other corner of a cube. Its mirror image has the other four.
const TetCorners kRegular = {Vec3(1, 1, 1), Vec3(-1, 1, -1), Vec3(1, -1, -1), Vec3(-1, -1, 1)};
const TetCorners kMirrored = {-kRegular[1], -kRegular[0], -kRegular[2], -kRegular[3]};

TetCorners moved(const TetCorners& x, const Vec3& by) { return {x[0] + by, x[1] + by, x[2] + by, x[3] + by}; }

TetCorners scaled(const TetCorners& x, double s) { return {s * x[0], s * x[1], s * x[2], s * x[3]}; }

Vec3 middle(const TetCorners& x) { return (x[0] + x[1] + x[2] + x[3]) / 4; }

Vec3 sum(const std::array<Vec3, 4>& v) { return v[0] + v[1] + v[2] + v[3]; }

double total_area(const TetOverlap& o) {
  double total = 0;
  for (int i = 0; i < 4; ++i) total += o.area_a[i].norm() + o.area_b[i].norm();
  return total;
}

Vec3 face_area(const TetCorners& x, int i) {
  const auto& [j, k, l] = kTetFaces[i];
  return area_vector({x[j], x[k], x[l]});
}

Vec3 random_point(std::uint64_t seed, std::uint64_t key) {
  return {random_unit(seed, key, 0), random_unit(seed, key, 1), random_unit(seed, key, 2)};
}

// Corners in the unit cube: any shape, slivers among them.
TetCorners random_tet(std::uint64_t seed, std::uint64_t key) {
  TetCorners x;
  for (std::uint64_t i = 0; i < 4; ++i) x[i] = random_point(seed, 4 * key + i);
  if (signed_volume(x) < 0) std::swap(x[2], x[3]);
  return x;
}

// Of decent shape and of size one or so.
TetCorners random_good_tet(std::uint64_t seed, std::uint64_t key) {
  for (std::uint64_t tries = 0;; ++tries) {
    TetCorners x = random_tet(seed, 1000 * key + tries);
    if (quality(x) > 0.3) return x;
  }
}

std::array<TetCorners, 4> split_at_middle(const TetCorners& x) {
  std::array<TetCorners, 4> parts = {x, x, x, x};
  for (int i = 0; i < 4; ++i) parts[i][i] = middle(x);
  return parts;
}

bool inside(const TetCorners& x, const Vec3& p, double tolerance) {
  const auto gradients = barycentric_gradients(x);
  for (int i = 0; i < 4; ++i) {
    // b_i = 0 on the face opposite corner i
    if (gradients[i].dot(p - x[(i + 1) % 4]) < -tolerance) return false;
  }
  return true;
}

bool all_zero(const TetOverlap& o) { return o.volume == 0 && o.centroid.isZero(0) && total_area(o) == 0; }

void expect_near(const Vec3& x, const Vec3& y, double tolerance) {
  EXPECT_LE((x - y).norm(), tolerance) << x.transpose() << " instead of " << y.transpose();
}

TEST(TetOverlap, CornerTetAndItsTranslateLeaveASmallerCornerTet) {
  for (const Vec3& by : {Vec3(0.1, 0.2, 0.3), Vec3(0.3, 0.3, 0.3), Vec3(0, 0, 0.5), Vec3(0.9, 0.05, 0.04)}) {
    const TetOverlap o = tet_overlap(kUnitCorner, moved(kUnitCorner, by));
    const double size = 1 - by.sum();
    EXPECT_NEAR(o.volume, size * size * size / 6, 1e-16);
    expect_near(o.centroid, by + Vec3::Constant(size / 4), 1e-14);
    expect_near(o.area_a[0], Vec3::Constant(size * size / 2), 1e-15);
    expect_near(o.area_b[0], Vec3::Zero(), 0);
    for (int axis = 0; axis < 3; ++axis) {
      // Not moved along an axis: faces in one plane, and a has them.
      const Vec3 area = -size * size / 2 * Vec3::Unit(axis);
      expect_near(o.area_a[axis + 1], by[axis] > 0 ? Vec3::Zero() : area, 1e-15);
      expect_near(o.area_b[axis + 1], by[axis] > 0 ? area : Vec3::Zero(), 1e-15);
    }
  }
}

TEST(TetOverlap, OneInsideTheOtherIsTheOverlapWithAllItsFaces) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const TetCorners large = random_good_tet(seed, 0);
    const TetCorners small = moved(scaled(random_good_tet(seed, 1), 0.02), middle(large) - Vec3::Constant(0.01));
    const TetOverlap first = tet_overlap(small, large), second = tet_overlap(large, small);
    EXPECT_NEAR(first.volume, signed_volume(small), 1e-13 * signed_volume(small));
    EXPECT_NEAR(second.volume, signed_volume(small), 1e-10 * signed_volume(small));
    expect_near(first.centroid, middle(small), 1e-14);
    expect_near(second.centroid, middle(small), 1e-12);
    for (int i = 0; i < 4; ++i) {
      expect_near(first.area_a[i], face_area(small, i), 1e-17);
      expect_near(second.area_b[i], face_area(small, i), 1e-14);
      expect_near(first.area_b[i], Vec3::Zero(), 0);
      expect_near(second.area_a[i], Vec3::Zero(), 0);
    }
  }
}

TEST(TetOverlap, HalfSpaceLeavesTheTipOrTheStump) {
  // Tets so large that a sees only their face x = h.
  const auto beyond = [](double h) {
    return TetCorners{Vec3(h, -9, -9), Vec3(h, 20, -9), Vec3(h, -9, 20), Vec3(h + 30, 0, 0)};
  };
  const auto before = [](double h) {
    return TetCorners{Vec3(h, -9, -9), Vec3(h, -9, 20), Vec3(h, 20, -9), Vec3(h - 30, 0, 0)};
  };
  for (const double h : {0.1, 1 - std::cbrt(0.5), 0.5, 0.9}) {
    const double r = 1 - h, tip_volume = r * r * r / 6;
    const Vec3 tip_centroid(h + r / 4, r / 4, r / 4);
    const TetOverlap tip = tet_overlap(kUnitCorner, beyond(h)), stump = tet_overlap(kUnitCorner, before(h));
    EXPECT_NEAR(tip.volume, tip_volume, 1e-14);
    EXPECT_NEAR(stump.volume, 1.0 / 6 - tip_volume, 1e-14);
    expect_near(tip.centroid, tip_centroid, 1e-12);
    expect_near(stump.centroid, (Vec3::Constant(1.0 / 24) - tip_volume * tip_centroid) / (1.0 / 6 - tip_volume), 1e-12);
    expect_near(tip.area_b[3], Vec3(-r * r / 2, 0, 0), 1e-14);
    expect_near(stump.area_b[3], Vec3(r * r / 2, 0, 0), 1e-14);
    expect_near(tip.area_a[0], Vec3::Constant(r * r / 2), 1e-14);
    expect_near(stump.area_a[0], Vec3::Constant((1 - r * r) / 2), 1e-14);
    expect_near(tip.area_a[1], Vec3::Zero(), 0);
    expect_near(stump.area_a[1], Vec3(-0.5, 0, 0), 1e-14);
  }
}

TEST(TetOverlap, RegularTetAndItsMirrorImageMakeAnOctahedron) {
  // Its six corners lie on edges of both, four planes through each.
  const TetOverlap o = tet_overlap(kRegular, kMirrored);
  EXPECT_NEAR(o.volume, signed_volume(kRegular) / 2, 1e-15);
  expect_near(o.centroid, Vec3::Zero(), 1e-15);
  for (int i = 0; i < 4; ++i) {
    expect_near(o.area_a[i], face_area(kRegular, i) / 4, 1e-15);
    expect_near(o.area_b[i], face_area(kMirrored, i) / 4, 1e-15);
  }
}

TEST(TetOverlap, ManyRandomPairsKeepTheInvariants) {
  int overlapping = 0;
  for (std::uint64_t seed = 0; seed < kMany; ++seed) {
    const TetCorners a = random_tet(seed, 0), b = random_tet(seed, 1);
    const TetOverlap o = tet_overlap(a, b);
    if (o.volume == 0) {
      ASSERT_TRUE(all_zero(o)) << "seed " << seed;
      continue;
    }
    ++overlapping;
    ASSERT_GT(o.volume, 0) << "seed " << seed;
    ASSERT_LE(o.volume, std::min(signed_volume(a), signed_volume(b)) + 1e-15) << "seed " << seed;
    ASSERT_LE((sum(o.area_a) + sum(o.area_b)).norm(), 1e-12 * total_area(o)) << "seed " << seed;
    for (int i = 0; i < 4; ++i) {
      for (const auto& [area, face] : {std::pair{o.area_a[i], face_area(a, i)}, {o.area_b[i], face_area(b, i)}}) {
        ASSERT_GE(area.dot(face), -1e-15) << "seed " << seed;
        ASSERT_LE(area.norm(), face.norm() + 1e-15) << "seed " << seed;
        ASSERT_LE(area.cross(face).norm(), 1e-14) << "seed " << seed;
      }
    }
    if (o.volume > 1e-9) {
      ASSERT_TRUE(inside(a, o.centroid, 1e-9) && inside(b, o.centroid, 1e-9)) << "seed " << seed;
    }
  }
  EXPECT_GT(overlapping, kMany * 3 / 10);
}

TEST(TetOverlap, SwappingTheTwoSwapsTheAreas) {
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const TetCorners a = random_tet(seed, 0), b = random_tet(seed, 1);
    const TetOverlap ab = tet_overlap(a, b), ba = tet_overlap(b, a);
    ASSERT_NEAR(ab.volume, ba.volume, 1e-15) << "seed " << seed;
    ASSERT_LE((ab.centroid * ab.volume - ba.centroid * ba.volume).norm(), 1e-15) << "seed " << seed;
    for (int i = 0; i < 4; ++i) {
      ASSERT_LE((ab.area_a[i] - ba.area_b[i]).norm(), 1e-12) << "seed " << seed;
      ASSERT_LE((ab.area_b[i] - ba.area_a[i]).norm(), 1e-12) << "seed " << seed;
    }
  }
}

TEST(TetOverlap, PartsOfATetOverlapAsMuchAsTheWhole) {
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const TetCorners a = random_tet(seed, 0), b = random_tet(seed, 1);
    const TetOverlap whole = tet_overlap(a, b);
    double volume_a = 0, volume_b = 0;
    Vec3 moment_a = Vec3::Zero(), moment_b = Vec3::Zero(), outer_a = Vec3::Zero(), outer_b = Vec3::Zero();
    for (int i = 0; i < 4; ++i) {
      const TetOverlap of_a = tet_overlap(split_at_middle(a)[i], b), of_b = tet_overlap(a, split_at_middle(b)[i]);
      volume_a += of_a.volume;
      volume_b += of_b.volume;
      moment_a += of_a.volume * of_a.centroid;
      moment_b += of_b.volume * of_b.centroid;
      outer_a += of_a.area_a[i];  // part i has the whole's face i, the other three are within
      outer_b += of_b.area_b[i];
    }
    ASSERT_NEAR(volume_a, whole.volume, 1e-15) << "seed " << seed;
    ASSERT_NEAR(volume_b, whole.volume, 1e-15) << "seed " << seed;
    ASSERT_LE((moment_a - whole.volume * whole.centroid).norm(), 1e-15) << "seed " << seed;
    ASSERT_LE((moment_b - whole.volume * whole.centroid).norm(), 1e-15) << "seed " << seed;
    ASSERT_LE((outer_a - sum(whole.area_a)).norm(), 1e-12) << "seed " << seed;
    ASSERT_LE((outer_b - sum(whole.area_b)).norm(), 1e-12) << "seed " << seed;
  }
}

TEST(TetOverlap, MovesAndTurnsWithTheTwo) {
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const TetCorners a = random_tet(seed, 0), b = random_tet(seed, 1);
    const Mat3 turn =
        Eigen::AngleAxisd(6 * random_unit(seed, 9), random_point(seed, 10).normalized()).toRotationMatrix();
    const Vec3 shift = random_point(seed, 11);
    TetCorners turned_a, turned_b;
    for (int i = 0; i < 4; ++i) turned_a[i] = turn * a[i] + shift, turned_b[i] = turn * b[i] + shift;
    const TetOverlap before = tet_overlap(a, b), after = tet_overlap(turned_a, turned_b);
    ASSERT_NEAR(after.volume, before.volume, 2e-15) << "seed " << seed;
    const Vec3 moment = before.volume == 0 ? Vec3::Zero() : Vec3(turn * before.centroid + shift);
    ASSERT_LE((after.volume * after.centroid - before.volume * moment).norm(), 4e-15) << "seed " << seed;
    for (int i = 0; i < 4; ++i) {
      ASSERT_LE((after.area_a[i] - turn * before.area_a[i]).norm(), 1e-12) << "seed " << seed;
      ASSERT_LE((after.area_b[i] - turn * before.area_b[i]).norm(), 1e-12) << "seed " << seed;
    }
  }
}

TEST(TetOverlap, FarFromTheOriginCostsNoDigits) {
  // Coordinates with 20 bits behind the point: the same tets to the last bit, far away.
  const auto coarse = [](TetCorners x) {
    for (Vec3& p : x) p = (p * 0x1p20).array().round() * 0x1p-20;
    return x;
  };
  const Vec3 far(0x1p30, -0x1p29, 0x1p31);
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const TetCorners a = coarse(random_tet(seed, 0)), b = coarse(random_tet(seed, 1));
    const TetOverlap here = tet_overlap(a, b), there = tet_overlap(moved(a, far), moved(b, far));
    ASSERT_EQ(here.volume, there.volume);
    for (int i = 0; i < 4; ++i) {
      ASSERT_EQ(here.area_a[i], there.area_a[i]);
      ASSERT_EQ(here.area_b[i], there.area_b[i]);
    }
    if (here.volume > 0) expect_near(there.centroid - far, here.centroid, 1e-6);
  }
}

TEST(TetOverlap, MonteCarloAgrees) {
  constexpr int samples = 40000;
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    const TetCorners a = random_good_tet(seed, 0), b = random_good_tet(seed, 1);
    const TetOverlap o = tet_overlap(a, b);
    int hits = 0;
    Vec3 moment = Vec3::Zero();
    for (std::uint64_t i = 0; i < samples; ++i) {
      // Uniform in a: the gaps between three sorted numbers.
      std::array<double, 3> cut = {random_unit(seed, i, 20), random_unit(seed, i, 21), random_unit(seed, i, 22)};
      std::sort(cut.begin(), cut.end());
      const Vec3 p = cut[0] * a[0] + (cut[1] - cut[0]) * a[1] + (cut[2] - cut[1]) * a[2] + (1 - cut[2]) * a[3];
      if (!inside(b, p, 0)) continue;
      ++hits;
      moment += p;
    }
    const double share = o.volume / signed_volume(a);
    const double deviation = std::sqrt(share * (1 - share) / samples);
    EXPECT_NEAR(hits / double{samples}, share, 4 * deviation + 1e-12) << "seed " << seed;
    if (hits > 100) expect_near(moment / hits, o.centroid, 4 / std::sqrt(double(hits)));
  }
}

TEST(TetOverlap, VolumeChangesAsTheAreasOfTheMovingTetSay) {
  constexpr double step = 1e-5;
  int looked_at = 0;
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const TetCorners a = random_tet(seed, 0), b = random_tet(seed, 1);
    const TetOverlap o = tet_overlap(a, b);
    if (o.volume == 0) continue;
    ++looked_at;
    const Vec3 direction = (random_point(seed, 9) - Vec3::Constant(0.5)).normalized();
    const Vec3 by = step * direction;
    const double difference = (tet_overlap(moved(a, by), b).volume - tet_overlap(moved(a, -by), b).volume) / (2 * step);
    // The volume is cubic in the shift with factors below 1, by pieces that meet with equal slope.
    ASSERT_NEAR(difference, sum(o.area_a).dot(direction), 3e-5) << "seed " << seed;
    ASSERT_NEAR(difference, -sum(o.area_b).dot(direction), 3e-5) << "seed " << seed;
  }
  EXPECT_GT(looked_at, 5000);
}

TEST(TetOverlap, ATetOverlapsItselfWhollyWhateverTheOrderOfCorners) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const TetCorners x = random_tet(seed, 0);
    // Even permutations keep the orientation.
    for (const TetCorners& y : {x, TetCorners{x[1], x[2], x[0], x[3]}, TetCorners{x[3], x[2], x[1], x[0]}}) {
      const TetOverlap o = tet_overlap(x, y);
      ASSERT_NEAR(o.volume, signed_volume(x), 1e-16);
      ASSERT_LE((o.centroid - middle(x)).norm(), 1e-15 / signed_volume(x));
      for (int i = 0; i < 4; ++i) {
        ASSERT_LE((o.area_a[i] - face_area(x, i)).norm(), 1e-15);
        ASSERT_EQ(o.area_b[i], Vec3::Zero());
      }
    }
  }
}

TEST(TetOverlap, TetsThatShareAFaceOrCornersOnlyTouch) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    const TetCorners x = random_good_tet(seed, 0);
    const Vec3 normal = face_area(x, 3).normalized();
    const Vec3 mirrored = x[3] - 2 * normal.dot(x[3] - x[0]) * normal;
    const Vec3 aside = x[0] + x[1] - x[2];  // x[2] mirrored in the middle of an edge
    EXPECT_TRUE(all_zero(tet_overlap(x, {x[0], x[2], x[1], mirrored})));
    EXPECT_TRUE(all_zero(tet_overlap({x[0], x[2], x[1], mirrored}, x)));
    EXPECT_TRUE(all_zero(tet_overlap(x, {x[0], x[1], aside, mirrored})));
    EXPECT_TRUE(all_zero(tet_overlap(x, {x[0], 2 * x[0] - x[2], 2 * x[0] - x[1], 2 * x[0] - x[3]})));
  }
}

// A cube of 4^3 cells, each six tets around its diagonal, nodes moved about.
std::vector<TetCorners> block_of_tets(std::uint64_t seed, const Vec3& origin) {
  constexpr int n = 4;
  const auto node = [&](const Eigen::Vector3i& at) {
    const int key = (at[0] * 8 + at[1]) * 8 + at[2];
    return Vec3(origin + 0.1 * at.cast<double>() + 0.03 * (random_point(seed, key) - Vec3::Constant(0.5)));
  };
  std::vector<TetCorners> tets;
  for (int cell = 0; cell < n * n * n; ++cell) {
    const Eigen::Vector3i low(cell % n, cell / n % n, cell / n / n);
    std::array<int, 3> axes = {0, 1, 2};
    do {
      const Eigen::Vector3i first = low + Eigen::Vector3i::Unit(axes[0]),
                            second = first + Eigen::Vector3i::Unit(axes[1]);
      TetCorners x = {node(low), node(first), node(second), node(low + Eigen::Vector3i::Ones())};
      if (signed_volume(x) < 0) std::swap(x[1], x[2]);
      tets.push_back(x);
    } while (std::next_permutation(axes.begin(), axes.end()));
  }
  return tets;
}

TEST(TetOverlap, TetsOfAMeshDoNotOverlap) {
  for (const Vec3& origin : {Vec3(0, 0, 0), Vec3(1234.5, -77.7, 1e5)}) {
    const std::vector<TetCorners> tets = block_of_tets(1, origin);
    for (std::size_t i = 0; i < tets.size(); ++i) {
      for (std::size_t j = 0; j < tets.size(); ++j) {
        if (i == j) continue;
        ASSERT_TRUE(all_zero(tet_overlap(tets[i], tets[j]))) << i << ' ' << j;
      }
    }
  }
}

TEST(TetOverlap, TwoMeshesOfOneSpaceOverlapInTheirWholeVolume) {
  const std::vector<TetCorners> first = block_of_tets(1, Vec3::Zero());
  const TetCorners within = moved(scaled(kRegular, 0.08), Vec3::Constant(0.2));
  double volume = 0;
  Vec3 moment = Vec3::Zero(), outward = Vec3::Zero();
  for (const TetCorners& x : first) {
    const TetOverlap o = tet_overlap(x, within);
    volume += o.volume;
    moment += o.volume * o.centroid;
    for (int i = 0; i < 4; ++i) outward += o.area_b[i].cwiseAbs();
  }
  EXPECT_NEAR(volume, signed_volume(within), 1e-17);
  expect_near(moment / volume, Vec3::Constant(0.2), 1e-14);
  Vec3 expected = Vec3::Zero();
  for (int i = 0; i < 4; ++i) expected += face_area(within, i).cwiseAbs();
  expect_near(outward, expected, 1e-15);
}

TEST(TetOverlap, FacesInOnePlaneAreCountedOnceAndForTheFirst) {
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    // Both stand on the same plane, b with another outline: a's face 3 and b's.
    TetCorners a = random_good_tet(seed, 0), b = a;
    b[0] += 0.2 * (a[1] - a[0]) + 0.1 * (a[2] - a[0]);
    b[1] += 0.3 * (a[2] - a[1]);
    b[3] += 0.4 * (a[1] - a[3]);
    const TetOverlap o = tet_overlap(a, b);
    ASSERT_GT(o.volume, 0.01 * signed_volume(a));
    ASSERT_GT(o.area_a[3].norm(), 0.1 * face_area(a, 3).norm());
    ASSERT_EQ(o.area_b[3], Vec3::Zero());
    ASSERT_LE((sum(o.area_a) + sum(o.area_b)).norm(), 1e-14 * total_area(o));
  }
}

TEST(TetOverlap, CornersOnAGridGiveTheSameWhenRoundOffHasMovedThem) {
  // Four places along each axis: most pairs share corners, edges or planes. Turned, they do so only nearly.
  int overlapping = 0;
  for (std::uint64_t seed = 0; seed < kMany; ++seed) {
    TetCorners a = random_tet(seed, 0), b = random_tet(seed, 1), turned_a, turned_b;
    const Mat3 turn =
        Eigen::AngleAxisd(6 * random_unit(seed, 9), random_point(seed, 10).normalized()).toRotationMatrix();
    for (int i = 0; i < 4; ++i) {
      a[i] = (4 * a[i]).array().floor() / 4, b[i] = (4 * b[i]).array().floor() / 4;
      turned_a[i] = turn * a[i], turned_b[i] = turn * b[i];
    }
    const TetOverlap exact = tet_overlap(a, b), nearly = tet_overlap(turned_a, turned_b);
    overlapping += exact.volume > 0 ? 1 : 0;
    ASSERT_NEAR(nearly.volume, exact.volume, 1e-15) << "seed " << seed;
    ASSERT_LE((sum(exact.area_a) + sum(exact.area_b)).norm(), 1e-14 * total_area(exact)) << "seed " << seed;
    ASSERT_LE((sum(nearly.area_a) + sum(nearly.area_b)).norm(), 1e-14 * total_area(nearly)) << "seed " << seed;
    ASSERT_TRUE(exact.volume > 0 || all_zero(exact)) << "seed " << seed;
    // Faces in one plane may change hands, but none is lost or counted twice.
    if (exact.volume == 0) continue;
    ASSERT_NEAR(total_area(nearly), total_area(exact), 1e-13) << "seed " << seed;
  }
  EXPECT_GT(overlapping, kMany * 3 / 10);
}

TEST(TetOverlap, ATetAndItsCopyWithNoiseOverlapButForTheNoise) {
  for (std::uint64_t seed = 0; seed < kMany; ++seed) {
    const TetCorners a = random_good_tet(seed, 0);
    TetCorners b = a;
    const double noise = std::pow(10, -6 - 12 * random_unit(seed, 5));
    for (std::uint64_t i = 0; i < 4; ++i) b[i] += noise * (random_point(seed, 20 + i) - Vec3::Constant(0.5));
    const TetOverlap o = tet_overlap(a, b);
    ASSERT_NEAR(o.volume, signed_volume(a), 2 * noise + 1e-15) << "seed " << seed;
    ASSERT_LE((o.centroid - middle(a)).norm(), 50 * noise + 1e-13) << "seed " << seed;
    ASSERT_LE((sum(o.area_a) + sum(o.area_b)).norm(), 1e-14 * total_area(o)) << "seed " << seed;
    for (int i = 0; i < 4; ++i) {
      ASSERT_LE((o.area_a[i] + o.area_b[i] - face_area(a, i)).norm(), 50 * noise + 1e-13) << "seed " << seed;
    }
  }
}

TEST(TetOverlap, FlatAndInvertedTetsOverlapNothing) {
  const TetCorners inverted = {kRegular[0], kRegular[2], kRegular[1], kRegular[3]};
  EXPECT_TRUE(all_zero(tet_overlap(kRegular, inverted)));
  EXPECT_TRUE(all_zero(tet_overlap(inverted, kRegular)));
  EXPECT_TRUE(all_zero(tet_overlap(inverted, inverted)));
  for (std::uint64_t seed = 0; seed < 1000; ++seed) {
    TetCorners flat = random_tet(seed, 0);
    flat[3] = 0.3 * flat[0] + 0.2 * flat[1] + 0.5 * flat[2];
    EXPECT_TRUE(all_zero(tet_overlap(flat, kRegular)));
    EXPECT_TRUE(all_zero(tet_overlap(kRegular, flat)));
    const TetCorners point = {flat[0], flat[0], flat[0], flat[0]};
    EXPECT_TRUE(all_zero(tet_overlap(point, kRegular)));
    EXPECT_TRUE(all_zero(tet_overlap(kRegular, point)));
  }
}

TEST(TetOverlap, NumbersThatAreNotFiniteOrOverflowGiveZero) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity(), kNan = std::numeric_limits<double>::quiet_NaN();
  for (const double bad : {kNan, kInfinity, -kInfinity, 1e300}) {
    for (int i = 0; i < 4; ++i) {
      for (int axis = 0; axis < 3; ++axis) {
        TetCorners x = kRegular;
        x[i][axis] = bad;
        EXPECT_TRUE(all_zero(tet_overlap(x, kMirrored)));
        EXPECT_TRUE(all_zero(tet_overlap(kMirrored, x)));
      }
    }
  }
}

TEST(TetOverlap, SliversOverlapToTheAccuracyOfTheirPlanes) {
  // Heights down to 1e-10 of the length: split at the middle, the parts still add up.
  for (std::uint64_t seed = 0; seed < 20000; ++seed) {
    const double thin = std::pow(10, -10 * random_unit(seed, 5));
    TetCorners a = random_good_tet(seed, 0);
    const TetCorners b = random_good_tet(seed, 1);
    a[3] = a[0] + 0.3 * (a[1] - a[0]) + 0.4 * (a[2] - a[0]) + thin * (a[3] - a[0]);
    const TetOverlap whole = tet_overlap(a, b), swapped = tet_overlap(b, a);
    ASSERT_NEAR(swapped.volume, whole.volume, 1e-14) << "seed " << seed;
    ASSERT_LE((sum(whole.area_a) + sum(whole.area_b)).norm(), 1e-12 * total_area(whole)) << "seed " << seed;
    double volume = 0;
    for (const TetCorners& part : split_at_middle(b)) volume += tet_overlap(a, part).volume;
    ASSERT_NEAR(volume, whole.volume, 1e-14) << "seed " << seed;
  }
}

TEST(TetOverlap, ShallowContactKeepsItsDigits) {
  // A tip that reaches into a face by `depth`: a small copy of the tip, volume (depth / height)^3 of the tet's.
  const TetCorners floor = {Vec3(-2, -2, 0), Vec3(-2, 3, 0), Vec3(3, -2, 0), Vec3(0, 0, -3)};
  for (const double depth : {1e-1, 1e-3, 1e-6, 1e-9, 1e-12}) {
    const TetCorners tip = {Vec3(0.1, 0.1, -depth), Vec3(0.7, 0.2, 1), Vec3(0.3, 0.9, 1), Vec3(-0.5, -0.4, 1)};
    const double share = depth / (1 + depth), relative = 1e-14 / depth;
    const TetOverlap o = tet_overlap(tip, floor);
    const double volume = share * share * share * signed_volume(tip);
    EXPECT_NEAR(o.volume, volume, relative * volume) << depth;
    expect_near(o.area_b[3], share * share * face_area(tip, 0), relative * share * share);
    expect_near(sum(o.area_a) + sum(o.area_b), Vec3::Zero(), 1e-14 * total_area(o));
  }
}

}  // namespace
}  // namespace sunder
