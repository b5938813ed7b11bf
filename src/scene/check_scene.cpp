#include "scene/check_scene.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <utility>

#include "core/rotation.h"
#include "core/suggest.h"
#include "scene/toml_tree.h"
#include "shapes/assembly.h"

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
  const std::uint32_t layers = body.is_surface() ? 1 : body.layers;
  const double tets = estimated_tets(body.shape, body.edge, layers);
  if (tets <= kMostTets) return;
  double fits = rounded_up(body.edge * std::cbrt(tets / kMostTets));
  // Narrow places or many layers may keep the count up whatever the edge.
  const double longest = 1e6 * fits;
  while (fits < longest && estimated_tets(body.shape, fits, layers) > kMostTets) fits = rounded_up(1.05 * fits);
  throw InputError(
      scene.place(element("body", index) + ".edge"),
      fmt::format("`{}` would have about {:.3g} million {} with edge = {} m; the limit is {} million", body.name,
                  tets / 1e6, is_solid(body.shape) ? "tetrahedra" : "triangles", body.edge, kMostTets / 1e6),
      fits < longest ? fmt::format("edge = {:.2g} would fit", fits) : "no edge fits: make the shape less slender");
}

// `path` is the table that names the body.
void check_body_name(const Scene& scene, const std::string& path, const std::string& name) {
  if (name.empty()) return;
  std::vector<std::string> names;
  for (const BodySpec& body : scene.bodies) names.push_back(body.name);
  if (std::find(names.begin(), names.end(), name) != names.end()) return;
  throw InputError(scene.place(path + ".body"), fmt::format("there is no body `{}`", name), suggestion(name, names));
}

void check_selection(const Scene& scene, const std::string& path, const Selection& where) {
  const auto* box = std::get_if<BoxSelection>(&where);
  if (box == nullptr) return;
  for (int axis = 0; axis < 3; ++axis) {
    if (box->min[axis] <= box->max[axis]) continue;
    throw InputError(
        scene.place(path + ".where.max"),
        fmt::format("`max` is below `min` along {}: {} < {}", "xyz"[axis], box -> max[axis], box -> min[axis]),
        "exchange them");
  }
}

template <class Keyframe>
void check_keyframes(const Scene& scene, const std::string& path, const std::string& name, const char* key,
                     const std::vector<Keyframe>& keyframes) {
  for (std::size_t k = 1; k < keyframes.size(); ++k) {
    if (keyframes[k].time > keyframes[k - 1].time) continue;
    throw InputError(scene.place(fmt::format("{}.{}[{}].time", path, key, k)),
                     fmt::format("keyframe {} of `{}` is at {} s, not after the {} s of the one before", k, name,
                                 keyframes[k].time, keyframes[k - 1].time),
                     "put the keyframes in the order of time");
  }
}

void check_joint(const Scene& scene, const std::string& path, const JointPattern& joint, const BodySpec& body) {
  const auto assembly = assembly_of(body.shape);
  if (!assembly) {
    throw InputError(scene.place(path + ".pattern"), fmt::format("`{}` has no parts that could be joined", body.name),
                     "a joint needs a `union`, goblet or teapot: name such a body");
  }
  std::vector<std::string> names;
  for (const UnionPart& part : assembly->parts) names.push_back(part.name);
  for (const auto& [key, part] : {std::pair{"first", joint.first}, std::pair{"second", joint.second}}) {
    if (std::find(names.begin(), names.end(), part) != names.end()) continue;
    throw InputError(scene.place(fmt::format("{}.pattern.{}", path, key)),
                     fmt::format("`{}` has no part {}", body.name, excerpt(part)), suggestion(part, names));
  }
  if (joint.first == joint.second) {
    throw InputError(scene.place(path + ".pattern.second"), "a part is not joined to itself", suggestion("", names));
  }
}

void check_toughness(const Scene& scene, std::size_t index) {
  const ToughnessSpec& toughness = scene.toughness[index];
  const std::string path = element("toughness", index);
  check_body_name(scene, path, toughness.body);
  check_selection(scene, path, toughness.where);
  check_keyframes(scene, path, toughness.name, "keyframes", toughness.keyframes);
  if (const auto* grid = std::get_if<GridPattern>(&toughness.pattern); grid != nullptr && grid->spacing.isZero(0)) {
    throw InputError(scene.place(path + ".pattern.spacing"), "a grid of no lines: all three spacings are 0",
                     "give the distance of the lines along x, y or z, m");
  }
  for (const BodySpec& body : scene.bodies) {
    if (!toughness.body.empty() && toughness.body != body.name) continue;
    if (const auto* joint = std::get_if<JointPattern>(&toughness.pattern)) check_joint(scene, path, *joint, body);
    const auto* painted = std::get_if<PaintedPattern>(&toughness.pattern);
    if (painted != nullptr && painted->path.empty() && !std::holds_alternative<FileShape>(body.shape)) {
      throw InputError(scene.place(path + ".pattern"), fmt::format("`{}` is no file that could be painted", body.name),
                       "give the `path` of a painted surface");
    }
  }
}

