#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "apps/cli/commands.h"
#include "scene/read_scene.h"
#include "scene/reference.h"
#include "sim/gallery.h"
#include "sim/run.h"

namespace sunder::cli {

ExitCode gallery_command(const GalleryOptions& options) {
  nlohmann::ordered_json list = nlohmann::ordered_json::array();
  for (const GalleryScene& entry : gallery()) {
    const Scene scene = read_scene({entry.text, "gallery:" + entry.name, {}, entry.name});
    if (options.json) {
      list.push_back({{"name", entry.name},
                      {"about", scene.about},
                      {"duration", scene.duration},
                      {"frames", frame_count(scene)},
                      {"bodies", scene.bodies.size()}});
    } else {
      fmt::print("{:<16} {}\n", entry.name, scene.about);
    }
  }
  if (options.json) fmt::print("{}\n", list.dump(2));
  return ExitCode::fine;
}

ExitCode reference_command() {
  fmt::print("{}", scene_reference());
  return ExitCode::fine;
}

}  // namespace sunder::cli
