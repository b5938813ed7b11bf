#pragma once
// Cracks a surface at a node along a line: the rays of the line through the node's triangles, snapped to edges where
// pieces would be too narrow, then the cut (Iben & O'Brien 2006, section 4.2 and figure 5).

#include <numbers>
#include <utility>
#include <vector>

#include "core/ids.h"
#include "core/vec.h"
#include "mesh/tri_mesh.h"

namespace sunder {

// Angles in radians, seen from the node.
struct SurfaceSplitRules {
  double crack_snap = 15 * std::numbers::pi / 180;  // a ray nearer to a crack or the border is dropped ...
  double tip_snap = 90 * std::numbers::pi / 180;    // ... at the tip of a crack, nearer than this: no cracking back
  double edge_snap = 15 * std::numbers::pi / 180;   // a ray nearer to an edge inside the surface runs along it
  double least_area = 0;                            // m^2, of a triangle's piece; else the ray runs along an edge
};

// Two unit vectors that span the tangent plane of a node, counter-clockwise seen from outside.
using TangentFrame = Eigen::Matrix<double, 3, 2>;

// Whether the node is the end of a crack: both borders of its fan are the two sides of one cut.
bool is_crack_tip(const TriMesh& mesh, const TriMesh::Fan& fan);

struct SurfaceSplit {
  struct CutEdge {  // a new node on an edge, and what became of the triangles there
    NodeId from, to;
    double share;  // of the way from one to the other
    TriMesh::EdgeSplit split;
  };
  bool done = false;  // false: refused, and nothing is changed
  std::vector<CutEdge> cut_edges;
  std::vector<std::pair<NodeId, NodeId>> copies;  // new node, of which old one
  std::vector<NodeId> tips;                       // ends of the crack that it has reached now
  std::uint32_t edges = 0;                        // of the mesh that were cut
  std::uint32_t snapped = 0;                      // of them, along edges that were there
  double length = 0;                              // m
};

// The line runs at right angles to `normal` (in the tangent frame, unit). Of a node inside the surface both rays are
// needed, of one on a border or crack one; else the split is refused. `event` marks the edges (TriMesh::crack).
SurfaceSplit split_surface(TriMesh& mesh, NodeId node, const TangentFrame& frame, const Vec2& normal,
                           const SurfaceSplitRules& rules, std::uint32_t event);

}  // namespace sunder
