#pragma once
// Colour and shading of weathered surfaces.

#include "render/paint.h"

namespace sunder::render {

// What the paint's colour is multiplied with at a point in material coordinates.
float weathered_shade(const Weathering& weathering, const Vec3f& point);

// The normal leans with the bumps. `normal` is one long, and so is what comes back; bumps are flat along it.
Vec3f weathered_normal(const Weathering& weathering, const Vec3f& point, const Vec3f& normal);

}  // namespace sunder::render
