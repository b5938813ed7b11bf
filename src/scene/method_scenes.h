#pragma once
// A scene whose bodies are of several methods, as each of these sees it.

#include <cstdint>
#include <string>
#include <vector>

#include "scene/scene.h"

namespace sunder {

struct MethodScene {
  std::string solver;
  // The bodies of this method and what acts on them, numbered anew: so they are built alike, whatever else is there.
  Scene scene;
  std::vector<std::uint32_t> bodies;  // where they are in the whole scene
};

// One for each method that has bodies, those of tetrahedra first.
std::vector<MethodScene> method_scenes(const Scene& scene);

}  // namespace sunder
