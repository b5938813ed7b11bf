#include "meshing/cell_tets.h"

#include <gtest/gtest.h>

#include "geometry/tetrahedron.h"
#include "mesh/tet_mesh.h"
#include "mesh/validate.h"
#include "meshing/lattice_cells.h"

namespace sunder {
namespace {

double volume_of(const TetSoup& soup) {
  double sum = 0;
  for (const auto& [a, b, c, d] : soup.tets) {
    sum += signed_volume({soup.points[a], soup.points[b], soup.points[c], soup.points[d]});
  }
  return sum;
}

TEST(CellTets, SixTetsACellFillItAndFitTheirNeighbours) {
  std::vector<std::string> notes;
  const HexSoup cells = lattice_cells(BoxShape{Vec3(0.4, 0.3, 0.2)}, {.edge = 0.05}, notes);
  const TetSoup soup = cell_tets(cells);
  EXPECT_EQ(soup.tets.size(), 6 * cells.cells.size());
  EXPECT_NEAR(volume_of(soup), 0.4 * 0.3 * 0.2, 1e-12);
  TetMesh mesh;
  mesh.append(soup, {});
  EXPECT_EQ(validate(mesh), std::vector<std::string>());
  std::size_t outer = 0;
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    for (int i = 0; i < 4; ++i) outer += mesh.neighbour({t, i}).valid() ? 0 : 1;
  }
  EXPECT_EQ(outer, 2u * 2 * (8 * 6 + 8 * 4 + 6 * 4));  // two triangles a square of the surface
}

TEST(CellTets, ATeapotOfGluedPartsIsAMeshThatCanBreak) {
  std::vector<std::string> notes;
  const HexSoup cells = lattice_cells(TeapotShape{.radius = 0.1, .wall = 0.0065}, {.edge = 0.0095}, notes);
  const TetSoup soup = cell_tets(cells);
  EXPECT_EQ(soup.tets.size(), 6 * cells.cells.size());
  EXPECT_NO_THROW(require_valid_soup(soup, "teapot"));
}

TEST(CellTets, BentCellsAreRefused) {
  HexSoup cells;
  for (int k = 0; k < 2; ++k) {
    for (const Vec3& p : {Vec3(0, 0, k), Vec3(1, 0, k), Vec3(1, 1, k), Vec3(0, 1, k)}) cells.points.push_back(p);
  }
  cells.cells = {{0, 1, 2, 3, 4, 5, 6, 7}};
  EXPECT_EQ(cell_tets(cells).tets.size(), 6u);
  cells.points[6] = Vec3(-1, -1, -1);
  EXPECT_THROW(cell_tets(cells), InputError);
}

}  // namespace
}  // namespace sunder
