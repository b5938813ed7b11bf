#include "fracture/toughness_field.h"

#include <cmath>

#include "core/keyframes.h"

namespace sunder {

double factor_at(std::span<const FactorKeyframe> keyframes, double time) {
  const KeyframeInterval interval = keyframe_interval(keyframes, time);
  const double from = keyframes[interval.from].factor;
  if (interval.from == interval.to) return from;
  const double share = std::floor(kFactorSteps * interval.share) / kFactorSteps;
  return from * std::pow(keyframes[interval.to].factor / from, share);
}

std::vector<double> ToughnessField::factors(double time) const {
  std::vector<double> result;
  for (const ToughnessLayer& layer : layers) result.push_back(factor_at(layer.factor, time));
  return result;
}

Resistance ToughnessField::at(Uid node, const Vec3& material_position, std::span<const double> factors) const {
  if (!(base.value > 0)) return {};
  Resistance result;
  result.measure = base.measure;
  const Vec3 place = rotation.transpose() * (material_position - origin);
  double log_factor = 0;           // for all planes
  Mat3 log_tensor = Mat3::Zero();  // by plane, in the body's own axes
  for (std::size_t i = 0; i < layers.size(); ++i) {
    const ToughnessLayer& layer = layers[i];
    if (factors[i] == 1 || (layer.where && !layer.where(place))) continue;
    const PatternPoint point = layer.pattern(place, node);
    if (!(point.weight > 0)) continue;
    if (std::isinf(factors[i])) return {};
    const double whole = point.weight * std::log(factors[i]);
    const double pull = point.planes == PatternPoint::Planes::all ? 0 : layer.pull;
    log_factor += (1 - pull) * whole;
    if (pull == 0) continue;
    const Mat3 across = point.direction * point.direction.transpose();
    log_tensor += pull * whole * (point.planes == PatternPoint::Planes::across ? across : Mat3::Identity() - across);
  }
  result.value = toughness_at(base, node, material_position) * std::exp(log_factor);
  if (!log_tensor.isZero(0)) result.planes = plane_factors(log_tensor).turned(rotation);
  return result;
}

}  // namespace sunder
