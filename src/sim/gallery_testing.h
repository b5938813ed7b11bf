#pragma once
// Built-in scenes, for tests that change and run them.

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "scene/read_scene.h"
#include "sim/gallery.h"

namespace sunder {

// With changes as of --set.
inline Scene gallery_scene(const std::string& name, std::vector<std::string> changes = {}) {
  const GalleryScene* scene = find_gallery_scene(name);
  if (scene == nullptr) throw std::runtime_error("the gallery has no " + name);
  return read_scene({scene->text, name + ".toml", {}, name}, {.overrides = std::move(changes)});
}

}  // namespace sunder
