#include "export/piece_ply.h"

#include <fmt/format.h>

#include "core/byte_stream.h"

namespace sunder {
namespace {

constexpr const char* kHead =
    "ply\nformat binary_little_endian 1.0\ncomment sunder, frame {}, {} s\nelement vertex {}\n";
constexpr const char* kPlace = "property float x\nproperty float y\nproperty float z\n";
constexpr const char* kVelocity = "property float vx\nproperty float vy\nproperty float vz\n";

void put_floats(Writer& out, const Vec3& v) {
  for (int i = 0; i < 3; ++i) out.put(static_cast<float>(v[i]));
}

}  // namespace

std::string pieces_ply(const Frame& frame, const std::vector<PieceSurface>& pieces, const Placement& placement) {
  std::size_t vertices = 0, triangles = 0;
  for (const PieceSurface& piece : pieces) {
    for (const PieceSide& side : piece.sides) vertices += side.vertices.size(), triangles += side.triangles.size();
  }
  const bool uvs = !frame.uv.empty();
  std::string header = fmt::format(kHead, frame.number, frame.time, vertices);
  header += kPlace;
  header += "property float nx\nproperty float ny\nproperty float nz\n";
  if (uvs) header += "property float s\nproperty float t\n";
  header += kVelocity;
  header += "property uint fragment\nproperty uint body\nproperty uchar inside\n";
  header += fmt::format("element face {}\nproperty list uchar uint vertex_indices\nend_header\n", triangles);
  Writer out;
  for (const PieceSurface& piece : pieces) {
    for (const std::size_t s : {kOutside, kInside}) {
      for (const PieceVertex& v : piece.sides[s].vertices) {
        put_floats(out, placement.point(frame.position[v.node]));
        put_floats(out, placement.turned(v.normal.cast<double>()));
        if (uvs) out.put(v.uv.x()), out.put(v.uv.y());
        put_floats(out, placement.point(frame.velocity[v.node]));
        out.put(piece.fragment), out.put(piece.body), out.put(static_cast<std::uint8_t>(s));
      }
    }
  }
  std::uint32_t first = 0;
  for (const PieceSurface& piece : pieces) {
    for (const PieceSide& side : piece.sides) {
      for (const auto& [a, b, c] : side.triangles) {
        out.put(std::uint8_t{3}), out.put(std::array{first + a, first + b, first + c});
      }
      first += static_cast<std::uint32_t>(side.vertices.size());
    }
  }
  return header + out.bytes();
}

std::string grains_ply(const Frame& frame, const Placement& placement) {
  std::string header = fmt::format(kHead, frame.number, frame.time, frame.grains.size());
  header += kPlace;
  header += kVelocity;
  header += "property float radius\nproperty float mass\nproperty uint body\nend_header\n";
  Writer out;
  for (const FrameGrain& grain : frame.grains) {
    put_floats(out, placement.point(grain.position));
    put_floats(out, placement.point(grain.velocity));
    out.put(static_cast<float>(placement.scale * grain.radius)), out.put(static_cast<float>(grain.mass));
    out.put(grain.body);
  }
  return header + out.bytes();
}

}  // namespace sunder
