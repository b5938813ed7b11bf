#pragma once
// Faces of cells with no other cell behind them.

#include <array>
#include <span>
#include <vector>

#include "solvers/lattice_norton91/lattice.h"

namespace sunder::lattice_norton91 {

// Corners counter-clockwise seen from outside; in the order of cells, then of kCellFaces.
std::vector<std::array<Index, 4>> outer_faces(std::span<const std::array<Index, 8>> cells);

}  // namespace sunder::lattice_norton91
