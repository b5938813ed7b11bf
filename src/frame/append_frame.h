#pragma once
// Two moments become one: what solvers of different methods tell of their bodies, in one frame.

#include "frame/frame.h"

namespace sunder {

// Puts the nodes and elements of `part` behind those of `all`; time and number stay. Elements must come in the order
// of frames, tetrahedra before hexahedra. Uids and numbers of bodies and fragments must differ already. A column that
// only one of the two has is zero for the other, and a node of no lattice is not turned.
void append_frame(Frame& all, const Frame& part);

}  // namespace sunder
