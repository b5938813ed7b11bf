#pragma once
// Measures of one tetrahedron with corners a, b, c, d. Positive orientation: (b-a) x (c-a) . (d-a) > 0, OH99 (25).

#include <array>
#include <optional>

#include "core/vec.h"

namespace sunder {

using TetCorners = std::array<Vec3, 4>;

// Corners of the face opposite corner i, counter-clockwise seen from outside.
inline constexpr std::array<std::array<int, 3>, 4> kTetFaces = {{{1, 2, 3}, {0, 3, 2}, {0, 1, 3}, {0, 2, 1}}};

inline constexpr std::array<std::array<int, 2>, 6> kTetEdges = {{{0, 1}, {0, 2}, {0, 3}, {1, 2}, {1, 3}, {2, 3}}};

double signed_volume(const TetCorners& x);

// Edge vectors from corner 0, as columns.
Mat3 edge_matrix(const TetCorners& x);

// grad b_i of the four barycentric coordinates: the first three columns of the rows of OH99's beta (16), 1/m.
std::array<Vec3, 4> barycentric_gradients(const TetCorners& x);

// The weights of the corners that give x, inside or not; they add up to 1. None if the tet is flat or inverted.
std::optional<std::array<double, 4>> barycentric_coordinates(const TetCorners& tet, const Vec3& x);

// 6 sqrt(2) V / l_rms^3: 1 for the regular tetrahedron, 0 for a flat one, negative if inverted.
double quality(const TetCorners& x);

double smallest_altitude(const TetCorners& x);
std::array<double, 6> dihedral_angles(const TetCorners& x);  // radians, where the faces of kTetEdges meet
double smallest_dihedral_angle(const TetCorners& x);         // radians
double largest_dihedral_angle(const TetCorners& x);          // radians
double mean_edge(const TetCorners& x);

}  // namespace sunder
