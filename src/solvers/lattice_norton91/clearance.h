#pragma once
// Which components have nothing near them, and how far everything may move before that may have changed.

#include <cstdint>
#include <vector>

#include "collision/rigid_bodies.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "solvers/lattice_norton91/components.h"
#include "solvers/lattice_norton91/lattice.h"
#include "solvers/lattice_norton91/node_grid.h"

namespace sunder::lattice_norton91 {

class Clearance {
 public:
  Clearance() = default;
  explicit Clearance(const Lattice& lattice);

  // Looks at all nodes anew. `contact`: whether components touch each other at all.
  void look(const Lattice& lattice, const Components& components, const RigidBodies& rigid,
            const Column<NodeId, Vec3>& position, bool contact);
  // As of the last look: a node of another component is nearer than the sum of both radii by the margin, or a collider
  // is nearer than that.
  bool crowded(std::uint32_t component) const { return crowded_[component] != 0; }
  void crowd(std::uint32_t component) { crowded_[component] = 1; }

  // Since the last look, nothing has moved farther than this.
  void moved(double farthest) { moved_ += farthest; }
  // Who has been told so far that nothing is near must look again.
  bool outdated() const { return !(moved_ < kShare * margin_); }

  double margin() const { return margin_; }  // m
  double moved() const { return moved_; }    // m
  void load(double moved) { moved_ = moved; }

 private:
  // Of the margin. Two things come nearer by twice what either moves; what is left of the half is for the step in which
  // it is found out.
  static constexpr double kShare = 0.4;

  NodeGrid grid_;
  std::vector<Index> all_;             // nodes
  std::vector<std::uint8_t> crowded_;  // by component
  double margin_ = 0, moved_ = 0;
};

}  // namespace sunder::lattice_norton91
