#pragma once
// Tets under coarsening: an edge is collapsed by moving one of its ends into the other, which takes the tets round the
// edge away. What is inside, what is boundary, and how many holes and pieces there are stay as they were.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "mesh/tet_soup.h"

namespace sunder {

class CollapsingTets {
 public:
  using Index = std::uint32_t;

  // The soup's skin is not looked at. Faces must bound at most two tets, and the tets round a point hang together by
  // faces (no hinges).
  explicit CollapsingTets(TetSoup soup);

  const TetSoup& soup() const { return soup_; }
  void move(Index point, const Vec3& x) { soup_.points[point] = x; }
  bool alive(Index point) const { return !star_[point].empty(); }
  bool on_boundary(Index point) const { return on_boundary_[point] != 0; }
  std::span<const Index> star(Index point) const { return star_[point]; }  // tets

  // Faces of the boundary at a point, each as its two other corners, such that (point, a, b) runs counter-clockwise
  // seen from outside.
  void boundary_faces(Index point, std::vector<std::array<Index, 2>>& faces) const;

  // Whether the topology stays what it is: the link condition for complexes with a boundary (Dey, Edelsbrunner, Guha
  // and Nekhayev 1999), by which the boundary counts as joined to one point more. A point of the boundary may go only
  // along the boundary.
  bool may_collapse(Index from, Index to) const;
  void collapse(Index from, Index to);

  // Without the tets and points that are gone; `kept` gets the old number of every point.
  TetSoup result(std::vector<Index>& kept) const;

 private:
  struct Link;
  void link(Index point, Link& out) const;

  TetSoup soup_;
  std::vector<std::uint8_t> on_boundary_, dead_;  // of points, of tets
  std::vector<std::vector<Index>> star_;
};

}  // namespace sunder
