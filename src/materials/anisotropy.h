#pragma once
// Elasticity that depends on direction: S = C E with any symmetric, positive definite C.

#include <array>

#include "core/vec.h"

namespace sunder {

// The 21 constants, Pa: the upper triangle of the 6x6 matrix C, row by row, in Voigt's order xx, yy, zz, yz, xz, xy and
// with engineering shears, S_yz = ... + C44 2 E_yz, as handbooks print it.
//
//   C11 C12 C13 C14 C15 C16,  C22 C23 C24 C25 C26,  C33 C34 C35 C36,  C44 C45 C46,  C55 C56,  C66
struct Anisotropy {
  std::array<double, 21> stiffness{};
  Vec3 axes = Vec3::Zero();  // how the material's axes lie in the body: turned about x, then y, then z, degrees

  friend bool operator==(const Anisotropy& a, const Anisotropy& b) {
    return a.stiffness == b.stiffness && a.axes == b.axes;
  }
};

// Three planes of symmetry, as wood and rolled sheet have them: 1, 2, 3 are the material's x, y, z. nu_ij is the
// contraction along j when it is pulled along i; nu_ji follows, nu_ij / E_i = nu_ji / E_j.
struct Orthotropy {
  Vec3 young;    // E1, E2, E3, Pa
  Vec3 poisson;  // nu12, nu23, nu31
  Vec3 shear;    // G12, G23, G31, Pa
};

using VoigtMatrix = Eigen::Matrix<double, 6, 6>;

VoigtMatrix voigt_matrix(const std::array<double, 21>& constants);
std::array<double, 21> constants_of(const VoigtMatrix& matrix);  // of its upper triangle

// 1/Pa: E_11 = S_11 / E1 - nu21 / E2 S_22 - ..., the inverse of C.
VoigtMatrix compliance(const Orthotropy& orthotropy);

// The smallest, as tensors have it (off-diagonal components counted sqrt 2 on both sides). C must have none below zero,
// or the solid would collapse.
double smallest_eigenvalue(const VoigtMatrix& stiffness);

// The same of a compliance.
double smallest_compliance(const VoigtMatrix& compliance);

// The isotropic material that is nearest (Voigt's mean over all directions): lambda, mu, Pa.
struct MeanModuli {
  double lambda, mu;
};
MeanModuli mean_moduli(const VoigtMatrix& stiffness);

}  // namespace sunder
