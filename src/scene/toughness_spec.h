#pragma once
// Where bodies are weaker or tougher than their material, as a scene says it. Everything is in the body's own axes,
// before it is placed.

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "core/vec.h"
#include "scene/selection.h"

namespace sunder {

struct UniformPattern {};
struct NoisePattern {
  double length = 0.05;  // m; 0: each node by itself
  std::uint64_t seed = 0;
};
struct BricksPattern {
  Vec3 size = Vec3(0.24, 0.07, 0.12);  // m
  double mortar = 0.02;                // m
};
struct PlanePattern {
  Vec3 point = Vec3::Zero(), normal = Vec3::UnitX();
  double width = 0.02;  // m
};
struct GridPattern {
  Vec3 spacing = Vec3::Zero();  // m; 0: no lines across that axis
  double width = 0.02;          // m
};
struct VoronoiPattern {
  std::uint32_t cells = 20;
  double width = 0.02;  // m
  std::uint64_t seed = 0;
};
struct SurfacePattern {
  std::filesystem::path path;
  double scale = 1;     // metres per unit of the file
  double width = 0.02;  // m
};
struct JointPattern {
  std::string first, second;  // parts of the body's shape
  double width = 0.02;        // m
};
struct GrainPattern {
  Vec3 direction = Vec3::UnitX();
  double wobble = 0;    // degrees
  double length = 0.1;  // m
  std::uint64_t seed = 0;
};
struct LayersPattern {
  Vec3 direction = Vec3::UnitY();
  double wobble = 0;    // degrees
  double length = 0.1;  // m
  std::uint64_t seed = 0;
};
struct PaintedPattern {
  std::string attribute;
  std::filesystem::path path;  // empty: the body's own file
  double full = 1;             // the value that stands for the whole factor
};
using PatternSpec = std::variant<UniformPattern, NoisePattern, BricksPattern, PlanePattern, GridPattern, VoronoiPattern,
                                 SurfacePattern, JointPattern, GrainPattern, LayersPattern, PaintedPattern>;

// Whether the pattern is made of surfaces, towards which cracks can be pulled.
bool has_surfaces(const PatternSpec& pattern);

struct FactorKeyframeSpec {
  double time = 0;  // s
  double factor = 1;
};

struct ToughnessSpec {
  std::string name;  // "toughness-1", ... unless given
  std::string body;  // "" means all bodies
  PatternSpec pattern = UniformPattern{};
  Selection where = EverywhereSelection{};
  std::vector<FactorKeyframeSpec> keyframes;
  std::optional<double> factor;  // unset: cannot break
  double pull = 0.5;
};

}  // namespace sunder
