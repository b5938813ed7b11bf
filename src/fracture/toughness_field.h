#pragma once
// Toughness as a field: what a material bears by itself, times the factors of any number of layers. A layer is a
// pattern over the material (mortar between bricks, a scored line, the grain of wood), the factor that holds where the
// pattern is, and perhaps a part of the body to which it is limited.
//
// A pure function of the place in the material, the node's uid and the time: splits carry nothing along.

#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "core/ids.h"
#include "core/vec.h"
#include "fracture/resistance.h"
#include "fracture/toughness.h"

namespace sunder {

// What a pattern has at a point.
struct PatternPoint {
  enum class Planes : std::uint8_t {
    all,     // no direction: the factor is for all planes
    across,  // planes across `direction`, such as a scored line's or a layer's
    along,   // planes along `direction`, such as the grain's
  };
  double weight = 0;  // 0: nothing, 1: the whole factor; between, that power of it
  Planes planes = Planes::all;
  Vec3 direction = Vec3::UnitX();  // unit
};

// In the body's own axes. Must be a pure function, and may be called by several threads.
using ToughnessPattern = std::function<PatternPoint(const Vec3& place, Uid node)>;

struct FactorKeyframe {
  double time = 0;  // s
  double factor = 1;
};

// The factor at a time: geometrically from keyframe to keyframe, constant before the first and after the last. From
// one to the next it goes in kFactorSteps equal steps, so that what depends on it is found anew then only.
inline constexpr int kFactorSteps = 256;
double factor_at(std::span<const FactorKeyframe> keyframes, double time);

struct ToughnessLayer {
  ToughnessPattern pattern;
  std::function<bool(const Vec3& place)> where;  // in the body's own axes; none: everywhere
  // Of what the material bears where the pattern has weight 1, at least one; infinite: it cannot break there.
  std::vector<FactorKeyframe> factor = {{0, 1}};
  // How much the factor is for the pattern's planes only: 1 leaves the others as they were, 0 treats all alike.
  double pull = 0;
};

// What a node bears, in the material.
struct Resistance {
  double value = std::numeric_limits<double>::infinity();  // N or Pa; infinite: cannot break
  Toughness::Measure measure = Toughness::Measure::force;
  std::optional<PlaneFactors> planes;  // if not all are alike
};

struct ToughnessField {
  Toughness base;
  std::vector<ToughnessLayer> layers;
  // Where the body's own axes are in the material: place = rotation^T (x - origin).
  Mat3 rotation = Mat3::Identity();
  Vec3 origin = Vec3::Zero();

  // The factors of the layers at a time.
  std::vector<double> factors(double time) const;
  // `factors`: as above.
  Resistance at(Uid node, const Vec3& material_position, std::span<const double> factors) const;
};

}  // namespace sunder
