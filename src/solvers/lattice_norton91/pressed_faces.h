#pragma once
// Pressure on a lattice that breaks: the outer faces of broken cells are pressed no more.

#include <array>
#include <vector>

#include "solvers/lattice_norton91/breakage.h"
#include "solvers/lattice_norton91/lattice.h"
#include "solvers/regions.h"

namespace sunder::lattice_norton91 {

class PressedFaces {
 public:
  PressedFaces() = default;
  // All that the regions press while nothing is broken: triangles of outer faces of cells.
  PressedFaces(const Lattice& lattice, const Regions& regions);

  // After cells broke. What is left follows from them alone, so no checkpoint holds it.
  void follow(const Breakage& breakage, Regions& regions) const;

 private:
  struct Pressed {
    std::size_t region;
    std::vector<std::array<NodeId, 3>> faces;
    std::vector<Index> cells;  // that the faces are of
  };
  std::vector<Pressed> pressed_;
};

}  // namespace sunder::lattice_norton91
