#pragma once
// The triangles of a body whose surface cracks: of its shape, or of the model's file, as they are or meshed anew.

#include <array>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "core/vec.h"
#include "scene/scene.h"

namespace sunder {

struct BodySurface {
  std::vector<Vec3> points;  // m, placed
  std::vector<std::array<std::uint32_t, 3>> triangles;
  std::vector<std::array<Vec2, 3>> uvs;                        // of the triangles' corners; empty: none
  std::map<std::string, std::vector<double>> attributes;       // of the points, by name
  std::map<std::string, std::vector<double>> face_attributes;  // of the triangles
  std::size_t crowded_edges = 0;                               // that had more than two triangles
};

// InputError if there is nothing, or no such part. `warnings` gets what was mended.
BodySurface surface_of_body(const Scene& scene, std::size_t index, std::vector<std::string>& warnings);

}  // namespace sunder
