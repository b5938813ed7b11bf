#include "meshing/jitter.h"

#include <gtest/gtest.h>

#include <cmath>
#include <vector>

#include "mesh/kuhn_grid.h"
#include "mesh/quality.h"

namespace sunder {
namespace {

TEST(Jitter, HarmlessDisplacementsAreMadeInFull) {
  const TetSoup before = kuhn_grid(3, 3, 3);
  TetSoup soup = before;
  std::vector<Vec3> move(soup.points.size());
  for (std::size_t i = 0; i < move.size(); ++i) move[i] = 0.01 * random_displacement(1, i);
  jitter_points(soup, move, 0.3);
  for (std::size_t i = 0; i < move.size(); ++i) EXPECT_EQ(soup.points[i], before.points[i] + move[i]);
}

TEST(Jitter, WhatWouldTurnTetsInsideOutIsDamped) {
  TetSoup soup = kuhn_grid(3, 3, 3);
  std::vector<Vec3> move(soup.points.size());
  for (std::size_t i = 0; i < move.size(); ++i) move[i] = 2 * random_displacement(1, i);
  TetSoup wild = soup;
  for (std::size_t i = 0; i < move.size(); ++i) wild.points[i] += move[i];
  ASSERT_LT(mesh_quality(wild).min_quality, 0);
  const double floor = 0.4;
  jitter_points(soup, move, floor);
  EXPECT_GE(mesh_quality(soup).min_dihedral, floor);
  EXPECT_GT(mesh_quality(soup).min_quality, 0);
}

TEST(Jitter, OnlyTheNeighbourhoodOfASpoiledTetIsDamped) {
  const TetSoup before = kuhn_grid(6, 1, 1);
  TetSoup soup = before;
  std::vector<Vec3> move(soup.points.size(), Vec3::Zero());
  move[0] = Vec3(3, 0, 0);     // the near end, far through its tets
  move[6] = Vec3(0.05, 0, 0);  // the far end
  jitter_points(soup, move, 0.4);
  EXPECT_LT((soup.points[0] - before.points[0]).norm(), 1);
  EXPECT_EQ(soup.points[6], before.points[6] + move[6]);
}

TEST(Jitter, TetsBelowTheFloorMayLoseAFifthOfTheirAngle) {
  TetSoup soup = kuhn_grid(3, 3, 3);
  for (Vec3& x : soup.points) x[2] *= 0.1;  // flat from the start
  const double before = mesh_quality(soup).min_dihedral;
  std::vector<Vec3> move(soup.points.size());
  for (std::size_t i = 0; i < move.size(); ++i) move[i] = random_displacement(1, i);
  jitter_points(soup, move, 0.6);
  EXPECT_GE(mesh_quality(soup).min_dihedral, 0.8 * before);
}

}  // namespace
}  // namespace sunder
