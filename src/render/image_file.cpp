#include "render/image_file.h"

// stb is C in headers; its warnings are not ours.
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wall"
#pragma GCC diagnostic ignored "-Wextra"
#pragma GCC diagnostic ignored "-Wpedantic"
#pragma GCC diagnostic ignored "-Wshadow"
#pragma GCC diagnostic ignored "-Wcast-qual"
#pragma GCC diagnostic ignored "-Wdouble-promotion"
#pragma GCC diagnostic ignored "-Wunused-function"
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"
#ifndef __clang_analyzer__  // clang-tidy would go through it, too
#define STB_IMAGE_WRITE_IMPLEMENTATION
#define STB_IMAGE_WRITE_STATIC
#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#endif
#define STBI_WRITE_NO_STDIO
#include <stb/stb_image_write.h>
#define STBI_NO_STDIO
#define STBI_ONLY_PNG
#define STBI_ONLY_JPEG
#include <stb/stb_image.h>
#pragma GCC diagnostic pop

#include <algorithm>
#include <cmath>

#include "core/error.h"
#include "core/files.h"

namespace sunder::render {

std::uint8_t srgb_from_linear(float value) {
  const float x = std::clamp(value, 0.0f, 1.0f);
  const float encoded = x <= 0.0031308f ? 12.92f * x : 1.055f * std::pow(x, 1 / 2.4f) - 0.055f;
  return static_cast<std::uint8_t>(std::lround(255 * encoded));
}

float linear_from_srgb(std::uint8_t value) {
  const float x = static_cast<float>(value) / 255;
  return x <= 0.04045f ? x / 12.92f : std::pow((x + 0.055f) / 1.055f, 2.4f);
}

std::string png_bytes(const Image& image) {
  std::string bytes;
  const auto append = [](void* context, void* data, int size) {
    static_cast<std::string*>(context)->append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  };
  if (stbi_write_png_to_func(append, &bytes, image.width, image.height, 3, image.rgb.data(), 3 * image.width) == 0) {
    throw FileError("the picture", "cannot be packed as PNG; is there enough memory?");
  }
  return bytes;
}

void write_png(const std::filesystem::path& file, const Image& image) { write_file_atomically(file, png_bytes(image)); }

Image read_image(const std::filesystem::path& file) {
  const std::string bytes = read_file(file);
  const auto* data = reinterpret_cast<const stbi_uc*>(bytes.data());
  const int size = static_cast<int>(std::min<std::size_t>(bytes.size(), 1u << 30));
  int width = 0, height = 0, channels = 0;
  constexpr int largest = 16384;
  if (stbi_info_from_memory(data, size, &width, &height, &channels) == 0) {
    throw FileError(file.string(), "is no PNG or JPEG picture");
  }
  if (width > largest || height > largest) throw FileError(file.string(), "is larger than 16384 pixels a side");
  stbi_uc* pixels = stbi_load_from_memory(data, size, &width, &height, &channels, 3);
  if (pixels == nullptr) throw FileError(file.string(), "is a damaged picture");
  Image image(width, height);
  std::copy(pixels, pixels + image.rgb.size(), image.rgb.begin());
  stbi_image_free(pixels);
  return image;
}

}  // namespace sunder::render
