#pragma once
// What a boundary face of a tet knows of the shape or model it came from, and the columns in which frames and files
// keep it.

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <vector>

#include "core/vec.h"

namespace sunder {

// Texture coordinates and normals belong to corners of faces, not to points: at a seam or a rim two faces see one point
// differently. Corners are in the order of kTetFaces. Who splits a tet interpolates both linearly over the face and
// gives the pieces the same part and source; faces that a crack opens have no skin.
struct FaceSkin {
  std::uint32_t part = 0;  // index into the names of the parts: of a shape, or the groups of a model
  std::array<Vec2, 3> uv = {Vec2::Zero(), Vec2::Zero(), Vec2::Zero()};  // zero if there are none
  // In material coordinates, outwards, of length 1; zero if not known.
  std::array<Vec3, 3> normals = {Vec3::Zero(), Vec3::Zero(), Vec3::Zero()};
  std::uint32_t source = 0;  // 1 + index of the nearest triangle of the model's file; 0 if there is none
  friend bool operator==(const FaceSkin&, const FaceSkin&) = default;
};

// Files number parts from 1 in eight bits.
inline constexpr std::size_t kMostParts = 254;

// The index of a name, which is added if it is new. Of too many the last ones share one name: models with a group for
// every face exist.
inline std::uint32_t part_index(std::vector<std::string>& names, const std::string& name) {
  auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end() && names.size() + 1 >= kMostParts) found = std::find(names.begin(), names.end(), "others");
  const auto index = static_cast<std::uint32_t>(found - names.begin());
  if (found == names.end()) names.push_back(names.size() + 1 < kMostParts ? name : "others");
  return index;
}

// Which columns a skin needs; parts always.
struct SkinContents {
  bool uv = false, normals = false, source = false;

  void add(const FaceSkin& skin) {
    for (const Vec2& x : skin.uv) uv = uv || !x.isZero(0);
    for (const Vec3& n : skin.normals) normals = normals || !n.isZero(0);
    source = source || skin.source != 0;
  }
};

// One row for each tet, and in it the four faces opposite its corners. Columns that nothing needs are empty.
struct SkinColumns {
  std::vector<std::array<std::uint8_t, 4>> parts;  // 0 for a face without a skin, else 1 + part
  std::vector<std::array<float, 24>> uv;           // two for each corner
  std::vector<std::array<float, 36>> normals;      // three for each corner
  std::vector<std::array<std::uint32_t, 4>> source;
};

// For SkinColumns, and for Frame, which has members of the same names.
template <class Columns>
void size_skin(Columns& columns, std::size_t tets, const SkinContents& contents) {
  columns.parts.assign(tets, {});
  columns.uv.assign(contents.uv ? tets : 0, {});
  columns.normals.assign(contents.normals ? tets : 0, {});
  columns.source.assign(contents.source ? tets : 0, {});
}
template <class Columns>
void put_skin(Columns& columns, std::size_t tet, std::size_t face, const FaceSkin& skin) {
  columns.parts[tet][face] = static_cast<std::uint8_t>(skin.part + 1);
  if (!columns.source.empty()) columns.source[tet][face] = skin.source;
  for (std::size_t k = 0; k < 3; ++k) {
    for (std::size_t i = 0; i < 2 && !columns.uv.empty(); ++i) {
      columns.uv[tet][6 * face + 2 * k + i] = static_cast<float>(skin.uv[k][static_cast<int>(i)]);
    }
    for (std::size_t i = 0; i < 3 && !columns.normals.empty(); ++i) {
      columns.normals[tet][9 * face + 3 * k + i] = static_cast<float>(skin.normals[k][static_cast<int>(i)]);
    }
  }
}

}  // namespace sunder
