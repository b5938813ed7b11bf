#pragma once
// A broken body as USD text with time samples.

#include <filesystem>

#include "export/solid_run.h"

namespace sunder {

struct UsdaReport {
  std::size_t pieces = 0, meshes = 0;
};

// A mesh for each final piece, whose topology never changes: points, velocities and extent at every frame.
UsdaReport write_usda(const SolidRun& run, const Placement& placement, const std::filesystem::path& file);

// One mesh with the topology of every frame as it was simulated, and `primvars:fragment` of its faces.
UsdaReport write_changing_usda(const SolidRun& run, const Placement& placement, const std::filesystem::path& file);

}  // namespace sunder
