#pragma once
// One reader for each tetrahedral file format. All of them skip points, lines and surface cells, take the four corners
// of tetrahedra of higher order, turn inverted tetrahedra round, drop points that no tetrahedron uses, and throw an
// InputError with the place for anything that is wrong. `file_name` is for messages. read_tets.h picks one by name.

#include <filesystem>
#include <string>
#include <string_view>

#include "mesh/tet_soup.h"

namespace sunder {

// Gmsh MSH 2.x and 4.1 in ASCII. https://gmsh.info/doc/texinfo/gmsh.html#File-formats
TetSoup read_gmsh(std::string_view content, const std::string& file_name);

// MEDIT / libMeshb .mesh in ASCII. https://github.com/LoicMarechal/libMeshb
TetSoup read_medit(std::string_view content, const std::string& file_name);

// VTK legacy files, versions 2.0-5.1, ASCII and binary.
// https://docs.vtk.org/en/latest/design_documents/VTKFileFormats.html
TetSoup read_vtk_legacy(std::string_view content, const std::string& file_name);

// VTK XML unstructured grids (vtu.h), and the writer of the same.
TetSoup read_vtu_tets(std::string_view content, const std::string& file_name);
std::string vtu_from_soup(const TetSoup& soup);

// TetGen keeps points and tetrahedra in two files, NAME.node and NAME.ele; the path may be that of either.
// https://wias-berlin.de/software/tetgen/fformats.html
TetSoup read_tetgen(const std::filesystem::path& node_or_ele);
TetSoup read_tetgen(std::string_view node_content, const std::string& node_name, std::string_view ele_content,
                    const std::string& ele_name);

}  // namespace sunder
