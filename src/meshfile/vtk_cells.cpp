#include "meshfile/vtk_cells.h"

#include <fmt/format.h>

#include "core/error.h"
#include "meshfile/soup_builder.h"
#include "meshfile/tet_formats.h"
#include "meshfile/text_scanner.h"
#include "meshfile/vtu_skin.h"

namespace sunder {
namespace {

// Tetrahedra of any order begin with their four corners.
bool is_tet(std::uint8_t type) {
  return type == kVtkTetra || type == 24 /* quadratic */ || type == 71 /* Lagrange */ || type == 78 /* Bezier */;
}

// The name of a volume cell that is no tetrahedron; nullptr for points, lines, surfaces and empty cells.
const char* other_volume(std::uint8_t type) {
  switch (type) {
    case 11:
      return "voxel";
    case 12:
    case 25:
    case 29:
    case 33:
    case 72:
    case 79:
      return "hexahedron";
    case 13:
    case 26:
    case 31:
    case 32:
    case 73:
    case 80:
      return "prism (wedge)";
    case 14:
    case 27:
    case 37:
    case 74:
    case 81:
      return "pyramid";
    case 15:
      return "pentagonal prism";
    case 16:
      return "hexagonal prism";
    case 41:
      return "convex point set";
    case 42:
      return "polyhedron";
    default:
      return nullptr;
  }
}

}  // namespace

namespace {

void add_cells(const VtuGrid& grid, const std::string& file_name, std::span<const int> point_lines,
               std::span<const int> cell_lines, SoupBuilder& builder) {
  builder.reserve_points(grid.points.size());
  for (std::size_t i = 0; i < grid.points.size(); ++i) {
    builder.add_point(static_cast<std::int64_t>(i), grid.points[i], point_lines.empty() ? 0 : point_lines[i]);
  }
  std::int64_t begin = 0;
  for (std::size_t i = 0; i < grid.types.size(); ++i) {
    const auto number = static_cast<std::int64_t>(i);
    const int line = cell_lines.empty() ? 0 : cell_lines[i];
    const std::int64_t end = grid.offsets[i];
    const std::uint8_t type = grid.types[i];
    if (const char* kind = other_volume(type)) builder.refuse_cell(number, kind, line);
    if (is_tet(type)) {
      if (end - begin < 4 || (type == kVtkTetra && end - begin != 4)) {
        throw InputError({file_name, line}, fmt::format("cell {} is a tetrahedron with {} points", number, end - begin),
                         kTruncatedRemedy);
      }
      const auto first = grid.connectivity.begin() + begin;
      builder.add_tet(number, {first[0], first[1], first[2], first[3]}, line);
    }
    begin = end;
  }
}

}  // namespace

TetSoup soup_of_vtk_cells(const VtuGrid& grid, const std::string& file_name, std::span<const int> point_lines,
                          std::span<const int> cell_lines) {
  SoupBuilder builder(file_name, "point", "cell");
  add_cells(grid, file_name, point_lines, cell_lines, builder);
  return builder.finish();
}

PaintedTets painted_tets(const VtuGrid& grid, const std::string& file_name) {
  SoupBuilder builder(file_name, "point", "cell");
  add_cells(grid, file_name, {}, {}, builder);
  PaintedTets result{builder.finish(), {}};
  for (const VtuArray& array : grid.point_data) {
    for (int c = 0; c < array.components; ++c) {
      PointAttribute attribute;
      attribute.name = array.components == 1 ? array.name : fmt::format("{}[{}]", array.name, c);
      const auto take = [&](const auto& values) {
        for (const std::int64_t point : builder.kept()) {
          attribute.values.push_back(
              static_cast<double>(values[static_cast<std::size_t>(array.components * point + c)]));
        }
      };
      std::visit(take, array.values);
      result.attributes.push_back(std::move(attribute));
    }
  }
  return result;
}

TetSoup read_vtu_tets(std::string_view content, const std::string& file_name) {
  const VtuGrid grid = read_vtu(content, file_name);
  TetSoup soup = soup_of_vtk_cells(grid, file_name);
  take_skin_arrays(grid, soup);
  return soup;
}

std::string vtu_from_soup(const TetSoup& soup) {
  VtuGrid grid;
  grid.points = soup.points;
  grid.connectivity.reserve(4 * soup.tets.size());
  for (const auto& tet : soup.tets) {
    grid.connectivity.insert(grid.connectivity.end(), tet.begin(), tet.end());
    grid.offsets.push_back(static_cast<std::int64_t>(grid.connectivity.size()));
  }
  grid.types.assign(soup.tets.size(), kVtkTetra);
  return vtu_text(grid);
}

}  // namespace sunder
