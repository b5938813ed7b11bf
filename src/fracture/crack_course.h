#pragma once
// How much a crack keeps to its course. Residual propagation (Iben & O'Brien 2006, (8)) adds alpha (v+ - toughness)
// along the crack's normal to the separation tensor of its tips: the more a node was overloaded, the straighter the
// crack runs on. Where time is stepped as finely as here, nodes fail as soon as they are overloaded, v+ - toughness is
// a few hundredths of the toughness, and alpha would count for nothing. So alpha decides on the course itself: the
// plane that stress and material choose at a tip, with the normal m, is turned towards that of the crack, with the
// normal n. The tip opens across the plane whose normal is the first axis of
//   (1 - alpha) m m^T + alpha n n^T
// 0 is the plane of the stress, as in the 1999 paper, 1 the crack's own, 1/2 halfway. Whether the tip fails is decided
// by its separation as before.
//
// The same holds for nodes on the flanks of the crack beside a tip. The tets between a node that has just been split
// and the front are still under tension, so its twins are about to fail again, across a plane of their own: the crack
// would turn there, or fork. At alpha = 1 that plane is the crack's, all tets of a twin lie on one side of it, and the
// split is refused; once the tip has gone on, the flank is as free as any other surface.

#include "core/vec.h"
#include "fracture/separation_tensor.h"

namespace sunder {

inline Vec3 crack_course(const Vec3& chosen, const Vec3& of_crack, double alpha) {
  return largest_separation((1 - alpha) * chosen * chosen.transpose() + alpha * of_crack * of_crack.transpose()).normal;
}

}  // namespace sunder
