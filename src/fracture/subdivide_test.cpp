#include "fracture/subdivide.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "core/random.h"

namespace sunder {
namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

TetCorners random_tet(std::uint64_t seed) {
  TetCorners x;
  for (std::uint64_t i = 0; i < 4; ++i) {
    x[i] = Vec3(random_unit(seed, i, 0), random_unit(seed, i, 1), random_unit(seed, i, 2));
  }
  if (signed_volume(x) < 0) std::swap(x[2], x[3]);
  return x;
}

EdgeRank rank(const TetCorners& x, const std::array<Uid, 4>& uids, std::size_t e) {
  const auto [a, b] = kTetEdges[e];
  return {(x[at(a)] - x[at(b)]).squaredNorm(), std::min(uids[at(a)], uids[at(b)]), std::max(uids[at(a)], uids[at(b)])};
}

std::vector<std::uint8_t> in_order(unsigned mask, const TetCorners& x, const std::array<Uid, 4>& uids) {
  std::vector<std::uint8_t> edges;
  for (std::uint8_t e = 0; e < 6; ++e) {
    if ((mask >> e & 1u) != 0) edges.push_back(e);
  }
  std::sort(edges.begin(), edges.end(),
            [&](std::uint8_t a, std::uint8_t b) { return rank(x, uids, a) < rank(x, uids, b); });
  return edges;
}

// Positions of the ten places; `fraction(e)` along each edge.
template <class Fraction>
std::array<Vec3, 10> places(const TetCorners& x, Fraction&& fraction) {
  std::array<Vec3, 10> p;
  std::copy(x.begin(), x.end(), p.begin());
  for (std::size_t e = 0; e < 6; ++e) {
    const auto [a, b] = kTetEdges[e];
    p[4 + e] = x[at(a)] + fraction(e) * (x[at(b)] - x[at(a)]);
  }
  return p;
}

TetCorners positions(const Subdivision::Child& child, const std::array<Vec3, 10>& p) {
  return {p[child.corners[0]], p[child.corners[1]], p[child.corners[2]], p[child.corners[3]]};
}

using FaceKey = std::array<TetPlace, 3>;
FaceKey face_of(const Subdivision::Child& child, std::size_t i) {
  FaceKey f = {child.corners[(i + 1) % 4], child.corners[(i + 2) % 4], child.corners[(i + 3) % 4]};
  std::sort(f.begin(), f.end());
  return f;
}

class EveryPattern : public testing::TestWithParam<unsigned> {};
INSTANTIATE_TEST_SUITE_P(Subdivide, EveryPattern, testing::Range(0u, 64u));

TEST_P(EveryPattern, ChildrenArePositiveAndFillTheParent) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const TetCorners x = random_tet(seed);
    const auto p = places(x, [&](std::size_t e) { return 0.01 + 0.98 * random_unit(seed, 50 + e); });
    const Subdivision s = subdivide(in_order(GetParam(), x, {4, 3, 2, 1}));
    ASSERT_LE(s.count, Subdivision::kMost);
    double volume = 0;
    for (std::size_t c = 0; c < s.count; ++c) {
      const double v = signed_volume(positions(s.children[c], p));
      EXPECT_GT(v, 0);
      volume += v;
    }
    EXPECT_NEAR(volume, signed_volume(x), 1e-15);
  }
}

TEST_P(EveryPattern, InnerFacesAreSharedByTwoAndOuterOnesLieInTheParentsFace) {
  for (std::uint64_t seed = 0; seed < 100; ++seed) {
    const TetCorners x = random_tet(seed);
    const auto p = places(x, [&](std::size_t e) { return 0.1 + 0.8 * random_unit(seed, 50 + e); });
    const Subdivision s = subdivide(in_order(GetParam(), x, {1, 2, 3, 4}));
    std::map<FaceKey, int> uses;
    std::array<Vec3, 4> area = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
    std::set<FaceKey> outer;
    for (std::size_t c = 0; c < s.count; ++c) {
      const TetCorners y = positions(s.children[c], p);
      for (std::size_t i = 0; i < 4; ++i) {
        ++uses[face_of(s.children[c], i)];
        const int parent = s.children[c].parent_face[i];
        if (parent == Subdivision::kInside) continue;
        outer.insert(face_of(s.children[c], i));
        const auto& f = kTetFaces[i];
        area[at(parent)] += (y[at(f[1])] - y[at(f[0])]).cross(y[at(f[2])] - y[at(f[0])]) / 2;
      }
    }
    for (const auto& [face, count] : uses) EXPECT_EQ(count, outer.contains(face) ? 1 : 2);
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& f = kTetFaces[i];
      const Vec3 whole = (x[at(f[1])] - x[at(f[0])]).cross(x[at(f[2])] - x[at(f[0])]) / 2;
      EXPECT_LT((area[i] - whole).norm(), 1e-14);
    }
  }
}

