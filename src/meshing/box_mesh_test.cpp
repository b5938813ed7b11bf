#include "meshing/box_mesh.h"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <numbers>
#include <set>
#include <vector>

#include "core/error.h"
#include "core/random.h"
#include "mesh/boundary.h"
#include "mesh/quality.h"
#include "mesh/validate.h"
#include "shapes/resolution.h"
#include "shapes/shape.h"

namespace sunder {
namespace {

constexpr double kDegree = std::numbers::pi / 180;

struct Case {
  Vec3 size;
  double edge;
};

// Cubes, blocks, plates and rods; one cell through some of them.
const std::vector<Case> kCases = {{{1, 1, 1}, 0.1},          {{1, 1, 1}, 0.3},       {{1, 1, 1}, 5},
                                  {{0.9, 0.7, 0.31}, 0.06},  {{1, 0.5, 0.05}, 0.05}, {{1, 0.5, 0.05}, 0.04},
                                  {{0.05, 1, 0.5}, 0.03},    {{0.1, 1, 0.1}, 0.1},   {{0.1, 0.1, 1}, 0.04},
                                  {{2e-3, 3e-3, 1e-3}, 3e-4}};

double largest_to_smallest_cell(const Case& box) {
  const auto n = box_cells(box.size, box.edge);
  const Vec3 cell(box.size[0] / n[0], box.size[1] / n[1], box.size[2] / n[2]);
  return cell.maxCoeff() / cell.minCoeff();
}

TEST(BoxMesh, IsAValidMeshWithoutHinges) {
  for (const Case& box : kCases) {
    TetMesh mesh;
    mesh.append(box_mesh(box.size, box.edge, 1), {});
    EXPECT_EQ(validate(mesh), std::vector<std::string>()) << box.size.transpose();
    const auto faces = boundary_faces(mesh);
    EXPECT_TRUE(is_closed(faces));
  }
}

TEST(BoxMesh, FillsTheBoxExactly) {
  for (const Case& box : kCases) {
    const TetSoup soup = box_mesh(box.size, box.edge, 2);
    const MeshQuality q = mesh_quality(soup);
    EXPECT_EQ(q.upper, box.size / 2);
    EXPECT_EQ(q.lower, -box.size / 2);
    EXPECT_NEAR(q.volume, box.size.prod(), 1e-12 * box.size.prod());
    // Every boundary face lies in a side of the box, to the last bit.
    TetMesh mesh;
    mesh.append(soup, {});
    double area = 0;
    for (const BoundaryFace& face : boundary_faces(mesh)) {
      bool flat = false;
      for (int axis = 0; axis < 3; ++axis) {
        for (const double side : {-box.size[axis] / 2, box.size[axis] / 2}) {
          int on = 0;
          for (const NodeId n : face.nodes) on += mesh.material_position(n)[axis] == side ? 1 : 0;
          flat = flat || on == 3;
        }
      }
      ASSERT_TRUE(flat);
      area += area_vector(face, mesh.material_positions()).norm();
    }
    const double expected = 2 * (box.size[0] * box.size[1] + box.size[1] * box.size[2] + box.size[2] * box.size[0]);
    EXPECT_NEAR(area, expected, 1e-12 * expected);
  }
}

TEST(BoxMesh, HasTheEightCornersOfTheBox) {
  const Vec3 size(1, 0.5, 0.2);
  std::set<std::array<double, 3>> corners;
  for (const Vec3& x : box_mesh(size, 0.1, 3).points) {
    if (x.cwiseAbs() == size / 2) corners.insert({x[0], x[1], x[2]});
  }
  EXPECT_EQ(corners.size(), 8u);
}

TEST(BoxMesh, KeepsItsElementsGood) {
  for (const Case& box : kCases) {
    const double aspect = largest_to_smallest_cell(box);
    for (std::uint64_t seed = 1; seed <= 5; ++seed) {
      const MeshQuality q = mesh_quality(box_mesh(box.size, box.edge, seed));
      EXPECT_GE(q.min_dihedral, 25 * kDegree) << box.size.transpose() << " edge " << box.edge << " cells " << aspect;
      EXPECT_GE(q.min_quality, 0.25) << box.size.transpose() << " edge " << box.edge;
      EXPECT_GE(q.mean_quality, 0.6) << box.size.transpose() << " edge " << box.edge;
    }
  }
}

TEST(BoxMesh, KeepsItsPromisedAnglesInBoxesOfAnySize) {
  int cubic = 0, flat = 0;
  for (std::uint64_t i = 0; i < 300; ++i) {
    Case box{{}, 1};
    for (int axis = 0; axis < 3; ++axis) {
      box.size[axis] = 0.4 + 5 * std::pow(random_unit(5, i, static_cast<std::uint64_t>(axis)), 2);
    }
    const double aspect = largest_to_smallest_cell(box);
    const MeshQuality q = mesh_quality(box_mesh(box.size, box.edge, i));
    if (aspect <= 1.5) {
      EXPECT_GE(q.min_dihedral, 25 * kDegree) << box.size.transpose();
      ++cubic;
    } else if (aspect <= 2) {
      EXPECT_GE(q.min_dihedral, 20 * kDegree) << box.size.transpose();
      ++flat;
    }
    EXPECT_GT(q.min_quality, 0.05) << box.size.transpose();
  }
  EXPECT_GT(cubic, 50);
  EXPECT_GT(flat, 20);
}

TEST(BoxMesh, HasTheMeanEdgeThatWasAskedFor) {
  for (const double edge : {0.2, 0.12, 0.1, 0.07, 0.05}) {
    EXPECT_NEAR(mesh_quality(box_mesh({1, 0.8, 0.9}, edge, 1)).mean_edge / edge, 1, 0.06) << edge;
    EXPECT_NEAR(mesh_quality(box_mesh({4 * edge, 25 * edge, 15 * edge}, edge, 1)).mean_edge / edge, 1, 0.06) << edge;
  }
  // A plate, one cell through.
  EXPECT_NEAR(mesh_quality(box_mesh({1, 0.5, 0.05}, 0.05, 1)).mean_edge / 0.05, 1, 0.06);
}

TEST(BoxMesh, ThePlateOneCellThroughHasNearlyCubicCells) {
  const auto n = box_cells({1, 0.5, 0.05}, 0.05);
  EXPECT_EQ(n[2], 1);
  EXPECT_LE(largest_to_smallest_cell({{1, 0.5, 0.05}, 0.05}), 1.2);
}

TEST(BoxMesh, HasTheEstimatedNumberOfTets) {
  for (const Case& box : kCases) {
    EXPECT_EQ(static_cast<double>(box_mesh(box.size, box.edge, 1).tets.size()),
              estimated_tets(BoxShape{box.size}, box.edge));
  }
}

TEST(BoxMesh, DependsOnTheSeedOnly) {
  const Vec3 size(1, 1, 0.5);
  const TetSoup a = box_mesh(size, 0.2, 1), again = box_mesh(size, 0.2, 1), b = box_mesh(size, 0.2, 2);
  EXPECT_EQ(a.points, again.points);
  EXPECT_EQ(a.tets, again.tets);
  EXPECT_EQ(a.tets, b.tets);
  std::size_t same = 0;
  for (std::size_t i = 0; i < a.points.size(); ++i) same += a.points[i] == b.points[i] ? 1 : 0;
  EXPECT_EQ(same, 8u);  // the corners of the box
}

TEST(BoxMesh, NoTwoInnerPointsLieOnAGridLine) {
  // Among points strictly inside, every coordinate occurs once.
  std::array<std::set<double>, 3> values;
  std::size_t inner = 0;
  for (const Vec3& x : box_mesh({1, 1, 1}, 0.12, 1).points) {
    if (x.cwiseAbs().maxCoeff() >= 0.5) continue;
    ++inner;
    for (std::size_t axis = 0; axis < 3; ++axis) values[axis].insert(x[static_cast<Eigen::Index>(axis)]);
  }
  EXPECT_GT(inner, 500u);
  for (const auto& v : values) EXPECT_EQ(v.size(), inner);
}

TEST(BoxMesh, AnAbsurdEdgeIsRefused) {
  EXPECT_THROW(box_mesh({1, 1, 1}, 1e-5, 1), InputError);
  EXPECT_THROW(box_mesh({1, 1, 1}, 1e-300, 1), InputError);
}

}  // namespace
}  // namespace sunder
