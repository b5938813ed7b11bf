#pragma once
// Relaxation (Iben & O'Brien 2006, 4.1): nodes move virtually until no force is left, and their motion changes the
// stress. Three ways to the same field.

#include <cstdint>
#include <vector>

#include "solvers/surface_iben06/membrane.h"

namespace sunder::surface_iben06 {

enum class Relaxation : std::uint8_t {
  local,  // over-relaxed, node by node, where forces are left: a crack costs the same in any mesh
  exact,  // conjugate gradients over the whole surface
  paper,  // so many steps of forward Euler, (3) to (7)
};

struct RelaxRules {
  Relaxation method = Relaxation::local;
  // local: force that may be left, in units of toughness times mean edge. With three times as much
  // more cracks end inside a cell than with the exact field (docs/surface-cracks.md).
  double tolerance = 0.01;
  double over = 1.6;               // local: over-relaxation, below 2
  double exact_tolerance = 1e-10;  // exact: of the forces before, in the root of their squares
  std::uint32_t steps = 20;        // paper: after each crack
  double step_share = 0.9;         // paper: of the largest stable step
};

// Keeps lists between calls; nothing in it lasts from one relaxation to the next.
class Relaxer {
 public:
  explicit Relaxer(const RelaxRules& rules = {}) : rules_(rules) {}

  // Relaxes, starting where forces may have changed. Returns the nodes that moved; stresses follow only in
  // refresh_stress().
  const std::vector<NodeId>& relax(Membrane& membrane, const std::vector<NodeId>& changed);
  const std::vector<NodeId>& relax_everywhere(Membrane& membrane);

  // A node at triangles whose stress is another now, and by how much: the sum of A |grad b| |dsigma|, Frobenius norms.
  struct Stirred {
    NodeId node;
    double change = 0;  // m
  };
  // Stress of all triangles at these nodes; returns the nodes at them, each once: their separation is another now.
  const std::vector<Stirred>& refresh_stress(Membrane& membrane, const std::vector<NodeId>& moved);

  std::uint64_t relaxations() const { return relaxations_; }  // of single nodes, ever; what the work goes with
  std::uint64_t unfinished() const { return unfinished_; }    // relaxations that were given up, forces being left

 private:
  void local(Membrane& membrane, const std::vector<NodeId>& changed);
  void exact(Membrane& membrane);
  void paper(Membrane& membrane);
  void follow_load(Membrane& membrane);
  const std::vector<Stirred>& refresh_all(Membrane& membrane);
  void note(NodeId n);

  RelaxRules rules_;
  std::vector<NodeId> ring_, moved_;
  std::vector<Stirred> stirred_;
  std::vector<std::uint8_t> noted_;   // by node
  std::vector<std::uint32_t> place_;  // by node: 1 + its place in stirred_
  std::vector<std::uint8_t> triangle_seen_;
  std::vector<TriangleId> triangles_;
  std::uint64_t relaxations_ = 0, unfinished_ = 0;
};

}  // namespace sunder::surface_iben06
