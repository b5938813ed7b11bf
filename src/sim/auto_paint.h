#pragma once
// The paint of bodies and colliders: what the scene says, or what fits their material.

#include <filesystem>
#include <memory>
#include <string>
#include <unordered_map>

#include "render/paint.h"
#include "scene/scene.h"

namespace sunder {

struct BodyLook {
  render::Paint outside, inside;
};

using TextureCache = std::unordered_map<std::string, std::shared_ptr<const render::Texture>>;

// FileError if a texture cannot be read.
BodyLook body_look(const Scene& scene, std::size_t body, TextureCache& textures);
BodyLook plain_look(const Scene& scene, std::size_t body);  // the same without its pictures: reads no file

struct LaidPicture {
  std::filesystem::path file;  // empty: none
  bool by_uv = false;          // laid on by texture coordinates
};
struct BodyPictures {
  LaidPicture outside, inside;
};
BodyPictures body_pictures(const Scene& scene, std::size_t body);

render::Paint collider_look(const Scene& scene, std::size_t collider);

}  // namespace sunder
