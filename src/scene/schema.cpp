#include "scene/schema.h"

#include <fmt/format.h>

namespace sunder {

std::string default_body_name(std::size_t index) { return fmt::format("body-{}", index + 1); }

std::string default_collider_name(std::string_view kind, std::size_t index) {
  return index == 0 ? std::string(kind) : fmt::format("{}-{}", kind, index + 1);
}

std::string default_region_name(std::size_t index) { return fmt::format("region-{}", index + 1); }

std::string default_toughness_name(std::size_t index) { return fmt::format("toughness-{}", index + 1); }

std::string default_camera_name(std::size_t index) { return fmt::format("camera-{}", index + 1); }

}  // namespace sunder
