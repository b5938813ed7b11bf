#include "meshing/stuffing.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <functional>
#include <numbers>
#include <set>

#include "core/random.h"
#include "geometry/tetrahedron.h"
#include "mesh/boundary.h"
#include "mesh/quality.h"
#include "mesh/soup_boundary.h"
#include "mesh/validate.h"

namespace sunder {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

class Solid : public SignedDistance {
 public:
  explicit Solid(std::function<double(const Vec3&)> f) : f_(std::move(f)) {}
  double value(const Vec3& x) const override { return f_(x); }

 private:
  std::function<double(const Vec3&)> f_;
};

Solid ball(const Vec3& c, double r) {
  return Solid([=](const Vec3& x) { return (x - c).norm() - r; });
}
Solid ellipsoid(const Vec3& c, const Vec3& radii) {
  return Solid([=](const Vec3& x) {
    const Vec3 y = (x - c).cwiseQuotient(radii);
    return (y.norm() - 1) * y.norm() / y.cwiseQuotient(radii).norm();  // first order near the surface
  });
}
Solid torus(const Vec3& c, const Vec3& axis, double radius, double tube) {
  return Solid([=](const Vec3& x) {
    const double z = (x - c).dot(axis), r = (x - c - z * axis).norm() - radius;
    return std::hypot(r, z) - tube;
  });
}

// n cells along each side of the unit cube, all alike.
BccLattice uniform_lattice(int levels) {
  Octree octree({1, 1, 1}, levels);
  octree.refine([](const Octree::Cell&) { return true; }, 10'000'000);
  return bcc_lattice(octree, [](std::uint32_t) { return true; });
}

StuffedMesh stuffed(const Solid& solid, int levels) {
  return stuff(uniform_lattice(levels), Vec3::Zero(), std::exp2(-levels) / 2, solid);
}

void expect_angles(const StuffedMesh& mesh, const std::string& what) {
  double least = 10, most = 0;
  for (const auto& t : mesh.soup.tets) {
    const auto& x = mesh.soup.points;
    const TetCorners c = {x[t[0]], x[t[1]], x[t[2]], x[t[3]]};
    ASSERT_GT(signed_volume(c), 0) << what;
    least = std::min(least, smallest_dihedral_angle(c));
    most = std::max(most, largest_dihedral_angle(c));
  }
  // Labelle and Shewchuk 2007, table 1.
  EXPECT_GE(least / kDegree, 10.78) << what;
  EXPECT_LE(most / kDegree, 164.74) << what;
}

// V - E + F of the boundary; every edge must have two faces.
int euler_characteristic(const TetSoup& soup) {
  std::multiset<std::pair<std::uint32_t, std::uint32_t>> edges;
  std::set<std::uint32_t> points;
  const auto faces = soup_boundary(soup);
  for (const SoupFace& f : faces) {
    for (std::size_t i = 0; i < 3; ++i) {
      points.insert(f.points[i]);
      edges.insert(std::minmax(f.points[i], f.points[(i + 1) % 3]));
    }
  }
  for (const auto& e : edges) EXPECT_EQ(edges.count(e), 2u);
  return static_cast<int>(points.size()) - static_cast<int>(edges.size() / 2) + static_cast<int>(faces.size());
}

TEST(Stuffing, KeepsThePapersAnglesOnSmoothSolids) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    const auto draw = [&](std::uint64_t k) { return random_unit(3, seed, k); };
    const Vec3 c(0.45 + 0.1 * draw(0), 0.45 + 0.1 * draw(1), 0.45 + 0.1 * draw(2));
    const Vec3 axis = Vec3(draw(3) - 0.5, draw(4) - 0.5, draw(5) - 0.5).normalized();
    expect_angles(stuffed(ball(c, 0.25 + 0.15 * draw(6)), 4), "ball " + std::to_string(seed));
    expect_angles(stuffed(ellipsoid(c, {0.2 + 0.2 * draw(7), 0.2 + 0.2 * draw(8), 0.25}), 4), "ellipsoid");
    expect_angles(stuffed(torus(c, axis, 0.26, 0.1 + 0.03 * draw(9)), 4), "torus");
  }
}

// The proof takes cuts anywhere on the edges: so does a surface that is all noise at the scale of a cell.
TEST(Stuffing, KeepsThePapersAnglesOnRoughSolids) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    const auto draw = [&](std::uint64_t k) { return random_unit(4, seed, k); };
    const double r = 0.25 + 0.1 * draw(0), shift = 10 * draw(1);
    const Solid rough([=](const Vec3& x) {
      const double noise = std::sin(150 * x[0] + 70 * x[1] + shift) + std::sin(190 * x[1] - 110 * x[2]) +
                           std::sin(170 * x[2] + 90 * x[0]);
      return (x - Vec3(0.5, 0.5, 0.5)).norm() - r + 0.03 * noise;
    });
    expect_angles(stuffed(rough, 4), "rough " + std::to_string(seed));
  }
}

TEST(Stuffing, VolumeConvergesWithSecondOrder) {
  const Vec3 c(0.51, 0.49, 0.52);
  const double exact = 4 * std::numbers::pi / 3 * std::pow(0.4, 3);
  const auto error = [&](int levels) { return exact - mesh_quality(stuffed(ball(c, 0.4), levels).soup).volume; };
  const double coarse = error(3), middle = error(4), fine = error(5);
  EXPECT_GT(fine, 0);
  EXPECT_LT(fine / exact, 0.003);
  EXPECT_NEAR(std::log2(coarse / middle), 2, 0.35);
  EXPECT_NEAR(std::log2(middle / fine), 2, 0.2);
}

