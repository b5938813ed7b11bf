#pragma once
// One reader for each surface format. All of them cut polygons into triangles, keep texture coordinates, normals and
// groups where the format has them, and throw an InputError with the place for anything that is wrong. `file_name` is
// for messages. read_surface.h picks one by name.

#include <filesystem>
#include <string>
#include <string_view>

#include "mesh/triangle_mesh.h"

namespace sunder {

// Wavefront OBJ: v, vt, vn, f (any number of corners, negative indices), usemtl; g and o where there is no material.
TriangleMesh read_obj(std::string_view content, const std::string& file_name);

// PLY, ASCII and binary of both byte orders. Other numbers at the vertices become attributes.
TriangleMesh read_ply(std::string_view content, const std::string& file_name);

// STL, ASCII and binary. Every triangle brings its own three points; nothing is welded here.
TriangleMesh read_stl(std::string_view content, const std::string& file_name);

// Geomview OFF, ASCII, with colours, normals or texture coordinates (COFF, NOFF, STOFF) that are skipped.
TriangleMesh read_off(std::string_view content, const std::string& file_name);

// glTF 2.0, .gltf and .glb; `path` tells where the buffers beside a .gltf file are. Transforms of nodes are applied.
TriangleMesh read_gltf(std::string_view content, const std::filesystem::path& path);

}  // namespace sunder
