#pragma once
// Lattices of breakable bonds. For solver `lattice_norton91`.

#include <optional>
#include <vector>

namespace sunder {

enum class LatticeBonds { edges_body, edges_face, edges_faces, full };

// Of one body.
struct LatticeSpec {
  LatticeBonds bonds = LatticeBonds::full;
  std::optional<double> threshold;  // strain; unset: the material's strength / E
  double scatter = 0.3;             // of the thresholds, standard deviation over mean
  double damping = 0.15;            // ratio to critical, of the fastest vibration
};

struct ControlSpec {
  double time = 0;  // s
  double gravity = 1, stiffness = 1, length = 1;
};

// Of all of them.
struct LatticesSpec {
  double keep = 4;
  bool within = false;
  std::vector<ControlSpec> control;
};

}  // namespace sunder
