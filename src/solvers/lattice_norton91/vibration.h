#pragma once
// How much pieces vibrate: what they have of energy besides their motion as rigid bodies, and how far it is from
// breaking them.

#include <cstdint>
#include <span>
#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "solvers/lattice_norton91/bond_forces.h"
#include "solvers/lattice_norton91/breakage.h"
#include "solvers/lattice_norton91/lattice.h"

namespace sunder::lattice_norton91 {

// A piece is quiet if its vibration, kinetic and elastic, is no more than what its bonds would hold if each were
// strained by kQuietShare of its threshold, or by kQuietStrain if that is less; bonds that cannot break, by
// kQuietSupple: what they do is wobble, and that is what there is to see. And none is strained by more than kQuietWorst
// of its threshold, nor than kQuietWorst itself.
inline constexpr double kQuietShare = 0.1;
inline constexpr double kQuietStrain = 1.5e-3;
inline constexpr double kQuietSupple = 3e-4;
inline constexpr double kQuietWorst = 0.7;

// Which of `pieces`, lists of nodes of one component each, are quiet: 1, or 0.
std::vector<std::uint8_t> quiet_pieces(const Lattice& lattice, const Breakage& breakage, const Lists& pieces,
                                       const Column<NodeId, Vec3>& position, const Column<NodeId, Vec3>& velocity,
                                       const BondControl& control);

}  // namespace sunder::lattice_norton91
