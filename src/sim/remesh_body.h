#pragma once
// The surface of a body that cracks, meshed anew with even triangles (meshing/even_surface.h).

#include <optional>
#include <string>
#include <vector>

#include "mesh/triangle_mesh.h"
#include "scene/scene.h"
#include "sim/surface_of_body.h"

namespace sunder {

// Of the body's `edge` or, if a model leaves that open, of as many triangles as a fifth of the coat's `length` asks
// for, or as a good pattern needs. `warnings` gets what was done.
TriangleMesh remeshed(const Scene& scene, std::size_t index, const TriangleMesh& surface,
                      std::vector<std::string>& warnings);

// Why a model's triangles are not good to crack as they are, by a coat of this length (m) if it is known; empty if they
// are.
std::string why_remesh(const BodySurface& surface, std::optional<double> length);

}  // namespace sunder
