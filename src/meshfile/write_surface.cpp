#include "meshfile/write_surface.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <bit>
#include <cstring>
#include <iterator>
#include <string>

#include "core/error.h"
#include "core/files.h"

namespace sunder {
namespace {

static_assert(std::endian::native == std::endian::little, "PLY and STL are written as the machine has its numbers");

template <class T>
void put(std::string& bytes, T value) {
  std::array<char, sizeof(T)> raw;
  std::memcpy(raw.data(), &value, sizeof(T));
  bytes.append(raw.data(), raw.size());
}

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
  std::string bytes = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment sunder\nelement vertex {}\nproperty double x\nproperty double y\n"
      "property double z\nelement face {}\nproperty list uchar uint vertex_indices\nend_header\n",
      surface.points.size(), surface.triangles.size());
  for (const Vec3& p : surface.points) {
    for (int a = 0; a < 3; ++a) put(bytes, p[a]);
  }
  for (const auto& t : surface.triangles) {
    put(bytes, std::uint8_t{3});
    for (const std::uint32_t p : t) put(bytes, p);
  }
  return bytes;
}

std::string stl_of(const TriangleMesh& surface) {
  std::string bytes(80, ' ');  // must not begin with "solid"
  put(bytes, static_cast<std::uint32_t>(surface.triangles.size()));
  for (const auto& [a, b, c] : surface.triangles) {
    const Vec3 &x = surface.points[a], &y = surface.points[b], &z = surface.points[c];
    const Vec3 normal = (y - x).cross(z - x).stableNormalized();
    for (const Vec3& v : {normal, x, y, z}) {
      for (int i = 0; i < 3; ++i) put(bytes, static_cast<float>(v[i]));
    }
    put(bytes, std::uint16_t{0});
  }
  return bytes;
}

std::string off_of(const TriangleMesh& surface) {
  std::string text = fmt::format("OFF\n{} {} 0\n", surface.points.size(), surface.triangles.size());
  auto out = std::back_inserter(text);
  for (const Vec3& p : surface.points) fmt::format_to(out, "{} {} {}\n", p.x(), p.y(), p.z());
  for (const auto& [a, b, c] : surface.triangles) fmt::format_to(out, "3 {} {} {}\n", a, b, c);
  return text;
}

using Writer = std::string (*)(const TriangleMesh&);

Writer writer_for(const std::filesystem::path& path) {
  std::string ending = path.extension().string();
  std::transform(ending.begin(), ending.end(), ending.begin(),
                 [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; });
  if (ending == ".obj") return obj_of;
  if (ending == ".ply") return ply_of;
  if (ending == ".stl") return stl_of;
  if (ending == ".off") return off_of;
  return nullptr;
}

}  // namespace

bool can_write_surface(const std::filesystem::path& path) { return writer_for(path) != nullptr; }

void write_surface(const std::filesystem::path& path, const TriangleMesh& surface) {
  const Writer write = writer_for(path);
  if (write == nullptr) {
    throw UsageError(
        fmt::format("surfaces are written to .obj, .ply, .stl and .off files, not to `{}`", path.string()));
  }
  write_file_atomically(path, write(surface));
}

}  // namespace sunder
