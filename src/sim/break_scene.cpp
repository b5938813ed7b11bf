#include "sim/break_scene.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <span>
#include <stdexcept>
#include <string_view>

#include "core/error.h"
#include "core/rotation.h"
#include "core/suggest.h"
#include "scene/toml_tree.h"

namespace sunder {
namespace {

constexpr double kGravity = 9.81;  // m/s^2, the default of scenes
// Lengths in sizes of the model.
constexpr double kFilmedFall = 0.35;  // the film begins so far above what it falls onto
constexpr double kRail = 0.6;         // side of the bar whose edge, or the block whose corner, it falls onto
constexpr double kTable = 0.9;        // height of the table
constexpr double kRunUp = 0.4;        // from the striker to the model at the start

struct Unit {
  std::string_view name;
  double size;
};

// The model turned as wished: where its box is then.
struct Posed {
  Vec3 lower, upper;
  double height() const { return upper.y() - lower.y(); }
};

Posed posed(const ModelSurvey& model, const Vec3& tilt) {
  const Mat3 turn = rotation_matrix(tilt);
  Posed box{turn * model.points.front(), turn * model.points.front()};
  for (const Vec3& p : model.points) {
    const Vec3 x = turn * p;
    box.lower = box.lower.cwiseMin(x);
    box.upper = box.upper.cwiseMax(x);
  }
  return box;
}

std::string vec(const Vec3& v) { return fmt::format("[{:.6g}, {:.6g}, {:.6g}]", v.x(), v.y(), v.z()); }

// A comment ends with its line.
std::string one_line(std::string text) {
  std::replace_if(
      text.begin(), text.end(), [](char c) { return static_cast<unsigned char>(c) < ' '; }, ' ');
  return text;
}

const MaterialPreset& preset(const std::string& name) {
  if (const MaterialPreset* found = find_material_preset(name)) return *found;
  throw UsageError(fmt::format("--material {}: no such material; {}", name, suggestion(name, material_preset_names())));
}

std::string_view word(Pieces pieces) {
  constexpr std::array<std::string_view, 3> words = {"few", "some", "many"};
  return words[static_cast<std::size_t>(pieces)];
}

std::string material_text(const std::string& name, const Material& m) {
  std::string text = fmt::format("{{ preset = {}, lambda = {:.6g}, mu = {:.6g}, phi = {:.6g}, psi = {:.6g}, ",
                                 toml_text(name), m.lambda, m.mu, m.phi, m.psi);
  text += m.strength > 0 ? fmt::format("strength = {:.6g}, toughness_spread = {:.6g}", m.strength, m.toughness_spread)
                         : "toughness = 0";
  if (m.flows()) text += fmt::format(", yield_stress = {:.6g}, hardening = {:.6g}", m.yield_stress, m.hardening);
  return text + " }";
}

// What drop and hit have in common; the colliders and the body's motion follow from what they do.
struct Parts {
  std::string verb, about;
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero(), spin = Vec3::Zero();
  double before = 0;   // s, until the blow
  double highest = 0;  // m, of all that is there at the start
  double aim = 0;      // m along x, of the camera: where the pieces go
  std::string colliders;
};

// A camera that keeps to where it happens, and lets go of what flies far.
std::string camera(double size, double highest, double aim, double compact) {
  constexpr double kHalfView = 15 * std::numbers::pi / 180;                          // of the default
  const double half_height = std::max(0.7 * highest, (1.1 + 0.4 * compact) * size);  // compact things bounce ...
  const Vec3 target(aim, 0.4 * highest + 0.2 * compact * size, 0);                   // ... upwards
  const Vec3 from = Vec3(0.48, 0.26, 0.84).normalized();
  return fmt::format(
      "\n# Keeps to the model; without it the camera steps back until it shows every piece that flies.\n"
      "[[camera]]\nposition = {}\ntarget = {}\n",
      vec(target + half_height / std::tan(kHalfView) * from), vec(target));
}

// Of critical damping. Compact things bounce most.
double contact_damping(double compact) { return 0.5 + 0.5 * compact; }

// m, the mean edge of a regular tet of which so many fill the model.
double edge_of_tets(const ModelSurvey& model) {
  return std::cbrt(6 * std::numbers::sqrt2 * model.volume / static_cast<double>(model.tets));
}

BreakScene assemble(const ModelSurvey& model, const BreakWishes& wishes, const Blow& blow, const Parts& parts) {
  BreakScene scene;
  const Material& real = preset(wishes.material).material;
  scene.blow = blow;
  const double compact = compactness(model.thickness());
  scene.material = material_for(real, blow, wishes.pieces, model.thickness());
  scene.mass = model.volume * real.density;
  scene.duration = wishes.seconds > 0 ? wishes.seconds : parts.before + time_to_rest(blow);
  scene.fps = frame_rate_for(scene.duration);
  const Material& m = scene.material;
  std::string& text = scene.text;
  text = fmt::format(
      "# Written by `sunder {}`, which writes over this file when it is given again: {}\n"
      "# Change it, and run it with `sunder run` and --allow-outside.\n"
      "# Lengths in metres, masses in kilograms, times in seconds; y points up. All keys: docs/scene-reference.md.\n\n"
      "name = {}\nabout = {}\nduration = {:.6g}\nfps = {:g}\nseed = {}\n\n",
      parts.verb, one_line(wishes.command), toml_text(wishes.name), toml_text(parts.about), scene.duration, scene.fps,
      wishes.seed);
  text += fmt::format("[[body]]\nname = \"model\"\nshape = {}\n", wishes.shape);
  if (model.edge > 0) {
    text +=
        fmt::format("edge = {:.6g}              # shorter is finer and slower: {} tets now\n", model.edge, model.tets);
  }
  text += fmt::format("position = {}\nrotation = {}      # degrees about x, then y, then z\n", vec(parts.position),
                      vec(wishes.tilt));
  if (!parts.velocity.isZero()) text += fmt::format("velocity = {}\n", vec(parts.velocity));
  if (!parts.spin.isZero()) text += fmt::format("spin = {}          # rad/s\n", vec(parts.spin));
  text += fmt::format(
      "# Softer than real {0}, for the sake of the time step: waves run at {1:.3g} m/s, {2:.0f} times the {3:.3g} m/s "
      "of "
      "the blow.\n",
      wishes.material, blow.speed / mach_of(m, blow), 1 / mach_of(m, blow), blow.speed);
  if (m.strength > 0) {
    text += fmt::format(
        "# Twice the strength makes fewer pieces, half of it more; `{}` is {:.3g} of density, wave speed and speed of "
        "the blow.\n",
        word(wishes.pieces), m.strength * mach_of(m, blow) / (m.density * blow.speed * blow.speed));
  }
  text += fmt::format("material = {}\n", material_text(wishes.material, m));
  text += parts.colliders;
  const Flaws flaws = flaws_for(compact, wishes.pieces);
  if (flaws.cells > 0 && m.strength > 0) {
    text += fmt::format(
        "\n# A compact thing parts at its flaws: walls of random cells that bear less. More cells make more pieces.\n"
        "[[toughness]]\nname = \"flaws\"\nfactor = {:.3g}\npull = 0.95\n"
        "pattern = {{ kind = \"voronoi\", cells = {}, width = {:.6g} }}\n",
        flaws.factor, flaws.cells, model.edge > 0 ? model.edge : edge_of_tets(model));
  }
  text += fmt::format(
      "\n[fracture]\nbend_at_tips = true       # cracks go on from their tips and leave no spurs\ntip_share = {:.3g}\n"
      "residual = {:.3g}\nsnap_distance = {:.3g}       # coarser cracks than the default, and steps twice as long\n"
      "altitude_floor = {:.3g}\nquality_floor = 0.2\n"
      "\n[contact]\nfriction = 0.5\ndamping = {:.3g}\n\n[look]\ncrack_lines = {:.3g}\n",
      flaws.tip_share, flaws.residual, 0.3 + 0.05 * compact, 0.3 + 0.1 * compact, contact_damping(compact),
      0.0015 * blow.size);
  text += camera(blow.size, parts.highest, parts.aim, compact);
  return scene;
}

std::string ground(const ModelSurvey& model) {
  return fmt::format(
      "\n[[collider]]\nname = \"ground\"\nshape = {{ kind = \"ground\" }}\nfriction = 0.6\ndamping = {:.3g}\n",
      contact_damping(compactness(model.thickness())));
}

std::string block(const std::string& name, const Vec3& size, const Vec3& position, const Vec3& rotation) {
  return fmt::format(
      "\n[[collider]]\nname = {}\nshape = {{ kind = \"box\", size = {} }}\nposition = {}\nrotation = {}\nfriction = "
      "0.5\ndamping = 0.5\n",
      toml_text(name), vec(size), vec(position), vec(rotation));
}

// What lies under the model, and how high.
struct Target {
  double top = 0;    // m
  double aside = 0;  // m: how far the model's middle is off the target's along x
  std::string colliders;
};

Target target_of(Onto onto, const ModelSurvey& model) {
  const double size = model.size(), side = kRail * size;
  switch (onto) {
    case Onto::edge: {
      return {side / std::numbers::sqrt2, 0, block("edge", {side, side, 3 * size}, Vec3::Zero(), {0, 0, 45})};
    }
    case Onto::corner: {
      // A space diagonal upright: 45 degrees about x, then atan(1 / sqrt 2) about z.
      return {side * std::numbers::sqrt3 / 2, 0,
              block("corner", Vec3::Constant(side), Vec3::Zero(), {45, 0, 35.26439})};
    }
    case Onto::table: {
      // What is thinner than two edges may slip in between the model's nodes.
      const double thinnest = 2.01 * model.edge;
      const double height = kTable * size, top = std::max(0.1 * size, thinnest), leg = std::max(0.3 * size, thinnest);
      const double tall = std::clamp(thinnest, height - top, height);  // it may reach into the top
      return {height, 0.12 * size,
              block("table", {2 * size, top, 2.4 * size}, {-size, height - top / 2, 0}, Vec3::Zero()) +
                  block("leg", {leg, tall, leg}, {-size, tall / 2, 0}, Vec3::Zero())};
    }
    case Onto::ground:
      break;
  }
  return {};
}

}  // namespace

Measure read_measure(const std::string& option, const std::string& text, MeasureOf what) {
  static constexpr std::array<Unit, 4> lengths = {{{"m", 1}, {"cm", 0.01}, {"mm", 0.001}, {"km", 1000}}};
  static constexpr std::array<Unit, 2> speeds = {{{"m/s", 1}, {"km/h", 1 / 3.6}}};
  static constexpr std::array<Unit, 3> masses = {{{"kg", 1}, {"g", 0.001}, {"t", 1000}}};
  const std::span<const Unit> units = what == MeasureOf::length  ? std::span<const Unit>(lengths)
                                      : what == MeasureOf::speed ? std::span<const Unit>(speeds)
                                                                 : std::span<const Unit>(masses);
  constexpr double kMost = 1e6, kMostWithUnit = 1e9;
  std::size_t end = 0;
  double number = 0;
  try {
    number = std::stod(text, &end);
  } catch (const std::logic_error&) {
    end = 0;
  }
  std::string_view unit = std::string_view(text).substr(end);
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  std::string known;
  for (const Unit& u : units) {
    if (end > 0 && unit == u.name && number > 0 && number <= kMostWithUnit) return {number * u.size, true};
    known += fmt::format("{}{}", known.empty() ? "" : ", ", u.name);
  }
  if (end > 0 && unit.empty() && number > 0 && number <= kMost) return {number, false};
  throw UsageError(
      fmt::format("{0} {1}: must be a number above 0, up to {2:.0f} times the model's own, or up to {3:.0f} with a "
                  "unit ({4}): {0} 2, "
                  "{0} 0.5{5}",
                  option, text, kMost, kMostWithUnit, known, units.front().name));
}

BreakScene drop_scene(const ModelSurvey& model, const BreakWishes& wishes, const DropWishes& drop) {
  const double size = model.size(), fall = drop.height.times(size);
  const Blow blow{size, std::sqrt(2 * kGravity * fall), kGravity};
  const Posed box = posed(model, wishes.tilt);
  const Target target = target_of(drop.onto, model);
  const double filmed = std::min(fall, kFilmedFall * size);
  Parts parts;
  parts.verb = "drop";
  constexpr std::array<std::string_view, 4> places = {"the ground", "an edge", "a corner", "the edge of a table"};
  parts.about =
      fmt::format("{} falls {:.3g} m onto {}", wishes.name, fall, places[static_cast<std::size_t>(drop.onto)]);
  parts.position = Vec3(target.aside, target.top + filmed, 0) -
                   Vec3((box.lower.x() + box.upper.x()) / 2, box.lower.y(), (box.lower.z() + box.upper.z()) / 2);
  parts.velocity = Vec3(0, -std::sqrt(2 * kGravity * (fall - filmed)), 0);
  // A turn in the time of a fall of the model's size.
  parts.spin = 2 * std::numbers::pi * std::sqrt(kGravity / (2 * size)) * drop.spin;
  parts.before = (blow.speed + parts.velocity.y()) / kGravity;
  parts.highest = target.top + filmed + box.height();
  parts.colliders = target.colliders + ground(model);
  return assemble(model, wishes, blow, parts);
}

BreakScene hit_scene(const ModelSurvey& model, const BreakWishes& wishes, const HitWishes& hit) {
  const double size = model.size();
  const double speed = hit.speed.times(std::sqrt(2 * kGravity * size));
  const Blow blow{size, speed, kGravity};
  const Posed box = posed(model, wishes.tilt);
  const double mass = hit.mass.times(model.volume * preset(wishes.material).material.density);
  const double width = hit.width.times(size), height = std::max(hit.at.times(box.height()), 0.51 * width);
  const Vec3 start(-(box.upper.x() - box.lower.x()) / 2 - kRunUp * size - width / 2, height, 0);
  std::string shape, name;
  switch (hit.with) {
    case Striker::ball:
      name = "ball";
      shape = fmt::format("{{ kind = \"sphere\", radius = {:.6g} }}", width / 2);
      break;
    case Striker::box:
      name = "box";
      shape = fmt::format("{{ kind = \"box\", size = {} }}", vec(Vec3::Constant(width)));
      break;
    case Striker::capsule:
      name = "capsule";
      shape = fmt::format("{{ kind = \"capsule\", radius = {:.6g}, height = {:.6g} }}", width / 4, width);
      break;
  }
  Parts parts;
  parts.verb = "hit";
  parts.about = fmt::format("a {} hits {} at {:.3g} m/s", name, wishes.name, speed);
  parts.position = -Vec3((box.lower.x() + box.upper.x()) / 2, box.lower.y(), (box.lower.z() + box.upper.z()) / 2);
  parts.before = kRunUp * size / speed;
  parts.highest = std::max(box.height(), height + width / 2);
  parts.aim = 0.7 * size;
  // It flies so fast and so short a way that its fall hardly shows; aimed a little up it arrives where it should.
  const Vec3 velocity(speed, kGravity * parts.before / 2, 0);
  parts.colliders = fmt::format(
      "\n[[collider]]\nname = \"{}\"\nshape = {}\nmotion = \"dynamic\"\nmass = {:.6g}\nposition = {}\nvelocity = {}\n"
      "friction = 0.4\n",
      name, shape, mass, vec(start), vec(velocity));
  parts.colliders += ground(model);
  BreakScene scene = assemble(model, wishes, blow, parts);
  scene.striker = name;
  scene.reach = (box.upper.x() - box.lower.x() + width) / 2;
  return scene;
}

}  // namespace sunder
