#pragma once
// Weakness as an artist paints it: a number at every vertex of a surface, or at every point of a volume.

#include "core/error.h"
#include "fracture/toughness_field.h"
#include "scene/scene.h"

namespace sunder {

// The number at a point of the body is that of the surface's nearest point, so inside it goes on as it is on the
// surface; of a volume (.vtu) it is interpolated in the tet that holds the point, and beyond all tets as for the
// surface. InputError if the file has no such number, with the pattern's place in the scene.
ToughnessPattern painted_pattern(const PaintedPattern& spec, const BodySpec& body, const Place& place);

}  // namespace sunder
