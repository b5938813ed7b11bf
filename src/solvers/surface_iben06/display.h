#pragma once
// What a cracked surface looks like (Iben & O'Brien 2006, section 5): gaps between displaced lips, and edges that curl
// up. The simulation knows nothing of it.

#include <vector>

#include "core/vec.h"
#include "solvers/surface_iben06/membrane.h"

namespace sunder::surface_iben06 {

struct DisplayRules {
  double gap = 0.1;        // gamma of (9): share of the virtual motion that shows
  double gap_limit = 1.5;  // no node shows more motion than this times load times ell, sources that act once being a
                           // load of one; tiny pieces would fly off
  double depth = 0;        // m, of the walls of cracks; 0: none
  double curl = 0;         // how far lips rise, in their motion that shows
  double curl_width = 1;   // over which the rise fades, in ell
};

struct Displayed {
  std::vector<Vec3> position;  // m, by node
  std::vector<Vec3> wall;      // m, from the rest position to the foot of the walls; empty without walls
};
Displayed displayed(const Membrane& membrane, const DisplayRules& rules, double load);

}  // namespace sunder::surface_iben06
