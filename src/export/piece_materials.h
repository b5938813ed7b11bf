#pragma once
// The materials of exported solids: an outside and an inside for every way in which bodies are painted.

#include <array>
#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "export/picture_file.h"

namespace sunder {

// Crack faces are `inside`, all others `outside`.
enum Side : std::size_t { kOutside = 0, kInside = 1 };
inline constexpr const char* kSideNames[2] = {"outside", "inside"};

struct SidePaint {
  std::array<double, 3> color{};               // linear; times the picture
  std::shared_ptr<const PictureFile> picture;  // once over texture coordinates from 0 to 1, v up; null: none
  friend bool operator==(const SidePaint&, const SidePaint&) = default;
};
using BodyPaint = std::array<SidePaint, 2>;  // by side

struct PieceMaterial {
  std::string name;  // a word of letters, digits and `_`
  SidePaint paint;
  double roughness = 0;
};

struct PieceMaterials {
  std::vector<PieceMaterial> all;                       // `outside` and `inside` come first
  std::vector<std::array<std::uint32_t, 2>> of_bodies;  // by the numbers in frames, by side

  std::uint32_t of(std::uint32_t body, std::size_t side) const {
    return body < of_bodies.size() ? of_bodies[body][side] : static_cast<std::uint32_t>(side);
  }
  const std::string& name(std::uint32_t body, std::size_t side) const { return all[of(body, side)].name; }
};

// The first body's are `outside` and `inside`, and those of all that are painted like it; others are called after the
// first body that has them, `outside_cup`. Without bodies they have colours of their own.
PieceMaterials piece_materials(const std::vector<std::string>& bodies = {}, const std::vector<BodyPaint>& paints = {});

// Names of the picture files that belong beside a file, `bowl-outside.png` beside bowl.usda, by material; "" for none.
std::vector<std::string> picture_names(const PieceMaterials& materials, const std::filesystem::path& file);
void write_pictures(const PieceMaterials& materials, const std::filesystem::path& file);

}  // namespace sunder
