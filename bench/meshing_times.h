#pragma once
// How long models take to become tetrahedra, on all threads.

#include <cstddef>
#include <string>
#include <vector>

namespace sunder::bench {

struct MeshingRow {
  std::string what;
  std::size_t triangles = 0, tets = 0;
  double seconds = 0;  // wall time, median
  double goal = 0;     // s
};

std::vector<MeshingRow> measure_meshing();

// The section of the page, from its title on; it stands at the end.
std::string meshing_section(const std::vector<MeshingRow>& rows);

// The page with its section replaced.
std::string with_meshing_section(const std::string& page, const std::vector<MeshingRow>& rows);

}  // namespace sunder::bench
