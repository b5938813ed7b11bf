#include "solvers/lattice_norton91/pressed_faces.h"

#include <algorithm>
#include <utility>

#include "core/check.h"

namespace sunder::lattice_norton91 {
namespace {

// Three corners of an outer face belong to one cell only.
Index cell_of(const Lattice& lattice, const std::array<NodeId, 3>& face) {
  for (const Index cell : lattice.node_cells[face[0].index]) {
    const auto& corners = lattice.corners[cell];
    const auto has = [&](NodeId n) { return std::find(corners.begin(), corners.end(), n.index) != corners.end(); };
    if (has(face[1]) && has(face[2])) return cell;
  }
  SUNDER_CHECK(false, "a pressed face is no face of a cell");
  return 0;
}

}  // namespace

PressedFaces::PressedFaces(const Lattice& lattice, const Regions& regions) {
  for (std::size_t r = 0; r < regions.size(); ++r) {
    if (regions[r].kind != Region::Kind::pressure) continue;
    Pressed& pressed = pressed_.emplace_back(Pressed{r, regions[r].faces, {}});
    for (const auto& face : pressed.faces) pressed.cells.push_back(cell_of(lattice, face));
  }
}

void PressedFaces::follow(const Breakage& breakage, Regions& regions) const {
  for (const Pressed& pressed : pressed_) {
    std::vector<std::array<NodeId, 3>> whole;
    for (std::size_t i = 0; i < pressed.faces.size(); ++i) {
      if (!breakage.cell_broken(pressed.cells[i])) whole.push_back(pressed.faces[i]);
    }
    regions.press(pressed.region, std::move(whole));
  }
}

}  // namespace sunder::lattice_norton91
