#include "render/texture.h"

#include "render/image_file.h"

namespace sunder::render {
namespace {

// Bilinear, repeating.
Color texel(const Texture& texture, float u, float v) {
  const float x = (u - std::floor(u)) * static_cast<float>(texture.width) - 0.5f;
  const float y = (1 - (v - std::floor(v))) * static_cast<float>(texture.height) - 0.5f;
  const float x0 = std::floor(x), y0 = std::floor(y);
  const auto at = [&](int i, int j) -> const Color& {
    const int column = (i % texture.width + texture.width) % texture.width;
    const int row = (j % texture.height + texture.height) % texture.height;
    return texture.pixels[static_cast<std::size_t>(row) * static_cast<std::size_t>(texture.width) +
                          static_cast<std::size_t>(column)];
  };
  const int i = static_cast<int>(x0), j = static_cast<int>(y0);
  const float s = x - x0, t = y - y0;
  return (1 - t) * ((1 - s) * at(i, j) + s * at(i + 1, j)) + t * ((1 - s) * at(i, j + 1) + s * at(i + 1, j + 1));
}

}  // namespace

Color texture_color(const Texture& texture, const Vec3f& point, const Vec3f& normal) {
  const Vec3f p = point / texture.size;
  const float aspect = static_cast<float>(texture.width) / static_cast<float>(texture.height);
  const Eigen::Array3f share = normal.array().abs().pow(8.0f);
  Color sum = Color::Zero();
  const Eigen::Array3f part = share / std::max(share.sum(), 1e-12f);
  if (part[0] > 0.01f) sum += part[0] * texel(texture, p.z(), p.y() * aspect);
  if (part[1] > 0.01f) sum += part[1] * texel(texture, p.x(), p.z() * aspect);
  if (part[2] > 0.01f) sum += part[2] * texel(texture, p.x(), p.y() * aspect);
  return sum;
}

Color texture_color(const Texture& texture, const Vec2f& uv) { return texel(texture, uv.x(), uv.y()); }

Color painted_color(const Paint& paint, const Vec3f& point, const Vec3f& normal) {
  return paint.texture == nullptr ? paint.color : Color(paint.color * texture_color(*paint.texture, point, normal));
}

std::shared_ptr<const Texture> read_texture(const std::filesystem::path& file, float size) {
  const Image image = read_image(file);
  auto texture = std::make_shared<Texture>();
  texture->width = image.width;
  texture->height = image.height;
  texture->size = size;
  texture->pixels.reserve(image.rgb.size() / 3);
  for (std::size_t i = 0; i + 2 < image.rgb.size(); i += 3) {
    texture->pixels.emplace_back(linear_from_srgb(image.rgb[i]), linear_from_srgb(image.rgb[i + 1]),
                                 linear_from_srgb(image.rgb[i + 2]));
  }
  return texture;
}

}  // namespace sunder::render