void check_region(const Scene& scene, std::size_t index) {
  const RegionSpec& region = scene.regions[index];
  const std::string path = element("region", index);
  check_body_name(scene, path, region.body);
  check_selection(scene, path, region.where);
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
  check_keyframes(scene, path, collider.name, "keyframes", collider.keyframes);
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

void check_debris(const Scene& scene) {
  const DebrisRules& debris = scene.debris;
  if (debris.outside != DebrisAction::keep && !debris.lowest && !debris.farthest) {
    throw InputError(scene.place("debris.outside"), "nothing says where the world ends",
                     "give `lowest` (m), `farthest` (m) or both");
  }
  if (debris.small != DebrisAction::keep && !(debris.smallest > 0)) {
    throw InputError(scene.place("debris.small"), "nothing says which pieces are small",
                     "give `smallest`, the edge of a cube of as much volume, m");
  }
  if (debris.small == DebrisAction::freeze && !scene.contact.sleep.on) {
    throw InputError(scene.place("debris.small"), "small pieces freeze when they sleep, but `contact.sleep` is false",
                     "let pieces sleep, or use \"remove\"");
  }
}

void check_dust(const Scene& scene, std::size_t index) {
  const std::string path = element("dust", index);
  check_body_name(scene, path, scene.dust[index].body);
  const DustRules& rules = scene.dust[index].rules;
  if (rules.smallest > rules.largest) {
    throw InputError(
        scene.place(path + ".smallest"),
        fmt::format("the smallest grains, {} m, are larger than the largest, {} m", rules.smallest, rules.largest),
        "give both `smallest` and `largest`");
  }
}

// What only tetrahedra heed.
void check_lattices(const Scene& scene) {
  const auto refuse = [&](const std::string& path, bool there, const char* what, const char* remedy) {
    if (there) throw InputError(scene.place(path), fmt::format("{} means nothing to lattices", what), remedy);
  };
  // A total force could not be shared out between two methods that know nothing of each other's nodes.
  for (std::size_t i = 0; i < scene.regions.size(); ++i) {
    if (!scene.is_mixed() || !scene.regions[i].body.empty()) continue;
    throw InputError(
        scene.place(element("region", i)),
        fmt::format("`{}` is for all bodies, and these are tetrahedra and lattices", scene.regions[i].name),
        "name the `body` it is for; two regions hold bodies of both kinds");
  }
  refuse("dust[0]", !scene.dust.empty(), "[[dust]]", "remove it");
  refuse("debris", scene.debris.on(), "[debris]", "remove it; pieces of lattices are kept");
  refuse("integrator", scene.integrator == Integrator::taylor2, "integrator taylor2",
         "use symplectic-euler, or forward-euler as in the paper");
  constexpr double kStiffest = 2;  // half the softest edge bond is 1
  if (scene.contact.on && scene.contact.stiffness > kStiffest) {
    throw InputError(scene.place("contact.stiffness"),
                     fmt::format("contact {} times as stiff as is usual is stiffer than the bonds of a lattice: what "
                                 "breaks would be pushed apart harder than it was held",
                                 scene.contact.stiffness),
                     "make `stiffness` 2 or less");
  }
  check_keyframes(scene, "lattice", "lattice", "control", scene.lattices.control);
}

// Solids and surfaces do not meet, and what moves and holds solids means nothing to surfaces.
void check_methods(const Scene& scene) {
  for (std::size_t i = 0; i < scene.bodies.size(); ++i) {
    const BodySpec& body = scene.bodies[i];
    try {
      if (!body.is_surface()) require_solid(body.shape);
    } catch (const InputError& error) {
      throw error.at(scene.place(element("body", i) + ".shape"));
    }
    if (body.is_surface() != scene.bodies[0].is_surface()) {
      throw InputError(scene.place(element("body", i) + ".solver"), "solids and surfaces are in one scene",
                       "make two scenes of it; tetrahedra and lattices may be in one");
    }
    if (!body.is_surface()) continue;
    const CoatSpec& coat = spec_of(body.coat);
    const std::string path = element("body", i) + ".coat";
    if (coat.load_to < coat.load_from) {
      throw InputError(scene.place(path + ".load_to"), "`load_to` is below `load_from`", "loads only rise");
    }
    const double steps = (coat.load_to - coat.load_from) / coat.load_step;
    if (steps > 1e4) {
      const bool high = coat.load_to > 10;
      throw InputError(scene.place(path + (high ? ".load_to" : ".load_step")),
                       fmt::format("the load would rise in {:.0f} steps; the limit is 10000", steps),
                       high ? "lower `load_to`: toughness is one, 1.35 is usual and 2 gives small cells"
                            : "make `load_step` larger");
    }
    if (!coat.substrate && coat.border == BorderRule::continued) {
      throw InputError(scene.place(path + ".substrate"), "a `continued` border needs the substrate beyond it",
                       "set `border` to free or fixed");
    }
    if (!coat.substrate && coat.length) {
      throw InputError(scene.place(path + ".length"), "`length` is that of the substrate, and there is none",
                       "remove it, or `substrate`");
    }
  }
  if (scene.has_lattices()) check_lattices(scene);
  if (!scene.bodies[0].is_surface()) return;
  const auto refuse = [&](const char* table, bool there) {
    if (!there) return;
    throw InputError(scene.place(fmt::format("{}[0]", table)), fmt::format("[[{}]] means nothing to surfaces", table),
                     "remove it; a `coat` has `border`, `held` and `painted`");
  };
  refuse("region", !scene.regions.empty());
  refuse("toughness", !scene.toughness.empty());
  refuse("dust", !scene.dust.empty());
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
  check_methods(scene);
  for (std::size_t i = 0; i < scene.colliders.size(); ++i) check_collider(scene, i);
  for (std::size_t i = 0; i < scene.regions.size(); ++i) check_region(scene, i);
  for (std::size_t i = 0; i < scene.toughness.size(); ++i) check_toughness(scene, i);
  check_debris(scene);
  for (std::size_t i = 0; i < scene.dust.size(); ++i) check_dust(scene, i);
  check_names_differ(scene, "camera", scene.cameras);
  for (std::size_t i = 0; i < scene.paints.size(); ++i) check_paint(scene, i);
  for (std::size_t i = 0; i < scene.cameras.size(); ++i) check_camera(scene, i);
}

}  // namespace sunder
