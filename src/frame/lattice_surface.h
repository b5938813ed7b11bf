#pragma once
// The solid that a lattice stands for, as tetrahedra: what pictures, exports and counts of pieces see of it.
//
// octants: each node owns an octant of each of its cells, a small hexahedron from the node to points on its edges, its
// faces and in the cell. These lie at random places near the middles, moved by each node's own motion (its position and
// how its surroundings are turned) and averaged over the nodes that unbroken bonds join. So broken edges are jagged, no
// volume is lost, and single nodes are crumbs.
//
// cells: the paper's surface. The faces of unbroken cells, and a small tetrahedron for each node that has none.

#include "frame/frame.h"

namespace sunder {

enum class LatticeSurface { octants, cells };

// The frame with tetrahedra in the place of its hexahedra; a frame without any as it is.
Frame lattice_as_tets(Frame frame, LatticeSurface surface);

// The nodes at the ends of a hexahedron's edges, in the order of `broken_edges`; and of its faces, VTK's, outwards.
inline constexpr std::array<std::array<std::uint8_t, 2>, 12> kHexEdges = {
    {{0, 1}, {1, 2}, {3, 2}, {0, 3}, {4, 5}, {5, 6}, {7, 6}, {4, 7}, {0, 4}, {1, 5}, {2, 6}, {3, 7}}};
inline constexpr std::array<std::array<std::uint8_t, 4>, 6> kHexFaces = {
    {{0, 4, 7, 3}, {1, 2, 6, 5}, {0, 1, 5, 4}, {3, 7, 6, 2}, {0, 3, 2, 1}, {4, 5, 6, 7}}};

}  // namespace sunder
