#pragma once
// Fragments of a frame, and grains of dust, as .ply files.

#include <string>

#include "export/piece_surface.h"

namespace sunder {

// Vertices with normal, texture coordinates (s, t) if there are any, velocity (vx, vy, vz), `fragment`, `body` and
// `inside` (1 on crack faces). No vertex is shared by two fragments or by both sides, so these say it of faces, too;
// many readers know no attributes of faces.
std::string pieces_ply(const Frame& frame, const std::vector<PieceSurface>& pieces, const Placement& placement);

// Points with velocity (vx, vy, vz), radius, mass (kg) and body.
std::string grains_ply(const Frame& frame, const Placement& placement);

}  // namespace sunder
