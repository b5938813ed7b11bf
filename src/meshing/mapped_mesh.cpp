#include "meshing/mapped_mesh.h"

#include <algorithm>

#include "core/random.h"
#include "meshing/triangulate_sheet.h"
#include "shapes/resolution.h"

namespace sunder {
namespace {

// Points of the sheet and cuts of the prisms draw from different numbers.
enum Purpose : std::uint64_t { kSheet, kCuts };

}  // namespace

TetSoup mapped_tets(const Mapping& mapping, double edge, std::uint32_t layers, std::uint64_t seed) {
  const Sheet sheet = triangulate_sheet(mapping, std::min(edge, mapping.largest_edge), random_bits(seed, kSheet));
  return extruded_tets(mapping, sheet, layers_through(mapping, edge, layers), random_bits(seed, kCuts));
}

HexSoup mapped_hexes(const Mapping& mapping, double edge, std::uint32_t layers, std::uint64_t seed) {
  // Halves of the edges of a triangle are its cells' edges.
  const Sheet sheet = triangulate_sheet(mapping, std::min(2 * edge, mapping.largest_edge), random_bits(seed, kSheet));
  return extruded_hexes(mapping, sheet, layers_through(mapping, edge, layers));
}

}  // namespace sunder
