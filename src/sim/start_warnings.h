#pragma once
// What a scene asks for that will run, but is hardly what was meant: things that start inside each other, or are too
// small to be felt.

#include <string>
#include <vector>

#include "scene/scene.h"
#include "solvers/tet_oh99/tet_solver.h"

namespace sunder {

void warn_about_start(const Scene& scene, const tet_oh99::TetSetup& setup, std::vector<std::string>& warnings);

}  // namespace sunder
