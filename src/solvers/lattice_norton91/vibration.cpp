#include "solvers/lattice_norton91/vibration.h"

#include <algorithm>
#include <cmath>

#include "core/parallel.h"
#include "solvers/lattice_norton91/rigid_piece.h"

namespace sunder::lattice_norton91 {
namespace {

constexpr std::size_t kChunk = 16;  // pieces

bool is_quiet(const Lattice& lattice, const Breakage& breakage, std::span<const Index> nodes,
              const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity, const BondControl& control) {
  double energy = 0, bearable = 0;
  for (const Index n : nodes) {
    for (const Index b : lattice.node_bonds[n]) {
      const auto& [i, j] = lattice.ends[b];
      if (i != n || breakage.bonds()[b] == BondState::retired) continue;
      const double rest = control.length * lattice.length[b], k = control.stiffness * lattice.stiffness[b];
      const double strain = (position[NodeId(j)] - position[NodeId(i)]).norm() / rest - 1;
      const double most = kQuietWorst * std::min(1.0, lattice.threshold[b]);
      if (!(std::abs(strain) <= most)) return false;
      energy += 0.5 * k * rest * rest * strain * strain;
      const double borne = std::isfinite(lattice.threshold[b])
                               ? std::min(kQuietStrain, kQuietShare * lattice.threshold[b])
                               : kQuietSupple;
      bearable += 0.5 * k * rest * rest * borne * borne;
    }
  }
  if (!(energy <= bearable)) return false;
  const RigidPiece rigid(lattice, nodes, position, velocity);
  constexpr double kRoundOff = 1e-12;  // of a single node, say
  return energy + rigid.vibration() <= bearable + kRoundOff * rigid.kinetic_energy();
}

}  // namespace

std::vector<std::uint8_t> quiet_pieces(const Lattice& lattice, const Breakage& breakage, const Lists& pieces,
                                       const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                                       const BondControl& control) {
  std::vector<std::uint8_t> quiet(pieces.size(), 0);
  parallel_chunks(pieces.size(), kChunk, [&](std::size_t begin, std::size_t end) {
    for (std::size_t p = begin; p < end; ++p) {
      quiet[p] = is_quiet(lattice, breakage, pieces[p], position, velocity, control) ? 1 : 0;
    }
  });
  return quiet;
}

}  // namespace sunder::lattice_norton91
