#include "scene/scene.h"

#include <algorithm>

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

bool Scene::has_lattices() const {
  return std::any_of(bodies.begin(), bodies.end(), [](const BodySpec& body) { return body.is_lattice(); });
}

bool Scene::is_mixed() const {
  return std::any_of(bodies.begin(), bodies.end(),
                     [&](const BodySpec& body) { return body.solver != bodies[0].solver; });
}

void copy_places(const std::map<std::string, Place>& from, const std::string& old_path, const std::string& new_path,
                 std::map<std::string, Place>& to) {
  for (auto i = from.lower_bound(old_path); i != from.end() && i->first.starts_with(old_path); ++i) {
    to[new_path + i->first.substr(old_path.size())] = i->second;
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
