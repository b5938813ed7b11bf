#include "scene/method_scenes.h"

#include <fmt/format.h>

#include <algorithm>

namespace sunder {
namespace {

// Leaves those of the list that `keep(spec)` holds, with their places.
template <class Spec, class Keep>
void keep_some(const char* list, const Scene& whole, Scene& scene, std::vector<Spec>& specs, const Keep& keep) {
  std::vector<Spec> kept;
  std::erase_if(scene.places, [&](const auto& entry) { return entry.first.starts_with(fmt::format("{}[", list)); });
  for (std::size_t i = 0; i < specs.size(); ++i) {
    if (!keep(specs[i])) continue;
    copy_places(whole.places, fmt::format("{}[{}]", list, i), fmt::format("{}[{}]", list, kept.size()), scene.places);
    kept.push_back(specs[i]);
  }
  specs = std::move(kept);
}

MethodScene scene_of(const Scene& whole, std::string_view solver) {
  MethodScene method{std::string(solver), whole, {}};
  Scene& scene = method.scene;
  keep_some("body", whole, scene, scene.bodies, [&](const BodySpec& body) { return body.solver == solver; });
  for (std::size_t b = 0; b < whole.bodies.size(); ++b) {
    if (whole.bodies[b].solver == solver) method.bodies.push_back(static_cast<std::uint32_t>(b));
  }
  const auto is_here = [&](const auto& spec) {
    return spec.body.empty() || std::any_of(scene.bodies.begin(), scene.bodies.end(),
                                            [&](const BodySpec& body) { return body.name == spec.body; });
  };
  keep_some("region", whole, scene, scene.regions, is_here);
  keep_some("toughness", whole, scene, scene.toughness, is_here);
  keep_some("dust", whole, scene, scene.dust, is_here);
  return method;
}

}  // namespace

std::vector<MethodScene> method_scenes(const Scene& scene) {
  std::vector<MethodScene> methods;
  for (const std::string_view solver : {kTetSolver, kLatticeSolver, kSurfaceSolver}) {
    MethodScene method = scene_of(scene, solver);
    if (!method.bodies.empty()) methods.push_back(std::move(method));
  }
  return methods;
}

}  // namespace sunder
