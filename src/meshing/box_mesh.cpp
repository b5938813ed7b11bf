#include "meshing/box_mesh.h"

#include <fmt/format.h>

#include <array>
#include <cmath>
#include <numbers>
#include <utility>
#include <vector>

#include "core/error.h"
#include "geometry/tetrahedron.h"
#include "meshing/jitter.h"
#include "shapes/resolution.h"

namespace sunder {
namespace {

constexpr double kJitter = 0.15;                                // of a cell
constexpr double kLeastDihedral = 25 * std::numbers::pi / 180;  // radians; 45 degrees without jitter, in cubes

using Index = std::uint32_t;
using Cell = std::array<Index, 3>;

// Corners of the cells first, then their centres.
struct Lattice {
  Cell n;  // cells along x, y, z

  Index corner(const Cell& c) const { return (c[2] * (n[1] + 1) + c[1]) * (n[0] + 1) + c[0]; }
  Index centre(const Cell& c) const { return corner_count() + (c[2] * n[1] + c[1]) * n[0] + c[0]; }
  Index corner_count() const { return (n[0] + 1) * (n[1] + 1) * (n[2] + 1); }
};

template <class Use>
void for_each_cell(const Cell& n, Use&& use) {
  for (Index k = 0; k < n[2]; ++k) {
    for (Index j = 0; j < n[1]; ++j) {
      for (Index i = 0; i < n[0]; ++i) use(Cell{i, j, k});
    }
  }
}

Cell cells(const Vec3& size, double edge) {
  const auto n = box_cells(size, edge);
  // Tets are numbered with 32 bits, and so are their corners.
  constexpr double most = 5e7;
  if (!(n[0] * n[1] * n[2] <= most)) {
    throw InputError({},
                     fmt::format("an edge of {:g} m cuts the box {:g} x {:g} x {:g} m into {:g} tets", edge, size[0],
                                 size[1], size[2], 12 * n[0] * n[1] * n[2]),
                     "Use a longer edge.");
  }
  return {static_cast<Index>(n[0]), static_cast<Index>(n[1]), static_cast<Index>(n[2])};
}

// The corners of the cell face on side 0 or 1 across an axis, in cyclic order.
std::array<Cell, 4> face_corners(const Cell& cell, std::size_t axis, Index side) {
  const std::size_t j = (axis + 1) % 3, k = (axis + 2) % 3;
  Cell c = cell;
  c[axis] += side;
  std::array<Cell, 4> corners = {c, c, c, c};
  ++corners[1][j];
  ++corners[2][j];
  ++corners[2][k];
  ++corners[3][k];
  return corners;
}

void add_tet(TetSoup& soup, Index a, Index b, Index c, Index d) {
  if (signed_volume({soup.points[a], soup.points[b], soup.points[c], soup.points[d]}) < 0) std::swap(c, d);
  soup.tets.push_back({a, b, c, d});
}

// Four tets round the line through the centres on both sides, one for each edge of the face.
void fill_inner_face(TetSoup& soup, const Lattice& lattice, const Cell& cell, std::size_t axis) {
  Cell next = cell;
  ++next[axis];
  const auto corners = face_corners(cell, axis, 1);
  for (std::size_t e = 0; e < 4; ++e) {
    add_tet(soup, lattice.corner(corners[e]), lattice.corner(corners[(e + 1) % 4]), lattice.centre(cell),
            lattice.centre(next));
  }
}

// Two tets from the centre to the two halves of the face. The diagonal joins the corners whose indices have an even
// sum, so diagonals alternate like the colours of a chess board, round the edges of the box too.
void fill_outer_face(TetSoup& soup, const Lattice& lattice, const Cell& cell, std::size_t axis, Index side) {
  const auto corners = face_corners(cell, axis, side);
  const std::size_t even = (corners[0][0] + corners[0][1] + corners[0][2]) % 2;
  const Index a = lattice.corner(corners[even]), c = lattice.corner(corners[even + 2]);
  for (const std::size_t other : {even + 1, (even + 3) % 4}) {
    add_tet(soup, a, lattice.corner(corners[other]), c, lattice.centre(cell));
  }
}

}  // namespace

TetSoup box_mesh(const Vec3& size, double edge, std::uint64_t seed) {
  const Lattice lattice{cells(size, edge)};
  const Cell& n = lattice.n;
  const Vec3 cell_size(size[0] / n[0], size[1] / n[1], size[2] / n[2]);
  TetSoup soup;
  std::vector<Vec3> displacement;
  const auto random = [&] {
    return Vec3(kJitter * cell_size.cwiseProduct(random_displacement(seed, soup.points.size())));
  };

  for_each_cell({n[0] + 1, n[1] + 1, n[2] + 1}, [&](const Cell& c) {
    Vec3 point, move = random();
    for (int axis = 0; axis < 3; ++axis) {
      const Index i = c[static_cast<std::size_t>(axis)], last = n[static_cast<std::size_t>(axis)];
      // Exactly half the size on both ends, and symmetrical in between.
      point[axis] = size[axis] / 2 * ((static_cast<double>(i) - static_cast<double>(last - i)) / last);
      if (i == 0 || i == last) move[axis] = 0;
    }
    displacement.push_back(move);
    soup.points.push_back(point);
  });
  for_each_cell(n, [&](const Cell& c) {
    displacement.push_back(random());
    soup.points.push_back(-size / 2 + cell_size.cwiseProduct(Vec3(c[0] + 0.5, c[1] + 0.5, c[2] + 0.5)));
  });

  soup.tets.reserve(12 * static_cast<std::size_t>(n[0]) * n[1] * n[2]);
  for_each_cell(n, [&](const Cell& c) {
    for (std::size_t axis = 0; axis < 3; ++axis) {
      if (c[axis] == 0) fill_outer_face(soup, lattice, c, axis, 0);
      if (c[axis] + 1 == n[axis]) {
        fill_outer_face(soup, lattice, c, axis, 1);
      } else {
        fill_inner_face(soup, lattice, c, axis);
      }
    }
  });
  jitter_points(soup, displacement, kLeastDihedral);
  return soup;
}

}  // namespace sunder
