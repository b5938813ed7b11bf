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
  // Springs themselves, in the place of the material's stiffness; unset: by the material.
  std::optional<double> spring;                    // N/m, of edges
  std::optional<double> spring_face, spring_body;  // N/m, of diagonals; unset: that of edges
  std::optional<double> spring_damping;            // N s/m, of edges; unset: by `damping`

  bool has_face_diagonals() const { return bonds != LatticeBonds::edges_body; }
  bool has_body_diagonals() const { return bonds == LatticeBonds::edges_body || bonds == LatticeBonds::full; }
};

struct ControlSpec {
  double time = 0;  // s
  double gravity = 1, stiffness = 1, length = 1;
};

// Of all of them.
struct LatticesSpec {
  double keep = 4;
  bool within = false;
  bool flight = true;  // pieces in free flight are moved as rigid bodies
  std::vector<ControlSpec> control;
};

}  // namespace sunder
