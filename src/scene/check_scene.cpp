#include "scene/check_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "core/rotation.h"
#include "core/suggest.h"

namespace sunder {
namespace {

std::string element(const char* list, std::size_t index) { return fmt::format("{}[{}]", list, index); }

template <class Spec>
void check_names_differ(const Scene& scene, const char* list, const std::vector<Spec>& specs) {
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < specs.size(); ++i) {
    const auto [earlier, is_new] = first.emplace(specs[i].name, i);
    if (is_new) continue;
    throw InputError(
        scene.place(element(list, i) + ".name"),
        fmt::format("`{}` is called `{}`, like `{}`", element(list, i), specs[i].name, element(list, earlier->second)),
        "give it a `name` of its own");
  }
}

// Rounded up to two digits.
double rounded_up(double x) {
  const double digit = std::pow(10.0, std::floor(std::log10(x)) - 1);
  return std::ceil(x / digit) * digit;
}

void check_size(const Scene& scene, std::size_t index) {
  const BodySpec& body = scene.bodies[index];
  if (std::holds_alternative<FileShape>(body.shape)) return;
  const double tets = estimated_tets(body.shape, body.edge, body.layers);
  if (tets <= kMostTets) return;
  double fits = rounded_up(body.edge * std::cbrt(tets / kMostTets));
  // Narrow places or many layers may keep the count up whatever the edge.
  const double longest = 1e6 * fits;
  while (fits < longest && estimated_tets(body.shape, fits, body.layers) > kMostTets) fits = rounded_up(1.05 * fits);
  throw InputError(
      scene.place(element("body", index) + ".edge"),
      fmt::format("`{}` would have about {:.3g} million tetrahedra with edge = {} m; the limit is {} million",
                  body.name, tets / 1e6, body.edge, kMostTets / 1e6),
      fits < longest ? fmt::format("edge = {:.2g} would fit", fits) : "no edge fits: make the shape less slender");
}

void check_region(const Scene& scene, std::size_t index) {
  const RegionSpec& region = scene.regions[index];
  const std::string path = element("region", index);
  if (!region.body.empty()) {
    std::vector<std::string> names;
    for (const BodySpec& body : scene.bodies) names.push_back(body.name);
    if (std::find(names.begin(), names.end(), region.body) == names.end()) {
      throw InputError(scene.place(path + ".body"), fmt::format("there is no body `{}`", region.body),
                       suggestion(region.body, names));
    }
  }
  if (const auto* box = std::get_if<BoxSelection>(&region.where); box != nullptr) {
    for (int axis = 0; axis < 3; ++axis) {
      if (box->min[axis] <= box->max[axis]) continue;
      throw InputError(
          scene.place(path + ".where.max"),
          fmt::format("`max` is below `min` along {}: {} < {}", "xyz"[axis], box -> max[axis], box -> min[axis]),
          "exchange them");
    }
  }
  if (region.end && !(*region.end > region.start)) {
    throw InputError(scene.place(path + ".end"),
                     fmt::format("`end` = {} s is not after `start` = {} s", *region.end, region.start));
  }
}

void check_rope(const Scene& scene, std::size_t index) {
  const ColliderSpec& collider = scene.colliders[index];
  if (!collider.rope) return;
  const Rope& rope = *collider.rope;
  const std::string path = element("collider", index) + ".rope";
  const double distance =
      (collider.position + rotation_matrix(collider.rotation) * rope.attach - rope.point).stableNorm();
  if (!rope.length && !(distance > 1e-6)) {
    throw InputError(scene.place(path),
                     fmt::format("the rope of `{}` has no length: it is tied to its own end", collider.name),
                     "move `point`, or give it a `length`");
  }
  if (rope.length && distance > *rope.length * (1 + 1e-9)) {
    throw InputError(scene.place(path + ".length"),
                     fmt::format("the rope of `{}` is {} m long, but its ends are {:.6g} m apart at the start",
                                 collider.name, *rope.length, distance),
                     "make it longer, or `auto`");
  }
}

void check_collider(const Scene& scene, std::size_t index) {
  const ColliderSpec& collider = scene.colliders[index];
  const std::string path = element("collider", index);
  if (const auto* capsule = std::get_if<CapsuleCollider>(&collider.shape);
      capsule != nullptr && capsule->height < 2 * capsule->radius) {
    throw InputError(scene.place(path + ".shape.height"),
                     fmt::format("a capsule of radius {} m is at least {} m high, round ends included", capsule->radius,
                                 2 * capsule->radius),
                     "raise `height` or lower `radius`");
  }
  if (collider.motion == ColliderMotion::dynamic) {
    if (std::holds_alternative<PlaneCollider>(collider.shape)) {
      throw InputError(scene.place(path + ".motion"), "a plane has no end, and so no mass: it cannot be dynamic",
                       "take a large box, or `motion` static or kinematic");
    }
    if (collider.mass.has_value() == collider.density.has_value()) {
      throw InputError(scene.place(path + (collider.mass ? ".density" : ".motion")),
                       collider.mass
                           ? fmt::format("`{}` has both `mass` and `density`", collider.name)
                           : fmt::format("`{}` is dynamic, but has neither `mass` nor `density`", collider.name),
                       collider.mass ? "leave one of them out" : "add one of them, for example density = 7800");
    }
  }
  if (collider.motion == ColliderMotion::kinematic && collider.keyframes.empty()) {
    throw InputError(scene.place(path + ".keyframes"),
                     fmt::format("`{}` is kinematic without keyframes", collider.name),
                     "add keyframes = [{ time = 0, position = [0, 0, 0] }, ...]");
  }
  for (std::size_t k = 1; k < collider.keyframes.size(); ++k) {
    const double before = collider.keyframes[k - 1].time, time = collider.keyframes[k].time;
    if (time > before) continue;
    throw InputError(scene.place(fmt::format("{}.keyframes[{}].time", path, k)),
                     fmt::format("keyframe {} of `{}` is at {} s, not after the {} s of the one before", k,
                                 collider.name, time, before),
                     "put the keyframes in the order of time");
  }
  check_rope(scene, index);
}

void check_paint(const Scene& scene, std::size_t index) {
  const std::string& on = scene.paints[index].on;
  std::vector<std::string> names;
  for (const BodySpec& body : scene.bodies) {
    names.push_back(body.name);
    names.push_back(body.material_name);
  }
  for (const ColliderSpec& collider : scene.colliders) names.push_back(collider.name);
  if (std::find(names.begin(), names.end(), on) != names.end()) return;
  throw InputError(scene.place(element("paint", index) + ".on"),
                   fmt::format("there is no body, collider or material `{}` to paint", on), suggestion(on, names));
}

void check_camera(const Scene& scene, std::size_t index) {
  const CameraSpec& camera = scene.cameras[index];
  if ((camera.position - camera.target).norm() > 1e-6) return;
  throw InputError(scene.place(element("camera", index) + ".position"),
                   fmt::format("camera `{}` stands where it looks at", camera.name), "move `position` or `target`");
}

}  // namespace

void check_scene(const Scene& scene) {
  if (scene.bodies.empty()) {
    throw InputError(scene.place("body"), "the scene has no body", "add a [[body]] with `shape` and `material`");
  }
  const double frames = scene.duration * scene.fps;
  if (frames > kMostFrames) {
    throw InputError(scene.place(scene.places.contains("duration") ? "duration" : "fps"),
                     fmt::format("duration * fps = {:.3g} frames; the limit is {:.0f}", frames, kMostFrames),
                     "shorten `duration` or lower `fps`");
  }
  check_names_differ(scene, "body", scene.bodies);
  check_names_differ(scene, "collider", scene.colliders);
  check_names_differ(scene, "region", scene.regions);
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) check_size(scene, i);
  for (std::size_t i = 0; i < scene.colliders.size(); ++i) check_collider(scene, i);
  for (std::size_t i = 0; i < scene.regions.size(); ++i) check_region(scene, i);
  check_names_differ(scene, "camera", scene.cameras);
  for (std::size_t i = 0; i < scene.paints.size(); ++i) check_paint(scene, i);
  for (std::size_t i = 0; i < scene.cameras.size(); ++i) check_camera(scene, i);
}

}  // namespace sunder
