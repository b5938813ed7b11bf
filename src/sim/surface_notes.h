#pragma once
// What a user should know of a surface before it cracks.

#include <string>
#include <vector>

#include "scene/scene.h"
#include "sim/surface_of_body.h"
#include "solvers/surface_iben06/membrane.h"

namespace sunder {

// Share of the nodes within a surface (all fans closed) through which two or more lines of edges run straight: near one
// in regular grids, flat or curved, a few hundredths without. Cracks follow such lines.
double share_on_lines(const TriMesh& mesh);
inline constexpr double kShareOfGrid = 0.5;  // from here on the grid shows

inline constexpr double kGoodLength = 3;  // a coat's, in mean edges: from here on the mesh hardly shows

// InputError if the coat's `length` is below what triangles with such edges (m, in the mean) can resolve.
void require_length(const Scene& scene, std::size_t index, double length, double edge);

// Notes on triangles that will show in the cracks, and InputError as above.
void note_surface(const Scene& scene, std::size_t index, const BodySurface& surface,
                  const surface_iben06::Membrane& membrane, std::vector<std::string>& warnings);

}  // namespace sunder
