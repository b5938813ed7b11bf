#pragma once
// The lines of a surface that meshing it anew must keep: borders, sharp edges, seams of the texture.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/column.h"
#include "mesh/tri_mesh.h"
#include "spatial/triangle_tree.h"

namespace sunder {

// A chain of edges from corner to corner, or a closed one without corners.
struct KeptCurve {
  std::vector<Side> sides;    // one of the two of every edge, in order
  std::vector<NodeId> nodes;  // sides.size() + 1; the last is the first if it is closed
  std::vector<double> at;     // arc length of each node
  bool closed = false;

  double length() const { return at.back(); }
  // A place on the curve; arc lengths of a closed one go on round it, below zero, too.
  struct Place {
    std::size_t side = 0;
    double share = 0;  // of the way from nodes[side] to nodes[side + 1]
  };
  Place place(double arc) const;
};

struct KeptLines {
  std::vector<KeptCurve> curves;
  Column<NodeId, std::uint8_t> is_corner;  // where lines meet, end, or turn sharply
  std::vector<std::uint32_t> region;       // of each triangle: the piece of the surface between lines it belongs to
};

// Edges at which the surface turns by more than `sharp` (radians) are kept, if it does so over a width of `size`, too,
// and they do not make a chain of two sizes or less that ends in nothing: else they are noise. `uvs` of the triangles'
// corners may be empty; `tree` is over the same triangles.
KeptLines find_kept_lines(const TriMesh& mesh, const TriangleTree& tree, std::span<const std::array<Vec2, 3>> uvs,
                          double sharp, double size);

}  // namespace sunder
