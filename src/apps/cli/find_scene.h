#pragma once
// What SCENE means on the command line: a file, or else a name of the gallery.

#include <string>

#include "scene/read_scene.h"

namespace sunder::cli {

// UsageError, with a suggestion, if it is neither.
SceneSource find_scene(const std::string& scene);

}  // namespace sunder::cli
