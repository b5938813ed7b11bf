#include "export/piece_surface.h"

#include <bit>
#include <map>
#include <unordered_map>

#include "core/check.h"
#include "core/random.h"
#include "render/frame_surface.h"

namespace sunder {
namespace {

// Vertices with the same node and the same bits of normal and texture coordinates are one.
struct VertexKey {
  std::uint32_t node;
  std::array<std::uint32_t, 5> bits;
  friend bool operator==(const VertexKey&, const VertexKey&) = default;
};
struct VertexKeyHash {
  std::size_t operator()(const VertexKey& k) const {
    std::uint64_t hash = k.node;
    for (const std::uint32_t b : k.bits) hash = random_bits(hash, b);
    return hash;
  }
};

}  // namespace

std::vector<PieceSurface> piece_surfaces(const Frame& frame, NormalsOf shape) {
  render::FrameSurface surface;
  surface.look_at(frame);
  const render::SurfaceMesh mesh = surface.surface(frame, {.reassembled = shape == NormalsOf::material}, {{}});
  SUNDER_CHECK(mesh.normals.size() == surface.faces().size(), "a face without normals");

  std::map<std::uint32_t, PieceSurface> pieces;
  std::map<std::pair<std::uint32_t, bool>, std::unordered_map<VertexKey, std::uint32_t, VertexKeyHash>> known;
  for (std::uint32_t f = 0; f < surface.faces().size(); ++f) {
    const auto& face = surface.faces()[f];
    const std::uint32_t fragment = frame.fragment[face.element];
    PieceSurface& piece = pieces[fragment];
    piece.fragment = fragment;
    piece.body = frame.body[face.element];
    PieceSide& side = piece.sides[face.crack ? kInside : kOutside];
    auto& vertices = known[{fragment, face.crack}];
    auto& triangle = side.triangles.emplace_back();
    for (std::uint32_t k = 0; k < 3; ++k) {
      const Eigen::Vector3f& n = mesh.normals[f][k];
      const Eigen::Vector2f& uv = face.uv[k];
      const auto bits = [](float x) { return std::bit_cast<std::uint32_t>(x + 0.0f); };
      const VertexKey key{face.nodes[k], {bits(n.x()), bits(n.y()), bits(n.z()), bits(uv.x()), bits(uv.y())}};
      const auto [at, is_new] = vertices.try_emplace(key, static_cast<std::uint32_t>(side.vertices.size()));
      if (is_new) side.vertices.push_back({face.nodes[k], n, uv, 3 * f + k});
      triangle[k] = at->second;
    }
  }
  std::vector<PieceSurface> result;
  for (auto& [fragment, piece] : pieces) result.push_back(std::move(piece));
  return result;
}

TriangleMesh welded_surface(const Frame& frame, const std::vector<PieceSurface>& pieces, const Placement& placement) {
  TriangleMesh mesh;
  mesh.group_names = {kSideNames[kOutside], kSideNames[kInside]};
  constexpr std::uint32_t kNone = ~0u;
  std::vector<std::uint32_t> point_of(frame.position.size(), kNone);
  for (const PieceSurface& piece : pieces) {
    for (std::uint32_t s : {kOutside, kInside}) {
      const PieceSide& side = piece.sides[s];
      for (const auto& corners : side.triangles) {
        auto& triangle = mesh.triangles.emplace_back();
        auto& uvs = mesh.uvs.emplace_back();
        auto& normals = mesh.normals.emplace_back();
        for (std::size_t k = 0; k < 3; ++k) {
          const PieceVertex& v = side.vertices[corners[k]];
          if (point_of[v.node] == kNone) {
            point_of[v.node] = static_cast<std::uint32_t>(mesh.points.size());
            mesh.points.push_back(placement.point(frame.position[v.node]));
          }
          triangle[k] = point_of[v.node];
          uvs[k] = v.uv.cast<double>();
          normals[k] = placement.turned(v.normal.cast<double>());
        }
        mesh.groups.push_back(s);
      }
    }
  }
  if (frame.uv.empty()) mesh.uvs.clear();
  return mesh;
}

}  // namespace sunder
