#pragma once
// The moment between two frames, for slow motion.

#include "frame/frame.h"

namespace sunder::render {

// `share` runs from 0 (a) to 1 (b). Bodies that did not change in between follow the cubic that has the positions and
// velocities of both frames; if something broke, the nearer frame flies on with its velocities.
Frame frame_between(const Frame& a, const Frame& b, double share);

}  // namespace sunder::render
