#pragma once
// The numbers of a run over time, as charts.

#include <filesystem>
#include <vector>

#include "render/chart.h"

namespace sunder {

// Energies, fragments, crack area and reactions, from stats.csv and forces.csv. FileError or InputError if they are
// missing or damaged.
std::vector<render::Chart> charts_of_run(const std::filesystem::path& folder);

}  // namespace sunder