TEST(Stuffing, BoundaryIsWatertightAndHasTheRightHoles) {
  const StuffedMesh a = stuffed(ball({0.5, 0.5, 0.5}, 0.4), 4);
  const StuffedMesh b = stuffed(torus({0.5, 0.5, 0.5}, Vec3(1, 2, 3).normalized(), 0.27, 0.13), 4);
  EXPECT_EQ(euler_characteristic(a.soup), 2);
  EXPECT_EQ(euler_characteristic(b.soup), 0);
  for (const StuffedMesh* m : {&a, &b}) {
    TetMesh mesh;
    mesh.append(m->soup, {});
    EXPECT_EQ(validate(mesh), std::vector<std::string>());
    EXPECT_TRUE(is_closed(boundary_faces(mesh)));
  }
}

TEST(Stuffing, SurfacePointsLieOnTheSurfaceAndEveryTetHasAnInnerCorner) {
  const Vec3 c(0.5, 0.5, 0.5);
  const StuffedMesh m = stuffed(ball(c, 0.4), 4);
  for (std::size_t p = 0; p < m.soup.points.size(); ++p) {
    const double r = (m.soup.points[p] - c).norm();
    if (m.on_surface[p] != 0) {
      EXPECT_NEAR(r, 0.4, 1e-6);
    } else {
      EXPECT_LT(r, 0.4);
    }
  }
  for (const auto& t : m.soup.tets) {
    EXPECT_LT(m.on_surface[t[0]] + m.on_surface[t[1]] + m.on_surface[t[2]] + m.on_surface[t[3]], 4);
  }
}

TEST(Stuffing, IsTheSameForAnyNumberOfThreads) {
  const Solid solid = ball({0.51, 0.5, 0.48}, 0.37);
  const StuffedMesh expected = stuffed(solid, 4);
  for (const int threads : {1, 2, 3, 7}) {
    StuffedMesh found;
    Threads(threads).run([&] { found = stuffed(solid, 4); });
    EXPECT_EQ(found.soup.points, expected.soup.points);
    EXPECT_EQ(found.soup.tets, expected.soup.tets);
  }
}

// --- the lattice below ----------------------------------------------------------------------------------------------

// Fine near a corner, coarse far away, balanced.
Octree graded_octree() {
  Octree octree({2, 2, 2}, 4);
  octree.refine(
      [](const Octree::Cell& c) {
        const GridPoint p = c.centre();
        const double d = std::hypot(p[0] - 9, std::hypot(p[1] - 17, p[2] - 12));
        return d < 1.5 * c.size;
      },
      1'000'000);
  octree.balance(1'000'000);
  return octree;
}

TEST(Octree, NeighboursDifferByAFactorOfTwoAtMost) {
  const Octree octree = graded_octree();
  std::set<std::int32_t> sizes;
  for (const auto& c : octree.cells()) {
    if (!c.leaf()) continue;
    sizes.insert(c.size);
    for (int n = 0; n < 27; ++n) {
      const GridPoint probe = {c.corner[0] + (n % 3 - 1) * c.size, c.corner[1] + (n / 3 % 3 - 1) * c.size,
                               c.corner[2] + (n / 9 - 1) * c.size};
      const std::uint32_t leaf = octree.leaf_at(probe);
      if (leaf == Octree::kNone) continue;
      EXPECT_LE(octree.cells()[leaf].size, 2 * c.size);
    }
  }
  EXPECT_GE(sizes.size(), 4u);
}

TEST(Octree, StopsAtTheMostCells) {
  Octree octree({1, 1, 1}, 20);
  EXPECT_FALSE(octree.refine([](const Octree::Cell&) { return true; }, 10'000));
  EXPECT_LT(octree.cells().size(), 20'000u);
}

TEST(BccLattice, GradedCellsFitTogetherWithoutGaps) {
  const BccLattice lattice = bcc_lattice(graded_octree(), [](std::uint32_t) { return true; });
  TetSoup soup;
  for (const GridPoint& p : lattice.nodes) soup.points.emplace_back(p[0], p[1], p[2]);
  soup.tets = lattice.tets;
  TetMesh mesh;
  mesh.append(soup, {});
  ASSERT_EQ(validate(mesh), std::vector<std::string>());
  EXPECT_GE(mesh_quality(soup).min_dihedral / kDegree, 44.9);
  // Inside the outermost layer of half cells, nothing is missing: no boundary face has all corners in there.
  for (const SoupFace& f : soup_boundary(soup)) {
    bool inner = true;
    for (const std::uint32_t p : f.points) {
      inner = inner && (soup.points[p].array() > 16).all() && (soup.points[p].array() < 48).all();
    }
    EXPECT_FALSE(inner);
  }
}

TEST(BccLattice, UniformTetsHaveAnglesOfSixtyAndNinetyDegrees) {
  const BccLattice lattice = uniform_lattice(2);
  for (const auto& t : lattice.tets) {
    TetCorners x;
    for (std::size_t i = 0; i < 4; ++i) {
      const GridPoint& p = lattice.nodes[t[i]];
      x[i] = Vec3(p[0], p[1], p[2]);
    }
    EXPECT_NEAR(smallest_dihedral_angle(x) / kDegree, 60, 1e-9);
    EXPECT_NEAR(largest_dihedral_angle(x) / kDegree, 90, 1e-9);
    EXPECT_NEAR(signed_volume(x), 8.0 / 12, 1e-12);
  }
}

}  // namespace
}  // namespace sunder
