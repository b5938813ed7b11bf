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

}  // namespace sunder
