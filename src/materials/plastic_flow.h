#pragma once
// How metal and clay yield: von Mises plasticity with linear hardening, up to a limit.
//
// The deformation F = Fe Fp: first the rest shape flows by Fp, which keeps volume, then it is stretched by Fe, and only
// that costs energy. Stress is the isotropic law of OH99 for Fe (stress_model.h): S = lambda tr(E) I + 2 mu E with
// E = (Ce - I)/2 and Ce = Fe^T Fe. What yields is the deviator of the Mandel stress M = Ce S, which has the eigenvalues
// of Kirchhoff's, the true stress times the change of volume:
//
//   q = sqrt(3/2) |dev M|  <=  yield_stress + hardening a                          a: equivalent plastic strain
//
// Where q is more, Fe flows back towards a mere change of volume. With Q the axes of Ce, h_i = 1/2 ln of its
// eigenvalues (true strains) and d_i = h_i - mean(h),
//
//   Fe' = Fe A,  Fp' = A^-1 Fp,  A = Q diag(exp((r - 1) d_i)) Q^T,  da = (1 - r) sqrt(2/3) |d|,
//
// with r in [0, 1] such that q is what the material bears after it. So pressure alone never lets anything flow, and a
// bar that is pulled bears the true stress yield_stress + hardening a, a = ln(stretch) less its elastic part.
//
// O'Brien, Bargteil & Hodgins (2002) add plastic strain to Green's instead: E = Ee + Ep. That is the same while strains
// are small. At large ones a trace-free Ep does not keep volume (it lets a bar pulled to 1.4 of its length lose a
// quarter of its volume) and the stress of yielding grows with the stretch; F = Fe Fp has neither fault and costs no
// more: the rest shape of a tet is all that changes.
//
// At the limit of `a` a material is elastic again, with the rest shape it has then: its stress goes on growing until it
// breaks. That is how a sheet that cannot break while it flows tears in the end.

#include "core/vec.h"
#include "materials/material.h"

namespace sunder {

class PlasticFlow {
 public:
  // Only for a material with a yield stress.
  explicit PlasticFlow(const Material& material) : m_(material) {}

  // Whether an element of elastic deformation Ce bears less than it would have to, after the plastic strain `strain`.
  bool yields(const Mat3& elastic_square, double strain) const;

  struct Step {
    Mat3 back = Mat3::Identity();  // A: Fe' = Fe A; symmetric, its determinant is 1
    double strain = 0;             // da, 0: nothing flows
  };
  // What flows.
  Step flow(const Mat3& elastic_square, double strain) const;

  double equivalent_stress(const Mat3& elastic_square) const;  // q, Pa
  double energy_density(const Mat3& elastic_square) const;     // J/m^3

 private:
  double bears(double strain) const { return m_.yield_stress + m_.hardening * strain; }  // Pa
  double equivalent_stress_square(const Mat3& elastic_square) const;
  bool flow_a_little(const Mat3& elastic_square, double strain, Step& step) const;
  Step flow_far(const Mat3& elastic_square, double strain) const;
  double least_share(double strain, double whole) const;

  Material m_;
};

}  // namespace sunder
