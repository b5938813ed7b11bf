#pragma once
// VTK's cell types, as VTU and legacy files share them, and the tetrahedra among the cells of a grid.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "mesh/tet_soup.h"
#include "mesh/triangle_mesh.h"
#include "meshfile/vtu.h"

namespace sunder {

// vtkCellType.h; those we write.
inline constexpr std::uint8_t kVtkTriangle = 5;
inline constexpr std::uint8_t kVtkQuad = 9;
inline constexpr std::uint8_t kVtkTetra = 10;
inline constexpr std::uint8_t kVtkHexahedron = 12;

// `point_lines` and `cell_lines` are where points and cells stand in the file, for messages; empty if not known.
TetSoup soup_of_vtk_cells(const VtuGrid& grid, const std::string& file_name, std::span<const int> point_lines = {},
                          std::span<const int> cell_lines = {});

// Tets with numbers at their points: the grid's point data. Arrays of several components are NAME[0], NAME[1], ...
struct PaintedTets {
  TetSoup soup;
  std::vector<PointAttribute> attributes;
};
PaintedTets painted_tets(const VtuGrid& grid, const std::string& file_name);

}  // namespace sunder
