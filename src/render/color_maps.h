#pragma once
// Colours that stand for numbers.

#include <cstdint>

#include "render/light_types.h"

namespace sunder::render {

Color fragment_color(std::uint32_t fragment);  // neighbours in number look different
Color stress_color(double share);              // -1 pressure: blue, 0: near white, 1 tension: red
Color age_color(double share);                 // 0 new: bright yellow, 1 old: dark violet

// A colour given as sRGB numbers from 0 to 1, as people write them.
Color from_srgb(float red, float green, float blue);

}  // namespace sunder::render
