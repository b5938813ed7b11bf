#pragma once
// Light -> picture: exposure, a filmic curve, sRGB.

#include "render/image_file.h"
#include "render/picture.h"

namespace sunder::render {

// Exposure in stops: 1 doubles the light.
Image tonemap(const Picture& picture, float exposure);

}  // namespace sunder::render
