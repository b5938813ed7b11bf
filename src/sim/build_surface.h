#pragma once
// Surfaces of a scene that crack become a solver (sim/build.h).

#include "sim/build.h"

namespace sunder {

void build_surfaces(const Scene& scene, BuiltRun& run);

}  // namespace sunder
