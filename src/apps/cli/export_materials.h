#pragma once
// The paint of a scene's bodies as materials of exported files.

#include <functional>

#include "export/piece_materials.h"
#include "frame/frame.h"
#include "scene/scene.h"

namespace sunder::cli {

// Pictures go along where a body has texture coordinates, which its frame tells; what stays behind is told on stderr.
PieceMaterials export_materials(const Scene& scene, const std::function<Frame()>& frame);

}  // namespace sunder::cli
