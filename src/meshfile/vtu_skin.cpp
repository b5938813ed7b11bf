#include "meshfile/vtu_skin.h"

#include <fmt/format.h>

#include <sstream>
#include <string>

#include "geometry/tetrahedron.h"
#include "mesh/soup_boundary.h"
#include "meshfile/vtu_rows.h"

namespace sunder {
namespace {

// Leaves `rows` empty unless there is an array of exactly this kind.
template <class T, std::size_t Size>
void take(const VtuGrid& grid, const char* name, std::vector<std::array<T, Size>>& rows) {
  const VtuArray* array = grid.find_cell_data(name);
  if (array == nullptr || array->components != static_cast<int>(Size)) return;
  const auto* values = std::get_if<std::vector<T>>(&array->values);
  if (values != nullptr && values->size() == Size * grid.types.size()) split_rows(*values, rows);
}

std::vector<std::string> names_in(const VtuGrid& grid) {
  std::vector<std::string> names;
  const VtuArray* array = grid.find_field_data("part_names");
  const auto* bytes = array == nullptr ? nullptr : std::get_if<std::vector<std::uint8_t>>(&array->values);
  if (bytes == nullptr) return names;
  std::istringstream lines(std::string(bytes->begin(), bytes->end()));
  for (std::string line; names.size() < kMostParts && std::getline(lines, line);) names.push_back(line);
  return names;
}

bool is_turned(const VtuGrid& grid, std::size_t cell) {
  TetCorners x;
  for (std::size_t k = 0; k < 4; ++k) x[k] = grid.points[static_cast<std::size_t>(grid.connectivity[4 * cell + k])];
  return !(signed_volume(x) > 0);
}

}  // namespace

void add_skin_arrays(const TetSoup& soup, VtuGrid& grid) {
  if (soup.skin.empty()) return;
  SkinContents contents;
  for (const SkinFace& face : soup.skin) contents.add(face.skin);
  SkinColumns columns;
  size_skin(columns, soup.tets.size(), contents);
  for (const SkinFace& face : soup.skin) put_skin(columns, face.tet, face.face, face.skin);
  add_skin_columns(columns, grid);
  std::vector<std::uint8_t> names;
  for (const std::string& name : soup.part_names) {
    for (const char c : name) names.push_back(static_cast<std::uint8_t>(c == '\n' ? ' ' : c));
    names.push_back('\n');
  }
  grid.field_data.push_back({"part_names", 1, std::move(names)});
}

void take_skin_arrays(const VtuGrid& grid, TetSoup& soup) {
  SkinColumns columns;
  for_each_skin_column(columns, [&](const char* name, auto& rows) { take(grid, name, rows); });
  if (columns.parts.empty() || soup.tets.size() != grid.types.size() ||
      grid.connectivity.size() != 4 * soup.tets.size())
    return;
  std::vector<std::string> names = names_in(grid);
  for (const SoupFace& face : soup_boundary(soup)) {
    const std::size_t at = static_cast<std::size_t>(face.corner);
    const std::size_t number = columns.parts[face.tet][at];
    if (number == 0 || is_turned(grid, face.tet)) continue;
    while (names.size() < number) names.push_back(fmt::format("part {}", names.size() + 1));
    FaceSkin skin;
    skin.part = part_index(soup.part_names, names[number - 1]);
    if (!columns.source.empty()) skin.source = columns.source[face.tet][at];
    for (std::size_t k = 0; k < 3; ++k) {
      if (!columns.uv.empty()) {
        const Vec2 uv = Eigen::Map<const Eigen::Vector2f>(&columns.uv[face.tet][6 * at + 2 * k]).cast<double>();
        if (uv.allFinite()) skin.uv[k] = uv;
      }
      if (!columns.normals.empty()) {
        const Vec3 normal =
            Eigen::Map<const Eigen::Vector3f>(&columns.normals[face.tet][9 * at + 3 * k]).cast<double>();
        if (normal.allFinite()) skin.normals[k] = normal.stableNormalized();
      }
    }
    soup.skin.push_back({face.tet, static_cast<std::uint32_t>(face.corner), skin});
  }
}

}  // namespace sunder
