#pragma once
// A surface of triangles as artists' files give it: points, triangles, and what the surface looks like. Nothing is
// promised about it: triangles may be unwelded, doubled, turned, or leave holes.

#include <array>
#include <cstdint>
#include <string>
#include <vector>

#include "core/vec.h"

namespace sunder {

// A named value of every point: a colour, a scalar.
struct PointAttribute {
  std::string name;
  std::vector<double> values;
};
using FaceAttribute = PointAttribute;  // the same for every triangle

struct TriangleMesh {
  std::vector<Vec3> points;
  std::vector<std::array<std::uint32_t, 3>> triangles;

  // The three below are empty or hold one entry for each triangle. Corners without a value hold zeros.
  std::vector<std::array<Vec2, 3>> uvs;
  std::vector<std::array<Vec3, 3>> normals;
  std::vector<std::uint32_t> groups;  // index into group_names

  std::vector<std::string> group_names;  // materials, or named parts where the file has no materials
  std::vector<PointAttribute> attributes;
  std::vector<FaceAttribute> face_attributes;
};

}  // namespace sunder
