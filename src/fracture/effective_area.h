#pragma once
// The area that a node stands for on a plane through it: what turns its separation, a force, into a stress that can be
// compared with a material's strength, whatever the size of the elements.
//
// Under the uniaxial stress s n n^T the separation is s A(n), exactly, with
//   A(n) = 1/2 ( sum v |g . n| - | sum v g . n | )
// over the tets round the node, v their volumes and g the gradients of the node's shape function, in the world; v g is
// a third of the area of the face opposite the node, pointing inward. Under stress in several directions the separation
// is 0.7 to 1 of that.
//
// Where a plane hardly meets the star (along a free face, at a corner), A vanishes and with it the stress that could be
// there; what is left would be noise over nothing. So A counts as no less than a share of all the faces round the node,
// as they were in the material. And as a mean over the star cannot exceed all it is the mean of, a node fails only
// where some tet round it is stretched to nearly what the node bears (kLeastStretch): that is part of the criterion,
// and lets nodes in calmer places skip the check.

#include <span>

#include "core/vec.h"

namespace sunder {

// Of sum |v g| in the material. In regular stars A is 0.25 of it for all planes that count.
inline constexpr double kLeastAreaShare = 0.1;

// Of what a node bears, Pa: no tet round it stretched so far, no failure. Stretch is that of
// fracture/separation_bound.h, which is not below the largest principal stress.
inline constexpr double kLeastStretch = 0.8;

// m^2. `scaled_gradients` are v g of the star's tets in the world, `sum_of_areas` is sum |v g| in the material.
double effective_area(std::span<const Vec3> scaled_gradients, const Vec3& normal, double sum_of_areas);

// Never above effective_area(), whatever the plane and the deformation.
inline double least_effective_area(double sum_of_areas) { return kLeastAreaShare * sum_of_areas; }

}  // namespace sunder
