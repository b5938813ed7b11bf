#pragma once
// The scenes that are built into the program (scenes/*.toml).

#include <span>
#include <string>
#include <string_view>

namespace sunder {

struct GalleryScene {
  std::string name;
  std::string text;  // TOML
};

std::span<const GalleryScene> gallery();
const GalleryScene* find_gallery_scene(std::string_view name);  // null if there is none

}  // namespace sunder
