#pragma once
// The polyhedron in which two tetrahedra overlap: its volume, where it is and what bounds it.

#include <array>

#include "geometry/tetrahedron.h"

namespace sunder {

struct TetOverlap {
  double volume = 0;             // m^3
  Vec3 centroid = Vec3::Zero();  // of that volume
  // Outward area vectors (m^2) of the faces that lie on the face opposite corner i of a, or of b. They all sum to zero.
  // A tet that moves by dx changes the volume by dx . (sum of its own vectors).
  std::array<Vec3, 4> area_a = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  std::array<Vec3, 4> area_b = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
};

// Tets that only touch (a face, an edge or a corner in common) do not overlap, nor does an inverted or a flat one with
// anything: all zero. Where faces of both lie in one plane and look the same way, the area is a's alone.
//
// Planes are known to some 1e-15 of the size l of the pair (l / h times more where a face's altitude h is small), and a
// corner so near a plane counts as on it: less depth of contact is none. Against exact arithmetic, volumes of random
// pairs were off by less than 1e-16 l^3, first moments by 1e-17 l^4 and areas by 1e-14 l^2 (1e-13 with slivers). The
// area vectors sum to zero to 1e-15 of the overlap's own area, however small. Swapping a and b gives the same up to
// that round-off, but for who has the faces in one plane.
TetOverlap tet_overlap(const TetCorners& a, const TetCorners& b);

}  // namespace sunder
