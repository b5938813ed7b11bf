#pragma once
// A scene, as a user would write it, in which a model is dropped or hit so that it breaks.

#include <cstdint>
#include <optional>
#include <string>

#include "core/vec.h"
#include "sim/break_law.h"
#include "sim/model_survey.h"

namespace sunder {

// A number as people give one: of the model's own kind (sizes, masses), unless it has a unit.
struct Measure {
  double number = 1;
  bool absolute = false;  // in metres, m/s, kg; else times the model's own

  double times(double own) const { return absolute ? number : number * own; }
};

// "2", "1.5m", "30cm", "20mm"; "3", "10m/s"; "0.5", "2kg", "300g". UsageError with the option's name if it is not one.
enum class MeasureOf { length, speed, mass };
Measure read_measure(const std::string& option, const std::string& text, MeasureOf what);

enum class Onto { ground, edge, corner, table };
enum class Striker { ball, box, capsule };

struct BreakWishes {
  std::string name;      // of the scene
  std::string command;   // that made it, for its first line
  std::string shape;     // of the body, TOML
  std::string material;  // a preset
  Pieces pieces = Pieces::some;
  Vec3 tilt = Vec3::Zero();  // degrees, about x, y and z
  std::uint64_t seed = 1;
  double seconds = 0;  // 0: until it lies
};

struct DropWishes {
  Measure height;            // of the fall
  Vec3 spin = Vec3::Zero();  // turns during a fall of its own size
  Onto onto = Onto::ground;
};

struct HitWishes {
  Striker with = Striker::ball;
  Measure speed{2};    // in those of a fall of the model's own size
  Measure mass{1};     // in the model's
  Measure width{0.3};  // of the striker, in the model's size
  Measure at{0.6};     // above the ground, in the model's height
};

// What the scene's text was made of.
struct BreakScene {
  std::string text;
  Material material;
  Blow blow;
  double duration = 0, fps = 0;  // s, 1/s
  double mass = 0;               // kg, of the model
  std::string striker;           // collider that hits it; empty: it falls
  double reach = 0;              // m along x, from the middle, within which the striker can touch it at first
};

BreakScene drop_scene(const ModelSurvey& model, const BreakWishes& wishes, const DropWishes& drop);
BreakScene hit_scene(const ModelSurvey& model, const BreakWishes& wishes, const HitWishes& hit);

}  // namespace sunder