TEST_P(EveryPattern, NoCutEdgeIsLeftAndEveryCutIsUsed) {
  const TetCorners x = random_tet(GetParam());
  const Subdivision s = subdivide(in_order(GetParam(), x, {1, 2, 3, 4}));
  std::set<TetPlace> used;
  for (std::size_t c = 0; c < s.count; ++c) {
    const auto& corners = s.children[c].corners;
    used.insert(corners.begin(), corners.end());
    for (std::size_t e = 0; e < 6; ++e) {
      if ((GetParam() >> e & 1u) == 0) continue;
      const auto [a, b] = kTetEdges[e];
      EXPECT_FALSE(std::count(corners.begin(), corners.end(), a) == 1 &&
                   std::count(corners.begin(), corners.end(), b) == 1);
    }
  }
  for (TetPlace e = 0; e < 6; ++e) EXPECT_EQ(used.contains(static_cast<TetPlace>(4 + e)), (GetParam() >> e & 1u) != 0);
}

// Two tets on a common face, with random cuts on all nine edges, their corners numbered differently: both cut the face
// into the same triangles.
TEST_P(EveryPattern, NeighboursAgreeOnTheirCommonFace) {
  std::size_t triangles = 0;
  for (std::uint64_t seed = 0; seed < 200; ++seed) {
    // Nodes 0, 1, 2 are the face; 3 is the first apex, 4 the second. Some lengths are equal: the uids must decide.
    TetCorners first = random_tet(seed);
    if (seed % 2 == 0) first = {Vec3(0, 0, 0), Vec3(1, 0, 0), Vec3(0, 1, 0), Vec3(0, 0, 1)};
    const std::array<Vec3, 5> x = {first[0], first[1], first[2], first[3],
                                   (first[0] + first[1] + first[2]) / 1.5 - first[3]};
    std::array<Uid, 5> uid = {10, 20, 30, 40, 50};
    for (std::size_t i = 4; i > 0; --i) std::swap(uid[i], uid[random_bits(seed, 9, i) % (i + 1)]);
    std::set<std::pair<std::size_t, std::size_t>> cut;  // by nodes
    for (std::size_t e = 0; e < 6; ++e) {
      if ((GetParam() >> e & 1u) != 0) cut.insert({at(kTetEdges[e][0]), at(kTetEdges[e][1])});
    }
    for (std::size_t i = 0; i < 3; ++i) {
      if (random_unit(seed, 8, i) < 0.5) cut.insert({i, 4});
    }
    const auto face_triangles = [&](const std::array<std::size_t, 4>& nodes) {
      const TetCorners y = {x[nodes[0]], x[nodes[1]], x[nodes[2]], x[nodes[3]]};
      unsigned mask = 0;
      for (unsigned e = 0; e < 6; ++e) {
        const std::size_t a = nodes[at(kTetEdges[e][0])], b = nodes[at(kTetEdges[e][1])];
        if (cut.contains({std::min(a, b), std::max(a, b)})) mask |= 1u << e;
      }
      const Subdivision s = subdivide(in_order(mask, y, {uid[nodes[0]], uid[nodes[1]], uid[nodes[2]], uid[nodes[3]]}));
      // A place as the pair of nodes it lies between; a corner lies between itself and itself.
      const auto between = [&](TetPlace p) {
        if (p < 4) return std::pair(nodes[p], nodes[p]);
        const std::size_t a = nodes[at(kTetEdges[p - 4u][0])], b = nodes[at(kTetEdges[p - 4u][1])];
        return std::pair(std::min(a, b), std::max(a, b));
      };
      const auto apex = static_cast<std::int16_t>(
          std::find_if(nodes.begin(), nodes.end(), [](auto n) { return n > 2; }) - nodes.begin());
      std::set<std::set<std::pair<std::size_t, std::size_t>>> result;
      for (std::size_t c = 0; c < s.count; ++c) {
        for (std::size_t i = 0; i < 4; ++i) {
          if (s.children[c].parent_face[i] != apex) continue;
          const FaceKey f = face_of(s.children[c], i);
          result.insert({between(f[0]), between(f[1]), between(f[2])});
        }
      }
      return result;
    };
    const auto seen_first = face_triangles({0, 1, 2, 3}), seen_second = face_triangles({2, 4, 1, 0});
    EXPECT_EQ(seen_first, seen_second) << seed;
    triangles += seen_first.size();
  }
  EXPECT_GE(triangles, 200u);
}

}  // namespace
}  // namespace sunder
