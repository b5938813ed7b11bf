#pragma once
// Which nodes of a cell are joined by bonds, and how stiff the bonds are.
//
// A bond of stiffness k and length L along n adds k L^2 / (2 V) (n.e.n)^2 to the density of energy of its cell, so
// bonds of k = w E V / L^2 make a solid whose stiffness is E sum w nnnn. That is isotropic, with Young's modulus E and
// the Poisson's ratio of central forces, 1/4, if
//
//   sum w n_i n_j n_k n_l = 2/5 (d_ij d_kl + d_ik d_jl + d_il d_jk)
//
// The weights below do so in a cube; those of other cells are fitted.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "core/vec.h"

namespace sunder::lattice_norton91 {

enum class BondPattern {
  edges_body,   // 12 edges and 4 body diagonals: figure 1
  edges_face,   // 12 edges and a diagonal on each of 6 faces: figure 2
  edges_faces,  // 12 edges and both diagonals of each face
  full,         // 12 edges, 12 face diagonals, 4 body diagonals: as strong along [100] as along [110] and [111]
};

enum class BondKind : std::uint8_t { edge, face, body };

// Corners of a cell in VTK's order: the bottom counter-clockwise, then the top above it.
struct CellBond {
  std::uint8_t a, b;
  BondKind kind;
};

// Edges come first, in the order of kCellEdges.
inline constexpr std::array<std::array<std::uint8_t, 2>, 12> kCellEdges = {
    {{0, 1}, {1, 2}, {3, 2}, {0, 3}, {4, 5}, {5, 6}, {7, 6}, {4, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};
inline constexpr std::array<std::array<std::uint8_t, 4>, 6> kCellFaces = {
    {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 7, 6, 2}, {0, 3, 2, 1}, {4, 5, 6, 7}}};  // VTK's, outwards

using CellCorners = std::array<Vec3, 8>;

// `even` has a bit for each corner: of figure 2's pattern, each face has the diagonal that joins its even corners, so
// that opposite faces have crossed ones.
std::vector<CellBond> bonds_of_cell(BondPattern pattern, std::uint8_t even);

double table_weight(BondPattern pattern, BondKind kind);

// m^3; negative if the corners are inside out.
double cell_volume(const CellCorners& x);

struct FittedWeights {
  std::vector<double> weights;  // one for each bond
  double residual = 0;          // | sum w nnnn - isotropic | over | isotropic |
};

// Weights that make a cell of any shape as isotropic as its bonds allow: non-negative least squares, pulled weakly to
// the table's and never below 0.15 of them.
FittedWeights fitted_weights(BondPattern pattern, const std::vector<CellBond>& bonds, const CellCorners& x);

}  // namespace sunder::lattice_norton91
