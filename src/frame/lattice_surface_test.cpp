#include "frame/lattice_surface.h"

#include <gtest/gtest.h>

#include <Eigen/Geometry>
#include <cmath>
#include <map>
#include <set>

namespace sunder {
namespace {

// A row of `cells` cubes along x.
Frame row_of_cubes(std::uint32_t cells) {
  Frame frame;
  for (std::uint32_t i = 0; i <= cells; ++i) {
    for (const auto& [y, z] : {std::pair{0, 0}, {1, 0}, {1, 1}, {0, 1}}) {
      frame.rest.emplace_back(i, y, z);
      frame.turn.push_back({1, 0, 0, 0});
      frame.velocity.emplace_back(0, 0, 0);
      frame.node_uid.push_back(frame.rest.size());
      frame.node_fragment.push_back(1);
    }
  }
  frame.position = frame.rest;
  for (std::uint32_t i = 0; i < cells; ++i) {
    const std::uint32_t a = 4 * i, b = a + 4;
    frame.hexes.push_back({a, b, b + 1, a + 1, a + 3, b + 3, b + 2, a + 2});
    frame.body.push_back(0), frame.fragment.push_back(1), frame.material.push_back(0);
    frame.tet_uid.push_back(i + 1), frame.stress.push_back(i), frame.crack_faces.push_back(0);
    frame.broken_edges.push_back(0);
  }
  return frame;
}

double volume(const Frame& frame) {
  double sum = 0;
  for (const auto& t : frame.tets) {
    const Vec3& a = frame.position[t[0]];
    const Vec3 b = frame.position[t[1]] - a, c = frame.position[t[2]] - a, d = frame.position[t[3]] - a;
    const double v = b.cross(c).dot(d) / 6;
    EXPECT_GT(v, 0);
    sum += v;
  }
  return sum;
}

// Area of faces that one tet alone has; of crack faces, or of the others.
double boundary(const Frame& frame, bool crack) {
  constexpr std::array<std::array<std::size_t, 3>, 4> kFaces = {{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};
  struct Face {
    int tets = 0;
    bool crack = false;
    double area = 0;
  };
  std::map<std::set<std::uint32_t>, Face> faces;
  for (std::size_t t = 0; t < frame.tets.size(); ++t) {
    for (std::size_t f = 0; f < 4; ++f) {
      std::array<std::uint32_t, 3> n;
      for (std::size_t k = 0; k < 3; ++k) n[k] = frame.tets[t][kFaces[f][k]];
      Face& face = faces[{n[0], n[1], n[2]}];
      ++face.tets;
      face.crack = (frame.crack_faces[t] >> f & 1) != 0;
      const Vec3& a = frame.position[n[0]];
      face.area = 0.5 * (frame.position[n[1]] - a).cross(frame.position[n[2]] - a).norm();
    }
  }
  double sum = 0;
  for (const auto& [key, face] : faces) {
    if (face.tets == 1 && face.crack == crack) sum += face.area;
  }
  return sum;
}

TEST(LatticeSurface, WholeLatticeIsOneSolidWithItsVolumeAndSurface) {
  for (const LatticeSurface kind : {LatticeSurface::octants, LatticeSurface::cells}) {
    const Frame solid = lattice_as_tets(row_of_cubes(3), kind);
    EXPECT_EQ(solid.tets.size(), 3u * 48);
    EXPECT_TRUE(solid.hexes.empty());
    EXPECT_NEAR(volume(solid), 3, 1e-9);
    EXPECT_NEAR(boundary(solid, false), 14, 1e-9);
    EXPECT_EQ(boundary(solid, true), 0);
    EXPECT_EQ(solid.stress.size(), solid.tets.size());
    EXPECT_EQ(std::set<Uid>(solid.node_uid.begin(), solid.node_uid.end()).size(), solid.node_uid.size());
    EXPECT_EQ(std::set<Uid>(solid.tet_uid.begin(), solid.tet_uid.end()).size(), solid.tet_uid.size());
  }
}

// The middle one of three cubes is broken: its four edges along x are.
Frame broken_row() {
  Frame frame = row_of_cubes(3);
  for (const std::size_t edge : {0, 2, 4, 6}) frame.broken_edges[1] |= 1u << edge;
  for (std::size_t n = 8; n < 16; ++n) frame.node_fragment[n] = 2;
  return frame;
}

TEST(LatticeSurface, OctantsKeepTheVolumeOfABrokenCellAndPartAlongIt) {
  const Frame solid = lattice_as_tets(broken_row(), LatticeSurface::octants);
  EXPECT_NEAR(volume(solid), 3, 1e-9);
  EXPECT_NEAR(boundary(solid, false), 14, 1e-9);
  EXPECT_GT(boundary(solid, true), 2);  // jagged: more than two flat faces
  EXPECT_LT(boundary(solid, true), 3.5);
  for (std::size_t t = 0; t < solid.tets.size(); ++t) {
    const bool right = solid.rest[solid.tets[t][0]].x() > 1.5;
    EXPECT_EQ(solid.fragment[t], right ? 2u : 1u);
  }
}

TEST(LatticeSurface, PapersSurfaceLosesTheBrokenCell) {
  const Frame solid = lattice_as_tets(broken_row(), LatticeSurface::cells);
  EXPECT_NEAR(volume(solid), 2, 1e-9);
  EXPECT_NEAR(boundary(solid, true), 2, 1e-9);
}

TEST(LatticeSurface, PapersSingleNodesAreTetrahedra) {
  Frame frame = row_of_cubes(1);
  frame.broken_edges[0] = 0xfff;
  for (std::uint32_t n = 0; n < 8; ++n) frame.node_fragment[n] = n + 1;
  EXPECT_EQ(lattice_as_tets(frame, LatticeSurface::cells).tets.size(), 8u);
  const Frame crumbs = lattice_as_tets(frame, LatticeSurface::octants);
  EXPECT_NEAR(volume(crumbs), 1, 1e-9);
  EXPECT_EQ(std::set<std::uint32_t>(crumbs.fragment.begin(), crumbs.fragment.end()).size(), 8u);
}

TEST(LatticeSurface, PiecesMoveAsTheirNodesDo) {
  Frame frame = broken_row();
  const Eigen::Quaterniond turn(Eigen::AngleAxisd(0.7, Vec3::UnitZ()));
  for (std::size_t n = 8; n < 16; ++n) {
    frame.position[n] = turn * frame.rest[n] + Vec3(0.5, 0, 0);
    frame.turn[n] = {turn.w(), turn.x(), turn.y(), turn.z()};
  }
  const Frame solid = lattice_as_tets(frame, LatticeSurface::octants);
  EXPECT_NEAR(volume(solid), 3, 1e-9);
  for (std::size_t t = 0; t < solid.tets.size(); ++t) {
    if (solid.fragment[t] != 2) continue;
    for (const std::uint32_t n : solid.tets[t]) {
      EXPECT_LT((solid.position[n] - (turn * solid.rest[n] + Vec3(0.5, 0, 0))).norm(), 1e-9);
    }
  }
}

}  // namespace
}  // namespace sunder
