#pragma once
// Meshes as files.

#include <filesystem>
#include <string>

#include "mesh/hex_soup.h"
#include "mesh/tet_soup.h"

namespace sunder {

// Whether the ending is .vtu or .mesh.
bool can_write_mesh(const std::filesystem::path& path);
bool can_write_hexahedra(const std::filesystem::path& path);  // .vtu

// .vtu, or .mesh (MEDIT) for tetrahedra. A VTU keeps the skin (meshfile/vtu_skin.h). A MEDIT file lists the skin's
// triangles with their parts, counted from 1. UsageError if the ending is another; the file appears only when it is
// complete.
void write_mesh(const std::filesystem::path& path, const TetSoup& soup);
void write_mesh(const std::filesystem::path& path, const HexSoup& soup);

}  // namespace sunder
