#pragma once
// Collects what a surface file says and makes a TriangleMesh of it: polygons become triangles, indices are checked.

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "mesh/triangle_mesh.h"

namespace sunder {

// What the parts of colours are called as attributes, in every format.
inline constexpr std::array kColourNames = {"red", "green", "blue", "alpha"};

class SurfaceBuilder {
 public:
  explicit SurfaceBuilder(std::string file_name) : file_(std::move(file_name)) {}

  // Positions of a corner's values in the lists below, from 0; texture and normal may be missing.
  struct Corner {
    static constexpr std::int64_t kNone = -1;
    std::int64_t point = kNone, uv = kNone, normal = kNone;
  };

  std::vector<Vec3> points, normals;
  std::vector<Vec2> uvs;
  std::vector<PointAttribute> attributes;      // points beyond the end of one have 0
  std::vector<FaceAttribute> face_attributes;  // by polygon; those beyond the end of one have 0

  // A value of the point, or of the polygon, that was added last.
  void set_attribute(std::string_view name, double value);
  void set_face_attribute(std::string_view name, double value);

  // Faces that follow belong to it.
  void begin_group(std::string_view name);

  // A face with any number of corners; points that come later in the file are allowed.
  void add_polygon(std::span<const Corner> corners, int line);
  std::size_t polygon_count() const { return first_corner_.size() - 1; }

  // InputError if a corner names a point that is not there, if a coordinate is not finite, or if there is no triangle.
  TriangleMesh build() &&;

 private:
  std::string file_;
  std::vector<Corner> corners_;
  std::vector<std::size_t> first_corner_ = {0};  // of each polygon, and the end
  std::vector<int> lines_;
  std::vector<std::uint32_t> groups_;
  std::vector<std::string> group_names_;
  std::uint32_t group_ = 0;
};

}  // namespace sunder
