#pragma once
// Bodies that are given once and stand there many times: walls of bricks, stacks, heaps to be poured.

#include "scene/scene.h"

namespace sunder {

// Puts every body with `copies` into the scene that many times, in the order x, then z, then y, and as one copy each.
// A body called `brick` becomes `brick-1`, `brick-2`, ...; paints, regions and toughness of `brick` go to all of them.
// Scatter and tumble are drawn from the scene's seed.
void expand_copies(Scene& scene);

}  // namespace sunder
