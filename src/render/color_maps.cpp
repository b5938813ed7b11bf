#include "render/color_maps.h"

#include <algorithm>
#include <array>
#include <span>

namespace sunder::render {
namespace {

float linear(float c) { return c <= 0.04045f ? c / 12.92f : std::pow((c + 0.055f) / 1.055f, 2.4f); }

Color between(std::span<const Color> stops, double share) {
  const double clamped = share > 0 ? std::min(share, 1.0) : 0;  // a number that is none counts as 0
  const double at = clamped * static_cast<double>(stops.size() - 1);
  const auto i = std::min(static_cast<std::size_t>(at), stops.size() - 2);
  const auto t = static_cast<float>(at - static_cast<double>(i));
  return (1 - t) * stops[i] + t * stops[i + 1];
}

}  // namespace

Color from_srgb(float red, float green, float blue) { return {linear(red), linear(green), linear(blue)}; }

// Hues a golden angle apart, in three shades.
Color fragment_color(std::uint32_t fragment) {
  const double turn = static_cast<double>(fragment) * 0.6180339887498949 + 0.55;
  const auto hue = static_cast<float>(turn - std::floor(turn));
  const float value = 0.66f + 0.10f * static_cast<float>(fragment % 3);
  const auto channel = [&](float shift) {
    const float h = std::abs(std::fmod(hue + shift, 1.0f) * 6 - 3) - 1;
    return value * (1 - 0.50f * (1 - std::clamp(h, 0.0f, 1.0f)));
  };
  return from_srgb(channel(0), channel(2.0f / 3), channel(1.0f / 3));
}

Color stress_color(double share) {
  static const std::array<Color, 5> stops = {from_srgb(0.10f, 0.25f, 0.62f), from_srgb(0.45f, 0.65f, 0.85f),
                                             from_srgb(0.90f, 0.90f, 0.88f), from_srgb(0.93f, 0.52f, 0.35f),
                                             from_srgb(0.68f, 0.07f, 0.13f)};
  return between(stops, 0.5 + 0.5 * share);
}

Color age_color(double share) {
  static const std::array<Color, 4> stops = {from_srgb(0.99f, 0.90f, 0.35f), from_srgb(0.94f, 0.47f, 0.22f),
                                             from_srgb(0.65f, 0.17f, 0.42f), from_srgb(0.20f, 0.10f, 0.40f)};
  return between(stops, share);
}

}  // namespace sunder::render
