#pragma once
// The surface of every fragment of a frame, its crack faces apart, with vertices as graphics cards want them: one for
// every normal and texture coordinate that meet at a node.

#include <array>
#include <cstdint>
#include <vector>

#include "export/solid_run.h"
#include "mesh/triangle_mesh.h"

namespace sunder {

struct PieceVertex {
  std::uint32_t node;  // of the frame
  Eigen::Vector3f normal;
  Eigen::Vector2f uv;    // v upwards; zero if there are none
  std::uint32_t corner;  // 3 face + corner in the order of render::FrameSurface, one of those that use it
};

struct PieceSide {
  std::vector<PieceVertex> vertices;
  std::vector<std::array<std::uint32_t, 3>> triangles;  // of vertices, counter-clockwise seen from outside
};

struct PieceSurface {
  std::uint32_t fragment = 0, body = 0;
  std::array<PieceSide, 2> sides;  // outside, inside
};

enum class NormalsOf { material, world };  // where normals are taken: in material coordinates or as the body stands

// Ascending by fragment.
std::vector<PieceSurface> piece_surfaces(const Frame& frame, NormalsOf shape);

// All fragments as one surface with the groups `outside` and `inside`, welded where nodes are one.
TriangleMesh welded_surface(const Frame& frame, const std::vector<PieceSurface>& pieces, const Placement& placement);

}  // namespace sunder
