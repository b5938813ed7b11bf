#include "meshfile/write_surface.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <iterator>
#include <string>

#include "core/byte_stream.h"
#include "core/error.h"
#include "core/files.h"

namespace sunder {
namespace {

// Names of materials end at white space.
std::string one_word(std::string name) {
  std::replace_if(
      name.begin(), name.end(), [](char c) { return static_cast<unsigned char>(c) <= ' '; }, '_');
  return name.empty() ? "outside" : name;
}

std::string obj_of(const TriangleMesh& surface) {
  std::string text = "# sunder\n";
  auto out = std::back_inserter(text);
  for (const Vec3& p : surface.points) fmt::format_to(out, "v {} {} {}\n", p.x(), p.y(), p.z());
  for (const auto& corners : surface.uvs) {
    for (const Vec2& uv : corners) fmt::format_to(out, "vt {} {}\n", uv.x(), uv.y());
  }
  for (const auto& corners : surface.normals) {
    for (const Vec3& n : corners) fmt::format_to(out, "vn {} {} {}\n", n.x(), n.y(), n.z());
  }
  std::uint32_t group = ~0u;
  for (std::size_t t = 0; t < surface.triangles.size(); ++t) {
    if (!surface.groups.empty() && surface.groups[t] != group) {
      group = surface.groups[t];
      fmt::format_to(out, "usemtl {}\n", one_word(surface.group_names[group]));
    }
    text += 'f';
    for (std::size_t k = 0; k < 3; ++k) {
      fmt::format_to(out, " {}", surface.triangles[t][k] + 1);
      const std::size_t corner = 3 * t + k + 1;
      if (!surface.uvs.empty()) fmt::format_to(out, "/{}", corner);
      if (!surface.normals.empty()) fmt::format_to(out, "{}/{}", surface.uvs.empty() ? "/" : "", corner);
    }
    text += '\n';
  }
  return text;
}

std::string ply_of(const TriangleMesh& surface) {
  Writer out;
  for (const Vec3& p : surface.points) out.put(p);
  for (const auto& triangle : surface.triangles) out.put(std::uint8_t{3}), out.put(triangle);
  const std::string header = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment sunder\nelement vertex {}\nproperty double x\nproperty double y\n"
      "property double z\nelement face {}\nproperty list uchar uint vertex_indices\nend_header\n",
      surface.points.size(), surface.triangles.size());
  return header + out.bytes();
}

std::string stl_of(const TriangleMesh& surface) {
  Writer out;
  out.put(static_cast<std::uint32_t>(surface.triangles.size()));
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 &x = surface.points[a], &y = surface.points[b], &z = surface.points[c];
    const Vec3 normal = (y - x).cross(z - x).stableNormalized();
    for (const Vec3& v : {normal, x, y, z}) {
      for (int i = 0; i < 3; ++i) out.put(static_cast<float>(v[i]));
    }
    out.put(std::uint16_t{0});
  }
  return std::string(80, ' ') + out.bytes();  // the header must not begin with "solid"
}

std::string off_of(const TriangleMesh& surface) {
  std::string text = fmt::format("OFF\n{} {} 0\n", surface.points.size(), surface.triangles.size());
  auto out = std::back_inserter(text);
  for (const Vec3& p : surface.points) fmt::format_to(out, "{} {} {}\n", p.x(), p.y(), p.z());
  for (const auto& [a, b, c] : surface.triangles) fmt::format_to(out, "3 {} {} {}\n", a, b, c);
  return text;
}

using Format = std::string (*)(const TriangleMesh&);

Format format_for(const std::filesystem::path& path) {
  const std::string ending = ending_of(path);
  if (ending == ".obj") return obj_of;
  if (ending == ".ply") return ply_of;
  if (ending == ".stl") return stl_of;
  if (ending == ".off") return off_of;
  return nullptr;
}

}  // namespace

bool can_write_surface(const std::filesystem::path& path) { return format_for(path) != nullptr; }

void write_surface(const std::filesystem::path& path, const TriangleMesh& surface) {
  const Format write = format_for(path);
  if (write == nullptr) {
    throw UsageError(
        fmt::format("surfaces are written to .obj, .ply, .stl and .off files, not to `{}`", path.string()));
  }
  write_file_atomically(path, write(surface));
}

}  // namespace sunder
