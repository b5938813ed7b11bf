#pragma once
// A traced picture before it is finished: light, and what the denoiser goes by. All columns have a value per pixel,
// rows from the top.

#include <vector>

#include "render/light_types.h"

namespace sunder::render {

struct Picture {
  int width = 0, height = 0;
  std::vector<Color> light;     // radiance
  std::vector<Color> albedo;    // colour of what is seen
  std::vector<Vec3f> normal;    // of it; zero for the sky
  std::vector<float> depth;     // m; 0 for the sky
  std::vector<float> variance;  // of the luminance of `light`, as an estimate from the samples

  Picture(int w, int h) : width(w), height(h) {
    const auto count = static_cast<std::size_t>(w) * static_cast<std::size_t>(h);
    light.assign(count, Color::Zero());
    albedo.assign(count, Color::Zero());
    normal.assign(count, Vec3f::Zero());
    depth.assign(count, 0);
    variance.assign(count, 0);
  }
};

}  // namespace sunder::render
