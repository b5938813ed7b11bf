#include "meshing/edge_collapse.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "core/random.h"
#include "geometry/tetrahedron.h"
#include "mesh/soup_boundary.h"
#include "meshing/box_mesh.h"
#include "meshing/mesh_surface.h"
#include "meshing/model_testing.h"
#include "meshing/split_hinges.h"

namespace sunder {
namespace {

using Index = CollapsingTets::Index;

double volume_of(const TetSoup& soup) {
  double sum = 0;
  for (const auto& [a, b, c, d] : soup.tets) {
    sum += signed_volume({soup.points[a], soup.points[b], soup.points[c], soup.points[d]});
  }
  return sum;
}

// What no collapse may change, whatever it does to the shape of tets.
struct Topology {
  std::size_t pieces = 0, hinges = 0;
  int solid = 0, boundary = 0;  // Euler characteristics
  std::size_t crowded = 0;      // faces with more than two tets, tets that are there twice
  friend bool operator==(const Topology&, const Topology&) = default;
};

Topology topology_of(TetSoup soup) {
  Topology result;
  soup_pieces(soup, result.pieces);
  std::set<Index> points, boundary_points;
  std::set<std::set<Index>> edges, boundary_edges, tets;
  std::map<std::set<Index>, int> faces;
  for (const auto& t : soup.tets) {
    points.insert(t.begin(), t.end());
    for (const auto& [i, j] : kTetEdges) edges.insert({t[static_cast<std::size_t>(i)], t[static_cast<std::size_t>(j)]});
    for (std::size_t i = 0; i < 4; ++i) {
      std::set<Index> face(t.begin(), t.end());
      face.erase(t[i]);
      result.crowded += ++faces[face] > 2 ? 1 : 0;
    }
    result.crowded += tets.insert(std::set<Index>(t.begin(), t.end())).second ? 0 : 1;
  }
  const std::vector<SoupFace> boundary = soup_boundary(soup);
  for (const SoupFace& f : boundary) {
    boundary_points.insert(f.points.begin(), f.points.end());
    for (std::size_t i = 0; i < 3; ++i) boundary_edges.insert({f.points[i], f.points[(i + 1) % 3]});
  }
  result.solid = static_cast<int>(points.size()) - static_cast<int>(edges.size()) + static_cast<int>(faces.size()) -
                 static_cast<int>(soup.tets.size());
  result.boundary = static_cast<int>(boundary_points.size()) - static_cast<int>(boundary_edges.size()) +
                    static_cast<int>(boundary.size());
  result.hinges = split_hinges(soup).size();
  return result;
}

// Tries edges at random; those that may be are collapsed.
std::size_t collapse_at_random(CollapsingTets& tets, std::uint64_t seed, std::size_t tries, bool inside_only) {
  std::size_t done = 0;
  for (std::uint64_t i = 0; i < tries; ++i) {
    const auto from = static_cast<Index>(random_unit(seed, i, 0) * static_cast<double>(tets.soup().points.size()));
    if (!tets.alive(from) || (inside_only && tets.on_boundary(from))) continue;
    const auto star = tets.star(from);
    const auto& tet =
        tets.soup().tets[star[static_cast<std::size_t>(random_unit(seed, i, 1) * static_cast<double>(star.size()))]];
    const Index to = tet[static_cast<std::size_t>(4 * random_unit(seed, i, 2))];
    if (to == from || !tets.may_collapse(from, to)) continue;
    tets.collapse(from, to);
    ++done;
  }
  return done;
}

TetSoup ring() {
  SurfaceMeshOptions options;
  options.edge = 0.25;
  return mesh_surface(model_testing::torus(1, 0.3, 24), options, "ring").soup;
}

TEST(EdgeCollapse, KeepsHandlesPiecesAndBoundary) {
  for (std::uint64_t seed = 1; seed <= 4; ++seed) {
    const TetSoup soup = seed % 2 == 0 ? box_mesh({1, 0.8, 0.6}, 0.15, seed) : ring();
    const Topology before = topology_of(soup);
    CollapsingTets tets(soup);
    const std::size_t done = collapse_at_random(tets, seed, 20'000, false);
    EXPECT_GT(done, soup.points.size() / 2);  // there is little left
    std::vector<Index> kept;
    const TetSoup left = tets.result(kept);
    EXPECT_EQ(left.points.size(), soup.points.size() - done);
    EXPECT_EQ(topology_of(left), before) << "seed " << seed;
    EXPECT_EQ(before.boundary, seed % 2 == 0 ? 2 : 0);
  }
}

TEST(EdgeCollapse, InsideKeepsVolumeAndBoundary) {
  const TetSoup soup = box_mesh({1, 1, 1}, 0.2, 3);
  CollapsingTets tets(soup);
  EXPECT_GT(collapse_at_random(tets, 5, 5000, true), 20u);
  std::vector<Index> kept;
  const TetSoup left = tets.result(kept);
  EXPECT_LT(left.tets.size(), soup.tets.size());
  EXPECT_NEAR(volume_of(left), 1, 1e-12);
  EXPECT_EQ(soup_boundary(left).size(), soup_boundary(soup).size());
  for (std::size_t i = 0; i < kept.size(); ++i) EXPECT_EQ(left.points[i], soup.points[kept[i]]);
}

TEST(EdgeCollapse, AWallIsNotPinched) {
  // Two tets on either side of a face: all five points lie on the boundary, the edge between the tips does not exist,
  // and the edges of the face do.
  TetSoup soup;
  soup.points = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0.3, 0.3, 1}, {0.3, 0.3, -1}};
  soup.tets = {{0, 1, 2, 3}, {0, 2, 1, 4}};
  const CollapsingTets two(soup);
  EXPECT_FALSE(two.may_collapse(0, 1));  // nothing would be left
  // A block of one layer: an edge from its top to its bottom that is no edge of its boundary must stay.
  const TetSoup block = box_mesh({1, 1, 0.2}, 0.2, 1);
  const CollapsingTets tets(block);
  std::set<std::set<Index>> outer;
  for (const SoupFace& f : soup_boundary(block)) {
    for (std::size_t i = 0; i < 3; ++i) outer.insert({f.points[i], f.points[(i + 1) % 3]});
  }
  std::size_t through = 0;
  for (const auto& t : block.tets) {
    for (const auto& [i, j] : kTetEdges) {
      const Index a = t[static_cast<std::size_t>(i)], b = t[static_cast<std::size_t>(j)];
      if (!tets.on_boundary(a) || !tets.on_boundary(b) || outer.contains({a, b})) continue;
      ++through;
      EXPECT_FALSE(tets.may_collapse(a, b));
      EXPECT_FALSE(tets.may_collapse(b, a));
    }
  }
  EXPECT_GT(through, 0u);
}

TEST(EdgeCollapse, FacesOfTheBoundaryLookOutwards) {
  const TetSoup soup = box_mesh({1, 1, 1}, 0.3, 2);
  const CollapsingTets tets(soup);
  std::size_t count = 0;
  std::vector<std::array<Index, 2>> faces;
  for (Index p = 0; p < soup.points.size(); ++p) {
    tets.boundary_faces(p, faces);
    count += faces.size();
    for (const auto& [a, b] : faces) {
      const Vec3& x = soup.points[p];
      const Vec3 middle = (x + soup.points[a] + soup.points[b]) / 3;
      EXPECT_GT((soup.points[a] - x).cross(soup.points[b] - x).dot(middle), 0);  // the box is centred
    }
  }
  EXPECT_EQ(count, 3 * soup_boundary(soup).size());
}

}  // namespace
}  // namespace sunder
