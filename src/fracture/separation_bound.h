#pragma once
// A bound on the separation tensor's largest eigenvalue that costs next to nothing and is never below it: nodes whose
// bound stays under their toughness need no tensor, and decisions are those of the full check, bit by bit.
//
// Per tet, from what the force evaluation has at hand: s_e >= |F| lambda+(S), `tensile_stretch`.
// Per corner of a tet: w_ei = vol |grad b_i|, a third of the area of the opposite face (m^2, material).
// Per node, one of three ways:
//   pull:  eigenvalue <= 1/2 sum_e min(s_e w_ei, |F| |S vol grad b_i|)  (a sum over the star; half of the next, where
//          the stress has one direction)
//   sum:   eigenvalue <= 1/2 sum_e s_e w_ei
//   limit: no tet of the star has s_e >= 2 toughness / sum_e w_ei  =>  eigenvalue < toughness
// The last keeps one number a node, or the smallest of its corners' a tet: one comparison for each tet, and the star
// is looked at only where it fails.
//
// Proof. Let f+_e, f-_e be the forces at the node, f+ and f- their sums. m(f) has the eigenvalue |f| and no negative
// one, so lambda(sum m(f+_e)) <= sum |f+_e| and -m(f+) <= 0; what `Compression::negative_part` adds is <= 0. Hence
//   lambda(zeta) <= 1/2 sum |f+_e|,  |f+_e| = vol |F S+ grad b| <= |F| lambda+(S) vol |grad b|,
// and |S+ a| <= |S a| for any a, since S^2 - (S+)^2 = (S-)^2 has no negative eigenvalue.
// As printed there is also m(f-) - sum m(f-_e) - m(f+) <= m(f-) - m(f+). m is even and 2/sqrt(3)-Lipschitz: with
// a = |a| u, m(a) = |a| u u^T turns u at most at the rate |da| across, which gives dm = cos(t) u u^T + sin(t) (u q^T +
// q u^T) for da = cos(t) u + sin(t) q; its eigenvalues are (cos t +- sqrt(cos^2 t + 4 sin^2 t)) / 2, at most 2/sqrt(3)
// (at cos t = 1/sqrt(3)). So m(f-) - m(-f+) <= 2/sqrt(3) |f- + f+|, where f- + f+ is the net elastic force:
//   lambda(zeta) <= 1/2 ( sum |f+_e| + 2/sqrt(3) |f+ + f-| ).
// Round-off: the stress' parts, the sums and the eigenvalue are exact to some eps of |S|, so the bounds carry 1e-12 |S|
// on top of the positive part.

#include "core/vec.h"
#include "fracture/separation_tensor.h"

namespace sunder {

// s_e of a tet, Pa: |F| times a bound on the largest eigenvalue of the stress S that is not below zero.
double tensile_stretch(const Mat3& deformation, const Mat3& stress);

// The same where an upper bound of |F|^2 (largest eigenvalue of F^T F) is at hand.
double tensile_stretch(double deformation_square, const Mat3& stress);
double deformation_square_bound(const Mat3& deformation);

// Upper bound of the tensile force at a corner, N, from s_e, a bound of |F|, the stress and vol grad b.
double tensile_pull(double stretch, double deformation_norm, const Mat3& stress, const Vec3& scaled_gradient);

// Upper bound of the eigenvalue, N, from sum_e s_e w_ei or the sum of tensile_pull() and, as printed, the net elastic
// force of the elements.
double separation_bound(double sum_of_tensile, double net_force = 0,
                        Compression compression = Compression::negative_part);

// While every tet of a star keeps tensile_stretch() below this (Pa), the node's eigenvalue stays below `toughness` (N).
// `sum_of_areas` is sum_e w_ei (m^2). For Compression::negative_part.
double safe_tensile_stretch(double toughness, double sum_of_areas);

}  // namespace sunder
