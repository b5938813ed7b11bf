#include "meshing/lattice_glue.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "core/error.h"
#include "meshing/hex_quality.h"
#include "meshing/hex_testing.h"
#include "meshing/lattice_cells.h"
#include "shapes/assembly.h"
#include "shapes/signed_distance.h"

namespace sunder {
namespace {

using testing::pieces_of;

HexSoup box_at(double x, double length, double edge) {
  std::vector<std::string> notes;
  HexSoup soup = lattice_cells(BoxShape{Vec3(length, 0.2, 0.2)}, {.edge = edge}, notes);
  for (Vec3& p : soup.points) p.x() += x;
  return soup;
}

std::vector<std::string> notes_of(const Shape& shape, double edge, HexSoup* cells = nullptr) {
  std::vector<std::string> notes;
  HexSoup soup = lattice_cells(shape, {.edge = edge}, notes);
  if (cells != nullptr) *cells = std::move(soup);
  return notes;
}

TEST(Glue, TwoBarsEndToEndAreOneBar) {
  HexSoup base = box_at(0, 0.4, 0.1);
  const HexSoup part = box_at(0.301, 0.2, 0.1);  // a millimetre off
  const GlueReport report = glue(base, part, signed_distance(BoxShape{Vec3(0.4, 0.2, 0.2)}), 0.1);
  EXPECT_EQ(report.pairs, 9u);
  EXPECT_EQ(report.dropped, 0u);
  EXPECT_NEAR(report.farthest, 0.001, 1e-9);
  const HexSoup whole = box_at(0.1, 0.6, 0.1);
  EXPECT_EQ(base.points.size(), whole.points.size());
  EXPECT_EQ(base.cells.size(), whole.cells.size());
  EXPECT_EQ(pieces_of(base), 1u);
  for (const auto& cell : base.cells) EXPECT_GT(least_corner_volume(base, cell), 0.95);
}

TEST(Glue, IsOneToOneWhateverTheSizesOfCells) {
  HexSoup base = box_at(0, 0.4, 0.1);
  const HexSoup part = box_at(0.3, 0.2, 0.06);  // 4 x 4 nodes against 3 x 3
  const GlueReport report = glue(base, part, signed_distance(BoxShape{Vec3(0.4, 0.2, 0.2)}), 0.1);
  EXPECT_LE(report.pairs, 9u);
  EXPECT_GE(report.pairs, 4u);
  EXPECT_EQ(pieces_of(base), 1u);
  for (const auto& cell : base.cells) {
    EXPECT_EQ(std::set<std::uint32_t>(cell.begin(), cell.end()).size(), 8u);  // no bond from a node to itself
    EXPECT_GT(least_corner_volume(base, cell), 0);
  }
}

TEST(Glue, AssembliesHangTogether) {
  for (const auto& [shape, edge] :
       std::vector<std::pair<Shape, double>>{{UnionShape{}, 0.006}, {GobletShape{}, 0.006}}) {
    HexSoup cells;
    notes_of(shape, edge, &cells);
    EXPECT_EQ(pieces_of(cells), 1u) << shape.index();
    for (const auto& cell : cells.cells) EXPECT_GT(least_corner_volume(cells, cell), 0);
  }
}

TEST(Glue, WhatTouchesNothingOrMovesFarIsTold) {
  const UnionPart block{"block", BoxShape{Vec3(0.2, 0.2, 0.2)}, Vec3::Zero(), Vec3::Zero()};
  UnionPart other{"other", BoxShape{Vec3(0.2, 0.2, 0.2)}, Vec3(0.5, 0, 0), Vec3::Zero()};
  const auto loose = notes_of(UnionShape{{block, other}}, 0.1);
  ASSERT_EQ(loose.size(), 1u);
  EXPECT_NE(loose[0].find("`other` touches no other and hangs loose"), std::string::npos) << loose[0];
  other.position = Vec3(0.2, 0, 0);
  EXPECT_TRUE(notes_of(UnionShape{{block, other}}, 0.1).empty());
  // A part called lid is glued like any other; only a teapot's own lies loose.
  other.name = "lid";
  HexSoup cells;
  EXPECT_TRUE(notes_of(UnionShape{{block, other}}, 0.1, &cells).empty());
  EXPECT_EQ(pieces_of(cells), 1u);
}

// The paper's six parts and its lid.
TEST(GluedTeapot, PotIsOnePieceAndNoNodeIsMovedFar) {
  // The lid's grid has a node on the axis or a cell there, and the knob must fit either.
  for (const double edge : {0.0075, 0.009, 0.0095, 0.01, 0.0105, 0.012, 0.013}) {
    HexSoup pot, lid;
    const auto notes = notes_of(TeapotShape{0.1, 0.0065, false, true}, edge, &pot);
    EXPECT_TRUE(notes.empty()) << "edge " << edge << ": " << (notes.empty() ? "" : notes[0]);
    EXPECT_TRUE(notes_of(TeapotShape{0.1, 0.0065, true, false}, edge, &lid).empty());
    EXPECT_EQ(pieces_of(pot), 1u) << edge;
    EXPECT_EQ(pieces_of(lid), 1u) << edge;
    for (const HexSoup* soup : {&pot, &lid}) {
      for (const auto& cell : soup->cells) EXPECT_GT(least_corner_volume(*soup, cell), 0) << edge;
    }
  }
}

// Nodes within the opening that only the rim has: nearer to the axis than the edge of the opening, just below it.
std::size_t nodes_of_rim(const HexSoup& pot, const Vec2& inner_edge) {
  return static_cast<std::size_t>(std::count_if(pot.points.begin(), pot.points.end(), [&](const Vec3& p) {
    return std::abs(Vec2(p.x(), p.z()).norm() - inner_edge.x()) < 1e-4 && std::abs(p.y() - inner_edge.y()) < 1e-4;
  }));
}

TEST(GluedTeapot, LidLiesOnTheRimWithoutTouchingTheWall) {
  HexSoup pot, lid, both;
  const double edge = 0.0095;
  notes_of(TeapotShape{0.1, 0.0065, false, true}, edge, &pot);
  notes_of(TeapotShape{0.1, 0.0065, true, false}, edge, &lid);
  notes_of(TeapotShape{0.1, 0.0065, true, true}, edge, &both);
  EXPECT_EQ(both.points.size(), pot.points.size() + lid.points.size());
  EXPECT_EQ(pieces_of(both), 2u);
  // The lid alone is where it is on the pot.
  for (std::size_t i = 0; i < lid.points.size(); ++i) EXPECT_EQ(both.points[pot.points.size() + i], lid.points[i]);

  const auto radius = [](const Vec3& p) { return Vec2(p.x(), p.z()).norm(); };
  double widest = 0;
  for (const Vec3& p : lid.points) widest = std::max(widest, radius(p));
  double lowest = 1;
  for (const Vec3& p : lid.points) lowest = std::min(lowest, p.y());
  // Of the pot's nodes just below the lid's edge, those nearest to the axis are the rim's, and the lid reaches over it:
  // it cannot fall in.
  double narrowest = 1, opening = 1;
  for (const Vec3& p : pot.points) {
    if (std::abs(p.y() - lowest) < 0.5 * edge) narrowest = std::min(narrowest, radius(p));
    if (p.y() > lowest) opening = std::min(opening, radius(p));
  }
  EXPECT_LT(narrowest + 0.3 * 0.0065, widest);
  EXPECT_LT(widest, opening) << "the lid is wider than the opening";
  EXPECT_GT(nodes_of_rim(pot, Vec2(narrowest, lowest - 0.04 * 0.05)), 40u);
  // Nearly every node of the lid's lower edge has one of the rim right below it, a little apart.
  std::size_t low = 0, carried = 0;
  for (const Vec3& p : lid.points) {
    if (p.y() > lowest + 1e-6) continue;
    ++low;
    double nearest = 1;
    for (const Vec3& q : pot.points) nearest = std::min(nearest, (p - q).norm());
    EXPECT_GT(nearest, 0.001);
    carried += nearest < 0.0065 ? 1 : 0;
  }
  EXPECT_GT(low, 40u);
  EXPECT_EQ(carried, low);
}

TEST(GluedTeapot, HandleAndSpoutAreGluedOfTwoParts) {
  const GluedTeapot teapot = glued_teapot(TeapotShape{0.1, 0.0065, true, true});
  for (const UnionShape* group : {&teapot.handle, &teapot.spout}) {
    ASSERT_EQ(group->parts.size(), 2u);
    HexSoup cells;
    EXPECT_TRUE(notes_of(*group, 0.0095, &cells).empty());
    EXPECT_EQ(pieces_of(cells), 1u);
  }
  EXPECT_THROW(glued_teapot(TeapotShape{0.1, 0.0065, false, false}), InputError);
}

}  // namespace
}  // namespace sunder
