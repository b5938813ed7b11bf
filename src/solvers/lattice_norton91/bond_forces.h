#pragma once
// The forces of all bonds on their nodes. Bonds that act lie packed; each thread fills its own stretch of them, and
// then each node adds up those of its own bonds, in their order: the same bits for any number of threads.

#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "solvers/lattice_norton91/breakage.h"
#include "solvers/lattice_norton91/lattice.h"

namespace sunder::lattice_norton91 {

// What a scene changes while time goes on: factors of all bonds' stiffness and rest length.
struct BondControl {
  double stiffness = 1;
  double length = 1;
};

class BondForces {
 public:
  // `damping_time` of every body, s: d = damping_time k
  BondForces() = default;
  BondForces(const Lattice& lattice, std::vector<double> damping_time);

  // After bonds broke or retired.
  void pack(const Lattice& lattice, const Breakage& breakage);

  struct Report {
    double viscous_power = 0;                      // W, that damping takes
    std::vector<OverstretchedBond> overstretched;  // by number
    std::vector<Index> done;                       // bonds that pushed and have reached their rest length
  };
  // F = (k (l - L) + d v) along the bond                                         Norton 1991, internal forces
  // Sets the forces. A bond that pushes only does so while it is shorter than at rest.
  const Report& evaluate(const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                         const BondControl& control, Column<NodeId, Vec3>& force);

  double energy(const Column<NodeId, Vec3>& position, const BondControl& control) const;  // J

  std::size_t size() const { return bonds_.size(); }

 private:
  struct Packed {
    Index a, b;
    double length, stiffness, damping;
    double longest;  // 1 + threshold
  };
  struct Part {  // of a chunk
    double power = 0;
    std::vector<OverstretchedBond> overstretched;
    std::vector<Index> done;
  };

  std::vector<double> damping_time_;
  std::vector<Packed> bonds_;  // whole ones, then those that push
  std::size_t pushing_ = 0;    // from here on
  std::vector<Index> number_;  // of each in the lattice
  std::vector<Vec3> pull_;     // N, on the end a
  Lists at_node_;              // twice the place in `bonds_`, plus 1 at the end b
  std::vector<Part> parts_;
  Report report_;
};

}  // namespace sunder::lattice_norton91
