#pragma once
// Scene -> TOML text with every value written out and its unit beside it.

#include <span>
#include <string>

#include "scene/scene.h"

namespace sunder {

// Reading the text back gives the same scene, bit for bit (except `places`). Mesh files stand in it by absolute path,
// so reading a scene with mesh files needs ReadOptions::allow_outside; a comment at the top says so.
std::string scene_text(const Scene& scene);

// Shortest decimal form that reads back as the same bits, and is a TOML float even if it is whole: 1 -> "1.0".
std::string toml_number(double value);
std::string toml_vector(const Vec3& value);
std::string toml_points(std::span<const Vec2> points);
std::string toml_points(std::span<const Vec3> points);

}  // namespace sunder
