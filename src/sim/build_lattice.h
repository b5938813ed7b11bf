#pragma once
// The lattices of a scene (solver `lattice_norton91`) become a solver.

#include "sim/build.h"

namespace sunder {

void build_lattices(const Scene& scene, BuiltRun& run);

}  // namespace sunder
