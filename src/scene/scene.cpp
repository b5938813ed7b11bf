#include "scene/scene.h"

namespace sunder {

Place Scene::place(const std::string& key) const {
  std::string table = key;
  while (true) {
    if (const auto found = places.find(table); found != places.end()) return found->second;
    if (table.empty()) return {};
    const std::size_t cut = table.find_last_of(".[");
    table.resize(cut == std::string::npos ? 0 : cut);
  }
}

bool has_surfaces(const PatternSpec& pattern) {
  return std::visit(
      [](const auto& p) {
        using P = std::decay_t<decltype(p)>;
        return std::is_same_v<P, BricksPattern> || std::is_same_v<P, PlanePattern> || std::is_same_v<P, GridPattern> ||
               std::is_same_v<P, VoronoiPattern> || std::is_same_v<P, SurfacePattern> ||
               std::is_same_v<P, JointPattern>;
      },
      pattern);
}

}  // namespace sunder
