#pragma once
// A surface of triangles from a file of any format we know.

#include <filesystem>
#include <span>
#include <string>

#include "mesh/triangle_mesh.h"

namespace sunder {

// Picks the reader by the file's ending, whatever its case, else by how the content begins. InputError if the surface
// is wrong or of no known format, FileError if the file cannot be read.
TriangleMesh read_surface(const std::filesystem::path& path);

// ".obj", ".ply", ...: what read_surface understands.
std::span<const std::string> surface_file_endings();
bool is_surface_file(const std::filesystem::path& path);  // by its ending

}  // namespace sunder
