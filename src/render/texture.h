#pragma once
// Pictures and patterns laid on surfaces in material coordinates, so that they stay on their pieces when a body breaks.

#include <filesystem>
#include <memory>
#include <vector>

#include "render/paint.h"

namespace sunder::render {

struct Texture {
  int width = 0, height = 0;
  std::vector<Color> pixels;  // linear, rows from the top
  float size = 1;             // m that the picture's width covers; it repeats
};

// Projected along the axis that the surface faces most, with soft seams.
Color texture_color(const Texture& texture, const Vec3f& point, const Vec3f& normal);

Color painted_color(const Paint& paint, const Vec3f& point, const Vec3f& normal);

// The picture once over texture coordinates from 0 to 1, v up; it repeats.
Color texture_color(const Texture& texture, const Vec2f& uv);

// A PNG or JPEG file. FileError if it cannot be read.
std::shared_ptr<const Texture> read_texture(const std::filesystem::path& file, float size);

}  // namespace sunder::render
