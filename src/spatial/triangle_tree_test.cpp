#include "spatial/triangle_tree.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "core/parallel.h"
#include "core/random.h"

namespace sunder {
namespace {

struct Soup {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;
  TriangleCorners corners(std::size_t t) const {
    return {points[triangles[t][0]], points[triangles[t][1]], points[triangles[t][2]]};
  }
};

// A sphere of 2 n^2 triangles, wound outwards.
Soup sphere(std::uint32_t n) {
  Soup soup;
  for (std::uint32_t i = 0; i <= n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      const double theta = std::numbers::pi * i / n, phi = 2 * std::numbers::pi * j / n;
      soup.points.emplace_back(std::sin(theta) * std::cos(phi), std::sin(theta) * std::sin(phi), std::cos(theta));
    }
  }
  for (std::uint32_t i = 0; i < n; ++i) {
    for (std::uint32_t j = 0; j < n; ++j) {
      const std::uint32_t a = i * n + j, b = i * n + (j + 1) % n;
      soup.triangles.push_back({a, a + n, b + n});
      soup.triangles.push_back({a, b + n, b});
    }
  }
  return soup;
}

Soup random_soup(std::size_t count, std::uint64_t seed) {
  Soup soup;
  for (std::uint32_t t = 0; t < count; ++t) {
    const auto draw = [&](std::uint64_t k) { return random_unit(seed, t, k); };
    const Vec3 centre(draw(0), draw(1), draw(2));
    for (std::uint64_t c = 0; c < 3; ++c) {
      soup.points.emplace_back(centre + 0.2 * Vec3(draw(3 + 3 * c), draw(4 + 3 * c), draw(5 + 3 * c)));
    }
    soup.triangles.push_back({3 * t, 3 * t + 1, 3 * t + 2});
    if (t % 9 == 0) soup.triangles.back()[2] = 3 * t + 1;  // no area
    if (t % 11 == 1) soup.triangles.back() = soup.triangles[t - 1];
  }
  return soup;
}

Vec3 random_point(std::uint64_t seed, std::uint64_t i, double scale) {
  return {scale * (random_unit(seed, i, 0) - 0.25), scale * (random_unit(seed, i, 1) - 0.25),
          scale * (random_unit(seed, i, 2) - 0.25)};
}

TEST(TriangleTree, NearestPointIsThatOfBruteForce) {
  const Soup soup = random_soup(500, 1);
  const TriangleTree tree(soup.points, soup.triangles);
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Vec3 x = random_point(2, i, 2);
    double best = 1e300;
    std::uint32_t which = 0;
    for (std::uint32_t t = 0; t < soup.triangles.size(); ++t) {
      const double d = (closest_point(soup.corners(t), x).point - x).norm();
      if (d < best) {
        best = d;
        which = t;
      }
    }
    const TriangleTree::Nearest found = tree.nearest(x);
    ASSERT_NEAR(found.distance, best, 1e-14);
    ASSERT_EQ(found.triangle, which);
    const TriangleCorners t = soup.corners(found.triangle);
    const Vec3& w = found.at.weights;
    EXPECT_LT((w[0] * t[0] + w[1] * t[1] + w[2] * t[2] - found.at.point).norm(), 1e-14);
    EXPECT_EQ(tree.nearest(x, 0.99 * best).triangle, TriangleTree::kNone);
    EXPECT_EQ(tree.nearest(x, 1.01 * best).triangle, which);
  }
}

TEST(TriangleTree, LabelsRestrictTheSearch) {
  const Soup soup = random_soup(300, 3);
  const TriangleTree tree(soup.points, soup.triangles);
  std::vector<std::uint32_t> label(soup.triangles.size());
  for (std::size_t t = 0; t < label.size(); ++t) label[t] = t % 5;
  for (std::uint64_t i = 0; i < 100; ++i) {
    const Vec3 x = random_point(4, i, 2);
    double best = 1e300;
    for (std::uint32_t t = 3; t < soup.triangles.size(); t += 5) {
      best = std::min(best, (closest_point(soup.corners(t), x).point - x).norm());
    }
    const auto found = tree.nearest_labelled(x, 1e300, label, 3);
    EXPECT_NEAR(found.distance, best, 1e-14);
    EXPECT_EQ(found.triangle % 5, 3u);
    EXPECT_TRUE(tree.reaches_labelled(x, best * (1 + 1e-9), label, 3));
    EXPECT_FALSE(tree.reaches_labelled(x, best * (1 - 1e-9), label, 3));
  }
}

