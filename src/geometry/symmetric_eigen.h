#pragma once
// Eigenvalues and eigenvectors of symmetric 3x3 and 2x2 matrices, and what the fracture criterion needs of them.
//
// Only the lower triangle is read. Closed form, no loops that could run on: a matrix with NaN or infinity gives NaN.

#include <array>

#include "core/vec.h"

namespace sunder {

struct SymmetricEigen {
  std::array<double, 3> values;  // descending
  Mat3 vectors;                  // column i belongs to values[i]; orthonormal, right-handed
};

// Accurate to round-off of the matrix' norm, also where eigenvalues are equal or nearly so. In the plane (or space) of
// equal eigenvalues the vectors are some orthonormal basis, always the same one for the same matrix. Of the signs of a
// vector the one is chosen that makes its largest component positive, but for the last, which makes it right-handed.
SymmetricEigen symmetric_eigen(const Mat3& a);

// The values alone, a few times quicker: to round-off of the norm, but to 2e-8 of it where two are nearly equal. For
// matrices whose elements' cubes are finite.
std::array<double, 3> symmetric_eigenvalues(const Mat3& a);

// a = tensile + compressive: the parts of the positive and of the negative eigenvalues.              OH99 (29), (30)
struct TensileSplit {
  Mat3 tensile, compressive;
};
TensileSplit tensile_split(const Mat3& a);

// The same in the plane. Equal eigenvalues have the axes as their vectors.
struct PlaneEigen {
  std::array<double, 2> values;  // descending
  Vec2 first;                    // unit vector of the first; the second is at right angles
};
PlaneEigen plane_eigen(const Mat2& a);
struct PlaneSplit {
  Mat2 tensile, compressive;
};
PlaneSplit plane_split(const Mat2& a);

// Never below the largest eigenvalue, and without finding it: no eigenvalue of a symmetric 3x3 matrix exceeds the mean
// of the three by more than sqrt(2/3) of the deviator's Frobenius norm (reached where the other two are equal).
double largest_eigenvalue_bound(const Mat3& a);

}  // namespace sunder
