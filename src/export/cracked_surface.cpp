#include "export/cracked_surface.h"

#include <fmt/format.h>

#include <Eigen/Geometry>
#include <algorithm>
#include <cmath>

#include "core/byte_stream.h"
#include "core/error.h"

namespace sunder {

TriangleMesh surface_with_walls(const Frame& frame) {
  TriangleMesh mesh;
  mesh.points = frame.position;
  mesh.triangles = frame.triangles;
  mesh.group_names = {"outside", "inside"};
  mesh.groups.assign(frame.triangles.size(), 0);
  for (const auto& uv : frame.corner_uv) {
    auto& corners = mesh.uvs.emplace_back();
    for (std::size_t k = 0; k < 3; ++k) {
      corners[k] = Vec2(static_cast<double>(uv[2 * k]), static_cast<double>(uv[2 * k + 1]));
    }
  }
  if (frame.wall.empty()) return mesh;
  std::vector<std::uint32_t> foot(frame.position.size(), 0);  // 0: none yet
  const auto foot_of = [&](std::uint32_t n) {
    if (foot[n] == 0) {
      foot[n] = static_cast<std::uint32_t>(mesh.points.size());
      mesh.points.push_back(frame.rest[n] + frame.wall[n]);
    }
    return foot[n];
  };
  for (std::size_t i = 0; i < frame.triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      if ((frame.crack_faces[i] >> k & 1) == 0) continue;
      const std::uint32_t a = frame.triangles[i][(k + 1) % 3], b = frame.triangles[i][(k + 2) % 3];
      const std::uint32_t under_a = foot_of(a), under_b = foot_of(b);
      mesh.triangles.push_back({b, a, under_a});
      mesh.triangles.push_back({b, under_a, under_b});
      mesh.groups.insert(mesh.groups.end(), 2, 1);
      if (!mesh.uvs.empty()) mesh.uvs.resize(mesh.triangles.size(), {Vec2::Zero(), Vec2::Zero(), Vec2::Zero()});
    }
  }
  return mesh;
}

std::string cracked_ply(const Frame& frame) {
  std::vector<std::uint8_t> on_crack(frame.position.size(), 0);
  for (std::size_t i = 0; i < frame.triangles.size(); ++i) {
    for (std::size_t k = 0; k < 3; ++k) {
      if ((frame.crack_faces[i] >> k & 1) == 0) continue;
      on_crack[frame.triangles[i][(k + 1) % 3]] = on_crack[frame.triangles[i][(k + 2) % 3]] = 1;
    }
  }
  std::string header = fmt::format(
      "ply\nformat binary_little_endian 1.0\ncomment sunder\nelement vertex {}\nproperty double x\nproperty double y\n"
      "property double z\nproperty uchar crack\nelement face {}\nproperty list uchar uint vertex_indices\n"
      "property uint fragment\n",
      frame.position.size(), frame.triangles.size());
  for (int k = 0; k < 3; ++k) header += fmt::format("property uint crack_order_{}\n", k);
  for (int k = 0; k < 3; ++k) header += fmt::format("property double crack_time_{}\n", k);
  header += "end_header\n";
  Writer out;
  for (std::size_t n = 0; n < frame.position.size(); ++n) out.put(frame.position[n]), out.put(on_crack[n]);
  for (std::size_t i = 0; i < frame.triangles.size(); ++i) {
    out.put(std::uint8_t{3}), out.put(frame.triangles[i]), out.put(frame.fragment[i]);
    out.put(frame.crack_order[i]), out.put(frame.crack_time[i]);
  }
  return header + out.bytes();
}

render::Image crack_mask(const Frame& frame, int size, double width) {
  if (frame.corner_uv.empty()) {
    throw UsageError("a mask (.png) needs texture coordinates, and the surface has none; take .svg or .obj lines");
  }
  std::vector<float> cover(static_cast<std::size_t>(size) * static_cast<std::size_t>(size), 0.0f);
  for (std::size_t i = 0; i < frame.triangles.size(); ++i) {
    const auto& t = frame.triangles[i];
    std::array<Vec2, 3> uv;
    for (std::size_t k = 0; k < 3; ++k) {
      uv[k] =
          Vec2(static_cast<double>(frame.corner_uv[i][2 * k]), 1 - static_cast<double>(frame.corner_uv[i][2 * k + 1])) *
          size;
    }
    // Pixels per metre, by the triangle's area.
    const Vec2 u = uv[1] - uv[0], v = uv[2] - uv[0];
    const double pixels = std::abs(u.x() * v.y() - u.y() * v.x());
    const double metres = (frame.rest[t[1]] - frame.rest[t[0]]).cross(frame.rest[t[2]] - frame.rest[t[0]]).norm();
    const double half = std::max(0.5, width / 2 * std::sqrt(pixels / std::max(metres, 1e-300)));
    for (std::size_t k = 0; k < 3; ++k) {
      if ((frame.crack_faces[i] >> k & 1) == 0) continue;
      const Vec2 a = uv[(k + 1) % 3], b = uv[(k + 2) % 3];
      const Vec2 low = a.cwiseMin(b) - Vec2::Constant(half + 1), high = a.cwiseMax(b) + Vec2::Constant(half + 1);
      const auto pixel = [&](double x) { return static_cast<int>(std::clamp(std::floor(x), 0.0, size - 1.0)); };
      for (int y = pixel(low.y()); y <= pixel(high.y()); ++y) {
        for (int x = pixel(low.x()); x <= pixel(high.x()); ++x) {
          const Vec2 at(x + 0.5, y + 0.5);
          const double along = std::clamp((at - a).dot(b - a) / std::max((b - a).squaredNorm(), 1e-300), 0.0, 1.0);
          const double distance = (a + along * (b - a) - at).norm();
          float& c = cover[static_cast<std::size_t>(y) * static_cast<std::size_t>(size) + static_cast<std::size_t>(x)];
          c = std::max(c, static_cast<float>(std::clamp(half + 0.5 - distance, 0.0, 1.0)));
        }
      }
    }
  }
  render::Image image(size, size);
  for (std::size_t p = 0; p < cover.size(); ++p) {
    const auto grey = static_cast<std::uint8_t>(std::lround(255 * (1 - cover[p])));
    std::fill_n(image.rgb.begin() + static_cast<std::ptrdiff_t>(3 * p), 3, grey);
  }
  return image;
}

}  // namespace sunder
