#pragma once
// Finished pictures: 8 bits a channel, sRGB. The one place that sees stb.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

namespace sunder::render {

struct Image {
  int width = 0, height = 0;
  std::vector<std::uint8_t> rgb;  // rows from the top, 3 bytes a pixel

  Image() = default;
  Image(int w, int h, std::uint8_t grey = 255)
      : width(w), height(h), rgb(3 * static_cast<std::size_t>(w) * static_cast<std::size_t>(h), grey) {}
  std::uint8_t* at(int x, int y) {
    return &rgb[3 * (static_cast<std::size_t>(y) * static_cast<std::size_t>(width) + static_cast<std::size_t>(x))];
  }
  const std::uint8_t* at(int x, int y) const { return const_cast<Image*>(this)->at(x, y); }
};

std::uint8_t srgb_from_linear(float value);  // clamps to 0..1
float linear_from_srgb(std::uint8_t value);

std::string png_bytes(const Image& image);
void write_png(const std::filesystem::path& file, const Image& image);

// PNG or JPEG, at most 16k pixels a side. FileError if it is none.
Image read_image(const std::filesystem::path& file);

}  // namespace sunder::render
