#include "apps/cli/find_scene.h"

#include <fmt/format.h>

#include <filesystem>

#include "core/suggest.h"
#include "sim/gallery.h"

namespace sunder::cli {

SceneSource find_scene(const std::string& scene) {
  if (std::filesystem::path(scene).extension() == ".toml" || std::filesystem::is_regular_file(scene)) {
    return scene_source(scene);
  }
  if (const GalleryScene* built_in = find_gallery_scene(scene)) {
    return {built_in->text, "gallery:" + scene, {}, scene};
  }
  std::vector<std::string> names;
  for (const GalleryScene& s : gallery()) names.push_back(s.name);
  throw UsageError(
      fmt::format("`{}` is neither a file nor a scene of the gallery; {}", scene, suggestion(scene, names)));
}

}  // namespace sunder::cli
