#pragma once
// What no single key can check: names that must differ or exist, values that must fit each other, and sheer size.

#include "scene/scene.h"

namespace sunder {

inline constexpr double kMostFrames = 1e6;
inline constexpr double kMostTets = 50e6;  // in one body

// Throws InputError at the place of the key that is wrong. Names and edges must have been filled in.
void check_scene(const Scene& scene);

}  // namespace sunder
