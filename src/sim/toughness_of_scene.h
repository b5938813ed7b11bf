#pragma once
// What the materials of a scene bear, and where [[toughness]] makes them weaker or tougher.

#include <span>
#include <vector>

#include "fracture/toughness_field.h"
#include "mesh/tet_mesh.h"
#include "scene/scene.h"

namespace sunder {

// One field for each body; the mesh holds the bodies, placed. InputError if a surface cannot be read.
std::vector<ToughnessField> toughness_fields(const Scene& scene, const TetMesh& mesh);

// Of a lattice, placed: its layers, for what its bonds bear by themselves.
ToughnessField weakness_of_lattice(const Scene& scene, std::size_t body, std::span<const Vec3> points);

}  // namespace sunder
