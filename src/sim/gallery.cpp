#include "sim/gallery.h"

#include <vector>

namespace sunder {

std::span<const GalleryScene> gallery() {
  static const std::vector<GalleryScene> scenes = {
#include "gallery_scenes.inc"
  };
  return scenes;
}

const GalleryScene* find_gallery_scene(std::string_view name) {
  for (const GalleryScene& scene : gallery()) {
    if (scene.name == name) return &scene;
  }
  return nullptr;
}

}  // namespace sunder
