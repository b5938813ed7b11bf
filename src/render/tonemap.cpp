#include "render/tonemap.h"

#include <algorithm>

namespace sunder::render {
namespace {

// Linear to a knee, then an exponential approach to white: mid tones keep their contrast and colour, highlights roll
// off.
float film(float x) {
  constexpr float knee = 0.55f;
  return x <= knee ? x : knee + (1 - knee) * (1 - std::exp(-(x - knee) / (1 - knee)));
}

}  // namespace

Image tonemap(const Picture& picture, float exposure) {
  Image image(picture.width, picture.height);
  const float scale = std::exp2(exposure);
  for (std::size_t i = 0; i < picture.light.size(); ++i) {
    Color c = (picture.light[i] * scale).max(0.0f);
    // Very bright colours go towards white, as on film, before they are cut off.
    const float l = luminance(c);
    const float pale = std::clamp((l - 0.8f) / 3, 0.0f, 0.6f);
    c += (l - c) * pale;
    for (int k = 0; k < 3; ++k) {
      image.rgb[3 * i + static_cast<std::size_t>(k)] = srgb_from_linear(film(c[k]));
    }
  }
  return image;
}

}  // namespace sunder::render
