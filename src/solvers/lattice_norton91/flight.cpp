#include "solvers/lattice_norton91/flight.h"

#include <algorithm>

namespace sunder::lattice_norton91 {

Flight::Flight(const Lattice& lattice) : flies_(lattice.node_count(), 0) {}

void Flight::take_off(const Lattice& lattice, const Lists& pieces, std::span<const std::uint8_t> which,
                      const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity) {
  for (std::size_t p = 0; p < pieces.size(); ++p) {
    if (which[p] == 0) continue;
    for (const Index n : pieces[p]) flies_[n] = 1;
    pieces_.emplace_back(lattice, pieces[p], position, velocity);
    placed_ = false;
  }
}

void Flight::advance(double dt, const Vec3& gravity, bool forward) {
  for (RigidPiece& piece : pieces_) piece.advance(dt, gravity, forward);
  placed_ = pieces_.empty();
}

void Flight::place(Column<NodeId, Vec3>& position, Column<NodeId, Vec3>& velocity) const {
  if (placed_) return;
  for (const RigidPiece& piece : pieces_) piece.place(position, velocity);
  placed_ = true;
}

double Flight::kinetic_energy() const {
  double sum = 0;
  for (const RigidPiece& piece : pieces_) sum += piece.kinetic_energy();
  return sum;
}

double Flight::fastest() const {
  double fastest = 0;
  for (const RigidPiece& piece : pieces_) fastest = std::max(fastest, piece.fastest());
  return fastest;
}

void Flight::save(Writer& out) const {
  out.put<std::uint64_t>(pieces_.size());
  for (const RigidPiece& piece : pieces_) piece.save(out);
}

void Flight::load(Reader& in, const Lattice& lattice) {
  *this = Flight(lattice);
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    pieces_.emplace_back().load(in, lattice);
    for (const Index n : pieces_.back().nodes()) {
      if (flies(n)) in.fail();
      flies_[n] = 1;
    }
  }
  placed_ = false;
}

}  // namespace sunder::lattice_norton91
