#pragma once
// What a scene asks for that will run, but is hardly what was meant: things that start inside each other, or are too
// small to be felt.

#include <span>
#include <string>
#include <vector>

#include "scene/scene.h"
#include "solvers/tet_oh99/tet_solver.h"

namespace sunder {

// About colliders alone, for bodies of any kind.
void warn_about_colliders(const Scene& scene, std::span<const Vec3> nodes, const std::vector<Collider>& colliders,
                          std::vector<std::string>& warnings);

// Keys for tetrahedra that differ from the defaults in a scene of nothing but lattices: there they do nothing.
void warn_about_unheeded_keys(const Scene& scene, std::vector<std::string>& warnings);

void warn_about_start(const Scene& scene, const tet_oh99::TetSetup& setup, std::vector<std::string>& warnings);

}  // namespace sunder
