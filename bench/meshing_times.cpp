#include "bench/meshing_times.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "meshing/mesh_surface.h"
#include "meshing/model_testing.h"

namespace sunder::bench {
namespace {

constexpr const char* kTitle = "## Models to tetrahedra\n";

MeshingRow timed(const std::string& what, const TriangleMesh& model, double edge, int rounds, double goal) {
  SurfaceMeshOptions options;
  options.edge = edge;
  MeshingRow row{what, model.triangles.size(), 0, 0, goal};
  std::vector<double> seconds;
  for (int i = 0; i < rounds; ++i) {
    const auto start = std::chrono::steady_clock::now();
    row.tets = mesh_surface(model, options, what).report.tets;
    seconds.push_back(std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
  }
  std::sort(seconds.begin(), seconds.end());
  row.seconds = seconds[seconds.size() / 2];
  return row;
}

}  // namespace

// Smooth models, a knot and a ring: the sizes that the goals name.
std::vector<MeshingRow> measure_meshing() {
  return {timed("ring, 100k triangles", model_testing::torus(1, 0.4, 158), 0.083, 5, 5),
          timed("knot, 50k triangles", model_testing::torus_knot(0.5, 46), 0.0543, 3, 60)};
}

std::string meshing_section(const std::vector<MeshingRow>& rows) {
  std::string text = kTitle;
  text += "\n`sunder mesh` without reading and writing, on all threads; median wall time.\n\n";
  text += "| model | triangles | tets | seconds | goal | tets a second |\n|---|---|---|---|---|---|\n";
  for (const MeshingRow& r : rows) {
    text += fmt::format("| {} | {} | {} | {:.1f} | {:.0f} | {:.0f}k |\n", r.what, r.triangles, r.tets, r.seconds,
                        r.goal, 1e-3 * static_cast<double>(r.tets) / r.seconds);
  }
  return text;
}

std::string with_meshing_section(const std::string& page, const std::vector<MeshingRow>& rows) {
  std::string kept = page.substr(0, page.find(kTitle));
  while (!kept.empty() && kept.back() == '\n') kept.pop_back();
  return (kept.empty() ? "" : kept + "\n\n") + meshing_section(rows);
}

}  // namespace sunder::bench
