#include "export/piece_materials.h"

#include <fmt/format.h>

#include <algorithm>

#include "core/files.h"

namespace sunder {
namespace {

namespace fs = std::filesystem;

constexpr std::array<double, 2> kRoughness = {0.35, 0.9};

// Characters that some format or program takes for its own become `_`.
std::string plain(std::string text, std::string_view allowed = "") {
  std::replace_if(
      text.begin(), text.end(),
      [&](char c) {
        const bool word = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
        return !word && allowed.find(c) == std::string_view::npos;
      },
      '_');
  return text;
}

std::string new_name(const std::string& wanted, const std::vector<PieceMaterial>& others) {
  std::string name = wanted;
  const auto taken = [&] {
    return std::any_of(others.begin(), others.end(), [&](const PieceMaterial& m) { return m.name == name; });
  };
  for (int i = 2; taken(); ++i) name = fmt::format("{}_{}", wanted, i);
  return name;
}

}  // namespace

PieceMaterials piece_materials(const std::vector<std::string>& bodies, const std::vector<BodyPaint>& paints) {
  const BodyPaint own = {{{{0.80, 0.78, 0.74}, nullptr}, {{0.55, 0.33, 0.24}, nullptr}}};
  const BodyPaint& first = paints.empty() ? own : paints[0];
  PieceMaterials materials;
  for (const std::size_t side : {kOutside, kInside}) {
    materials.all.push_back({kSideNames[side], first[side], kRoughness[side]});
  }
  std::array<std::vector<std::uint32_t>, 2> of_side = {{{kOutside}, {kInside}}};  // materials
  for (std::size_t b = 0; b < paints.size(); ++b) {
    auto& own_two = materials.of_bodies.emplace_back();
    for (const std::size_t side : {kOutside, kInside}) {
      std::vector<std::uint32_t>& known = of_side[side];
      auto same = std::find_if(known.begin(), known.end(),
                               [&](std::uint32_t m) { return materials.all[m].paint == paints[b][side]; });
      if (same == known.end()) {
        const std::string name = new_name(fmt::format("{}_{}", kSideNames[side], plain(bodies[b])), materials.all);
        same = known.insert(same, static_cast<std::uint32_t>(materials.all.size()));
        materials.all.push_back({name, paints[b][side], kRoughness[side]});
      }
      own_two[side] = *same;
    }
  }
  return materials;
}

std::vector<std::string> picture_names(const PieceMaterials& materials, const fs::path& file) {
  std::vector<std::string> names;
  for (const PieceMaterial& material : materials.all) {
    const auto same = std::find_if(materials.all.begin(), materials.all.end(), [&](const PieceMaterial& m) {
      return m.paint.picture == material.paint.picture;  // one file for all that show it
    });
    const auto& picture = material.paint.picture;
    names.push_back(picture == nullptr
                        ? ""
                        : fmt::format("{}-{}{}", plain(file.stem().string(), "-."), same->name, picture->ending));
  }
  return names;
}

void write_pictures(const PieceMaterials& materials, const fs::path& file) {
  const std::vector<std::string> names = picture_names(materials, file);
  for (std::size_t m = 0; m < names.size(); ++m) {
    if (names[m].empty()) continue;
    const fs::path beside = file.parent_path() / names[m];
    const std::string& bytes = materials.all[m].paint.picture->bytes;
    std::error_code failure;  // frames of a series share it: there after the first of them
    if (fs::file_size(beside, failure) == bytes.size() && !failure && read_file(beside) == bytes) continue;
    write_file_atomically(beside, bytes);
  }
}

}  // namespace sunder
