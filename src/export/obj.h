#pragma once
// Fragments as an .obj file with its .mtl and pictures: an object for each, welded, with outside and inside materials.

#include <filesystem>

#include "export/piece_surface.h"

namespace sunder {

// Points are in the order in which welded_surface() has them. The .mtl file has the name of the .obj file, without a
// number of a frame before its ending.
void write_obj(const std::filesystem::path& file, const Frame& frame, const std::vector<PieceSurface>& pieces,
               const Placement& placement, const PieceMaterials& materials);

}  // namespace sunder
