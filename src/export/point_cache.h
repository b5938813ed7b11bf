#pragma once
// Moving vertices over a mesh of fixed topology, as .pc2 and .mdd files: the mesh is an .obj file beside them, in the
// final topology.

#include <filesystem>

#include "export/solid_run.h"

namespace sunder {

struct PointCacheReport {
  std::filesystem::path mesh;  // the .obj file
  std::size_t points = 0, pieces = 0;
};

// The ending decides; frames are written as they are read. Pieces that are removed shrink to a point.
PointCacheReport write_point_cache(const SolidRun& run, const Placement& placement, const std::filesystem::path& file);

}  // namespace sunder
