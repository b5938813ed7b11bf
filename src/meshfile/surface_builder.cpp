#include "meshfile/surface_builder.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/error.h"
#include "mesh/polygon.h"

namespace sunder {

namespace {

// The last of `count` values with this name.
void set_last(std::vector<PointAttribute>& attributes, std::string_view name, std::size_t count, double value) {
  auto found =
      std::find_if(attributes.begin(), attributes.end(), [&](const PointAttribute& a) { return a.name == name; });
  if (found == attributes.end()) found = attributes.insert(found, {std::string(name), {}});
  found->values.resize(count, 0);
  found->values.back() = value;
}

}  // namespace

void SurfaceBuilder::set_attribute(std::string_view name, double value) {
  set_last(attributes, name, points.size(), value);
}

void SurfaceBuilder::set_face_attribute(std::string_view name, double value) {
  set_last(face_attributes, name, polygon_count(), value);
}

void SurfaceBuilder::begin_group(std::string_view name) {
  const auto found = std::find(group_names_.begin(), group_names_.end(), name);
  group_ = static_cast<std::uint32_t>(found - group_names_.begin());
  if (found == group_names_.end()) group_names_.emplace_back(name);
}

void SurfaceBuilder::add_polygon(std::span<const Corner> corners, int line) {
  if (group_names_.empty()) begin_group("");
  corners_.insert(corners_.end(), corners.begin(), corners.end());
  first_corner_.push_back(corners_.size());
  lines_.push_back(line);
  groups_.push_back(group_);
}

TriangleMesh SurfaceBuilder::build() && {
  if (points.size() >= 0xffffffffu || corners_.size() >= 0xffffffffu) {
    throw InputError({file_}, "the surface has more than four thousand million points", "make it coarser");
  }
  for (std::size_t i = 0; i < points.size(); ++i) {
    if (points[i].allFinite()) continue;
    throw InputError({file_}, fmt::format("point {} has a coordinate that is not finite", i + 1),
                     "repair the model in the program it came from");
  }
  TriangleMesh mesh;
  for (FaceAttribute& a : face_attributes) {
    a.values.resize(polygon_count(), 0);
    mesh.face_attributes.push_back({a.name, {}});
  }
  bool any_uv = false, any_normal = false;
  std::vector<Vec3> polygon;
  for (std::size_t f = 0; f < polygon_count(); ++f) {
    const std::span<const Corner> corners(corners_.data() + first_corner_[f], first_corner_[f + 1] - first_corner_[f]);
    polygon.clear();
    for (const Corner& c : corners) {
      const auto check = [&](std::int64_t index, std::size_t count, const char* what) {
        if (index >= 0 && static_cast<std::size_t>(index) < count) return;
        throw InputError({file_, lines_[f]},
                         fmt::format("face {} uses {} {}, but there are {}", f + 1, what,
                                     static_cast<std::uint64_t>(index) + 1, count),
                         "the file is damaged or cut short: export it again");
      };
      check(c.point, points.size(), "point");
      if (c.uv != Corner::kNone) check(c.uv, uvs.size(), "texture coordinate");
      if (c.normal != Corner::kNone) check(c.normal, normals.size(), "normal");
      polygon.push_back(points[static_cast<std::size_t>(c.point)]);
    }
    if (polygon.size() < 3) continue;  // lines and points are no surface
    static const std::vector<std::array<std::uint32_t, 3>> one = {{0, 1, 2}};
    for (const auto& t : polygon.size() == 3 ? one : triangulate_polygon(polygon)) {
      std::array<std::uint32_t, 3> triangle{};
      std::array<Vec2, 3> uv;
      std::array<Vec3, 3> normal;
      for (std::size_t k = 0; k < 3; ++k) {
        const Corner& c = corners[t[k]];
        triangle[k] = static_cast<std::uint32_t>(c.point);
        uv[k] = c.uv == Corner::kNone ? Vec2(Vec2::Zero()) : uvs[static_cast<std::size_t>(c.uv)];
        normal[k] = c.normal == Corner::kNone ? Vec3(Vec3::Zero()) : normals[static_cast<std::size_t>(c.normal)];
        any_uv = any_uv || c.uv != Corner::kNone;
        any_normal = any_normal || c.normal != Corner::kNone;
      }
      mesh.triangles.push_back(triangle);
      mesh.uvs.push_back(uv);
      mesh.normals.push_back(normal);
      mesh.groups.push_back(groups_[f]);
      for (std::size_t a = 0; a < face_attributes.size(); ++a) {
        mesh.face_attributes[a].values.push_back(face_attributes[a].values[f]);
      }
    }
  }
  if (mesh.triangles.empty()) {
    throw InputError({file_}, "the file holds no face", "export the model with its faces, as polygons or triangles");
  }
  if (!any_uv) mesh.uvs.clear();
  if (!any_normal) mesh.normals.clear();
  for (auto& corners : mesh.uvs) {
    for (Vec2& uv : corners) uv = uv.allFinite() ? uv : Vec2::Zero();
  }
  for (auto& corners : mesh.normals) {
    for (Vec3& n : corners) n = n.allFinite() ? n : Vec3::Zero();
  }
  for (PointAttribute& a : attributes) a.values.resize(points.size(), 0);
  mesh.points = std::move(points);
  mesh.group_names = std::move(group_names_);
  mesh.attributes = std::move(attributes);
  return mesh;
}

}  // namespace sunder
