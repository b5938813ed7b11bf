#pragma once
// What keeps crushed elements from collapsing and turning inside out.
//
// St. Venant-Kirchhoff stress fades away under strong compression: an element pressed below about 30 % of its volume
// (OH99 3.2) resists less and less, and inside out it is at rest again. Below that share a pressure sets in that grows
// with the lost volume and goes on growing through zero, so that an inverted element is pushed back:
//
//   W_b(J) = modulus J0/3 (1 - J/J0)^3,   dW_b/dJ = -modulus (1 - J/J0)^2,   J = det F < J0
//
// Twice continuously differentiable at J0, where it is zero: nothing changes for elements that are not crushed.

#include "core/vec.h"

namespace sunder {

struct CrushBarrier {
  double modulus = 0;         // Pa, the pressure at zero volume; 0: no barrier
  double volume_share = 0.3;  // J0

  bool acts(double j) const { return j < volume_share && modulus > 0; }
  double energy_density(double j) const {  // J/m^3
    const double x = 1 - j / volume_share;
    return modulus * volume_share / 3 * x * x * x;
  }
  double slope(double j) const {  // dW/dJ, Pa
    const double x = 1 - j / volume_share;
    return -modulus * x * x;
  }
  double curvature(double j) const { return 2 * modulus / volume_share * (1 - j / volume_share); }  // d2W/dJ2
};

// dJ/dF: the columns are the cross products of F's other two columns.
Mat3 cofactor(const Mat3& f);

// d cofactor / dt when F changes by `rate`.
Mat3 cofactor_rate(const Mat3& f, const Mat3& rate);

}  // namespace sunder
