#pragma once
// A tetrahedral mesh from a file of any format we know.

#include <filesystem>
#include <span>
#include <string>

#include "mesh/tet_soup.h"

namespace sunder {

// Picks the reader by the file's ending, whatever its case, else by how the content begins. InputError if the mesh is
// wrong or of no known format, FileError if the file cannot be read.
TetSoup read_tets(const std::filesystem::path& path);

// ".msh", ".mesh", ...: what read_tets understands.
std::span<const std::string> tet_file_endings();

}  // namespace sunder
