#pragma once
// How much a crack keeps to its course. Residual propagation (Iben & O'Brien 2006, (8)) adds alpha (v+ - toughness)
// along the crack's normal to the separation tensor of its tips: the more a node was overloaded, the straighter the
// crack runs on. Where time is stepped as finely as here, nodes fail as soon as they are overloaded, v+ - toughness is
// a few hundredths of the toughness, and alpha would count for nothing. So alpha decides on the course itself: of the
// separation at a tip, the share alpha is taken to act across the crack's plane, whatever its own directions are,
//   zeta' = (1 - alpha) zeta + alpha v+ n n^T
// and the tip opens across the plane that zeta' separates most. 0 is the plane of the stress alone, as in the 1999
// paper, 1 the crack's own. Whether the tip fails is decided by zeta and the residual as before.

#include "core/vec.h"
#include "fracture/resistance.h"
#include "fracture/separation_tensor.h"

namespace sunder {

// The normal of the plane that a tip opens across. `separation` is zeta's, `before` the unit normal of the crack that
// the tip ends; `planes` are those of the tip, if they are not all alike.
inline Vec3 crack_course(const Mat3& zeta, double separation, const Vec3& before, double alpha,
                         const PlaneFactors* planes) {
  const Mat3 kept = (1 - alpha) * zeta + alpha * separation * before * before.transpose();
  return (planes != nullptr ? weakest_separation(kept, *planes) : largest_separation(kept)).normal;
}

}  // namespace sunder
