#pragma once
// Pieces in free flight are moved as rigid bodies (rigid_piece.h), and cost next to nothing until something comes near.
//
// A component takes off when nothing is near it (clearance.h), no region holds, moves or loads a node of it or will
// later, no control changes its bonds from now on, and it was quiet (vibration.h) at this look and the one before. It
// keeps its shape, its momentum and its angular momentum, and its vibration pauses. It wakes as soon as anything is
// near, before any contact, with its shape turned.

#include <cstdint>
#include <span>
#include <vector>

#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "solvers/lattice_norton91/lattice.h"
#include "solvers/lattice_norton91/rigid_piece.h"

namespace sunder::lattice_norton91 {

class Flight {
 public:
  Flight() = default;
  explicit Flight(const Lattice& lattice);

  bool any() const { return !pieces_.empty(); }
  bool flies(Index node) const { return flies_[node] != 0; }
  const std::vector<RigidPiece>& pieces() const { return pieces_; }

  // Those of the lists of nodes that are marked.
  void take_off(const Lattice& lattice, const Lists& pieces, std::span<const std::uint8_t> which,
                const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity);
  // All pieces of which wakes(piece) is true. Their nodes must have been placed. Returns the nodes that have woken.
  template <class Wakes>
  std::vector<Index> wake(const Wakes& wakes);

  void advance(double dt, const Vec3& gravity, bool forward);
  // Where nodes of pieces are now, unless they have been placed since they moved.
  void place(Column<NodeId, Vec3>& position, Column<NodeId, Vec3>& velocity) const;

  double kinetic_energy() const;  // J
  double fastest() const;         // m/s

  void save(Writer& out) const;
  void load(Reader& in, const Lattice& lattice);

 private:
  std::vector<RigidPiece> pieces_;
  std::vector<std::uint8_t> flies_;  // by node
  mutable bool placed_ = true;
};

template <class Wakes>
std::vector<Index> Flight::wake(const Wakes& wakes) {
  std::vector<Index> woken;
  std::erase_if(pieces_, [&](const RigidPiece& piece) {
    if (!wakes(piece)) return false;
    woken.insert(woken.end(), piece.nodes().begin(), piece.nodes().end());
    for (const Index n : piece.nodes()) flies_[n] = 0;
    return true;
  });
  return woken;
}

}  // namespace sunder::lattice_norton91
