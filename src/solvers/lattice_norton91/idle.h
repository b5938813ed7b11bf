#pragma once
// Which nodes are not moved bond by bond: those of pieces that fly (flight.h) or sleep (sleep.h).

#include <span>
#include <vector>

#include "collision/asleep.h"
#include "solvers/lattice_norton91/components.h"
#include "solvers/lattice_norton91/flight.h"
#include "solvers/lattice_norton91/lattice.h"
#include "solvers/lattice_norton91/sleep.h"

namespace sunder::lattice_norton91 {

class Idle {
 public:
  // Others fly or sleep than before.
  void update(const Flight& flight, const Sleep& sleep, std::size_t nodes);

  const Asleep& asleep() const { return asleep_; }  // those that fly are away
  bool operator[](Index node) const { return asleep_[NodeId(node)]; }
  std::span<const Index> awake() const { return awake_; }        // nodes that neither fly nor sleep, ascending
  std::span<const Index> grounded() const { return grounded_; }  // those that do not fly, ascending

  Lists pieces_awake(const Components& components) const;  // nodes, by component

 private:
  Asleep asleep_;
  std::vector<Index> awake_, grounded_;
};

}  // namespace sunder::lattice_norton91
