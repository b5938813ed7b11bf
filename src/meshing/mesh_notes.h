#pragma once
// What the maker of a model should know about the mesh that was made of it, in sentences.

#include <string>
#include <vector>

#include "meshing/mesh_surface.h"

namespace sunder {

// Empty if the input was clean and the mesh is close to it. Lengths in metres.
std::vector<std::string> mesh_notes(const SurfaceMeshReport& report);

}  // namespace sunder