TEST(TriangleTree, FirstHitIsThatOfBruteForce) {
  const Soup soup = random_soup(500, 5);
  const TriangleTree tree(soup.points, soup.triangles);
  int hits = 0;
  for (std::uint64_t i = 0; i < 500; ++i) {
    const Vec3 origin = random_point(6, i, 2), direction = random_point(7, i, 1);
    double best = std::numeric_limits<double>::infinity();
    for (std::size_t t = 0; t < soup.triangles.size(); ++t) {
      const double at = ray_hit(soup.corners(t), origin, direction);
      if (at > 0.1) best = std::min(best, at);
    }
    const TriangleTree::Hit hit = tree.first_hit(origin, direction, 0.1);
    EXPECT_EQ(hit.at, best);
    hits += hit.triangle != TriangleTree::kNone ? 1 : 0;
  }
  EXPECT_GT(hits, 40);
}

TEST(TriangleTree, WindingNumberIsNearThatOfBruteForce) {
  for (const Soup& soup : {random_soup(2000, 8), sphere(40)}) {
    const TriangleTree tree(soup.points, soup.triangles);
    double worst = 0;
    for (std::uint64_t i = 0; i < 300; ++i) {
      const Vec3 x = random_point(9, i, 3);
      double exact = 0;
      for (std::size_t t = 0; t < soup.triangles.size(); ++t) exact += solid_angle(soup.corners(t), x);
      worst = std::max(worst, std::abs(tree.winding_number(x) - exact / (4 * std::numbers::pi)));
    }
    EXPECT_LT(worst, 0.06);  // of winding numbers up to 10 in the soup
  }
}

TEST(TriangleTree, WindingNumberTellsInsideFromOutsideCloseToTheSurface) {
  const Soup soup = sphere(60);
  const TriangleTree tree(soup.points, soup.triangles);
  for (std::uint64_t i = 0; i < 2000; ++i) {
    const Vec3 direction = random_point(10, i, 1).normalized();
    EXPECT_NEAR(tree.winding_number(0.995 * direction), 1, 0.04);  // the flat triangles reach in to 0.9986
    EXPECT_NEAR(tree.winding_number(1.001 * direction), 0, 0.04);
  }
}

TEST(TriangleTree, BatchesAreTheSameForAnyNumberOfThreads) {
  const Soup soup = sphere(20);
  const TriangleTree tree(soup.points, soup.triangles);
  std::vector<Vec3> x;
  for (std::uint64_t i = 0; i < 3000; ++i) x.push_back(random_point(11, i, 3));
  for (const int threads : {1, 2, 5}) {
    std::vector<double> w(x.size()), d(x.size());
    Threads(threads).run([&] {
      tree.winding_numbers(x, w);
      tree.distances(x, d);
    });
    for (std::size_t i = 0; i < x.size(); ++i) {
      ASSERT_EQ(w[i], tree.winding_number(x[i]));
      ASSERT_EQ(d[i], tree.nearest(x[i]).distance);
    }
  }
}

TEST(TriangleTree, ManyEqualTrianglesAndNoneAreNoTrouble) {
  const Soup one = random_soup(2, 1);
  std::vector<std::array<std::uint32_t, 3>> same(10000, {0, 1, 2});
  EXPECT_EQ(TriangleTree(one.points, same).nearest(Vec3::Zero()).triangle, 0u);
  const TriangleTree empty({}, {});
  EXPECT_EQ(empty.nearest(Vec3::Zero()).triangle, TriangleTree::kNone);
  EXPECT_EQ(empty.winding_number(Vec3::Zero()), 0);
  EXPECT_EQ(empty.first_hit(Vec3::Zero(), Vec3::Ones(), 0).triangle, TriangleTree::kNone);
}

}  // namespace
}  // namespace sunder
