#pragma once
// What a point of the material bears, and how that depends on the plane of the crack: a plane with the unit normal n
// bears value n^T D n, D symmetric and positive definite, the identity where all planes are alike.
//
// Factors combine by multiplication. A factor f that acts on a plane's normal through a projector P (n n^T for planes
// across n, 1 - g g^T for planes along g) is D = exp(log f P), and several are D = exp(sum log f P): where they commute
// (parallel, at right angles) exactly the product, always positive definite, and in whatever order they come.
//
// The node fails across the plane with the largest ratio of separation to what it bears,
//   max n^T zeta n / n^T D n,
// the largest eigenvalue of D^-1/2 zeta D^-1/2; its vector y gives n = D^-1/2 y.

#include <limits>

#include "core/vec.h"
#include "fracture/separation_tensor.h"

namespace sunder {

// How planes differ.
struct PlaneFactors {
  Mat3 tensor = Mat3::Identity();        // D
  Mat3 inverse_root = Mat3::Identity();  // D^-1/2
  double weakest = 1;                    // the smallest eigenvalue of D

  double of(const Vec3& unit_normal) const { return unit_normal.dot(tensor * unit_normal); }
  // For a body that has turned.
  PlaneFactors turned(const Mat3& rotation) const;
};

// D = exp(L) for a symmetric L, the sum of log f P.
PlaneFactors plane_factors(const Mat3& log_tensor);

// The plane with the largest ratio; the eigenvalue is n^T zeta n (N), not divided by anything.
Separation weakest_separation(const Mat3& separation_tensor, const PlaneFactors& factors);

// The rotation in a deformation, nearest to it.
Mat3 rotation_of(const Mat3& deformation);

}  // namespace sunder
