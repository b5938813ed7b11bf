#include "meshing/mapped_mesh.h"

#include <algorithm>
#include <numbers>
#include <vector>

#include "core/random.h"
#include "meshing/jitter.h"
#include "meshing/triangulate_sheet.h"
#include "shapes/resolution.h"

namespace sunder {
namespace {

// Points of the sheet and cuts of the prisms draw from different numbers.
enum Purpose : std::uint64_t { kSheet, kCuts, kLevels };

constexpr std::uint32_t kManyLayers = 4;

// Between many layers lie as many planes for cracks to follow: moves the points between the ends along w.
void unlevel(TetSoup& soup, const Mapping& mapping, const Sheet& sheet, std::uint32_t layers, std::uint64_t seed) {
  constexpr double most = 0.2;                           // of a layer, up and down
  constexpr double floor = 20 * std::numbers::pi / 180;  // dihedral angle, radians
  const auto columns = sheet.mesh.vertices().size();
  std::vector<Vec3> displacement(soup.points.size(), Vec3::Zero());
  for (std::size_t p = 0; p < soup.points.size(); ++p) {
    const std::size_t level = p / columns;
    if (!mapping.closed && (level == 0 || level == layers)) continue;
    const double step = most * (2 * random_unit(seed, p) - 1);
    const double w = (static_cast<double>(level) + step) / layers;
    displacement[p] = mapping.place(sheet.mesh.vertices()[p % columns].chart, w) - soup.points[p];
  }
  jitter_points(soup, displacement, floor);
}

}  // namespace

TetSoup mapped_tets(const Mapping& mapping, double edge, std::uint32_t layers, std::uint64_t seed) {
  const Sheet sheet = triangulate_sheet(mapping, std::min(edge, mapping.largest_edge), random_bits(seed, kSheet));
  const std::uint32_t count = layers_through(mapping, edge, layers);
  TetSoup soup = extruded_tets(mapping, sheet, count, random_bits(seed, kCuts));
  if (count >= kManyLayers) unlevel(soup, mapping, sheet, count, random_bits(seed, kLevels));
  return soup;
}

HexSoup mapped_hexes(const Mapping& mapping, double edge, std::uint32_t layers, std::uint64_t seed) {
  // Halves of the edges of a triangle are its cells' edges.
  const Sheet sheet = triangulate_sheet(mapping, std::min(2 * edge, mapping.largest_edge), random_bits(seed, kSheet));
  return extruded_hexes(mapping, sheet, layers_through(mapping, edge, layers));
}

}  // namespace sunder
