#pragma once
// Surfaces as files that other programs read.

#include <filesystem>

#include "mesh/triangle_mesh.h"

namespace sunder {

// Whether the ending is one of .obj, .ply, .stl and .off, whatever its case.
bool can_write_surface(const std::filesystem::path& path);

// OBJ keeps groups (as materials), texture coordinates and normals, and every bit of the points, as do PLY and OFF; PLY
// and STL are binary, STL of single precision. UsageError if the ending is another; the file appears only when it is
// complete.
void write_surface(const std::filesystem::path& path, const TriangleMesh& surface);

}  // namespace sunder
