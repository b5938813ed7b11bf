#pragma once
// A surface of triangles that is meshed anew: edges are split, flipped and collapsed, nodes move. What hangs together,
// how many holes there are, and which edges are borders stays as it was.

#include "mesh/tri_mesh.h"

namespace sunder {

class EditableSurface {
 public:
  explicit EditableSurface(TriMesh mesh) : mesh_(std::move(mesh)) {}

  // To look at it; the triangles and nodes that are not alive mean nothing.
  const TriMesh& mesh() const { return mesh_; }
  bool alive(TriangleId t) const { return mesh_.corners_[t][0].valid(); }
  bool alive(NodeId n) const { return mesh_.first_[n].valid(); }

  // A number that an edge carries, 0 at first. Edges with a number are lines: they are not flipped, and their halves
  // have the same.
  std::uint32_t line(Side side) const { return mesh_.crack(side); }
  void set_line(Side side, std::uint32_t number);

  void move(NodeId node, const Vec3& x) { mesh_.position_[node] = x; }
  TriMesh::EdgeSplit split(Side side, double share) { return mesh_.split_edge(side, share); }

  // Whether the corners across the edge may be joined in its place: not if they are already.
  bool may_flip(Side side) const;
  // The side's triangle (a, b, d) and the one beyond (c, d, b) become (a, b, c) and (c, d, a).
  void flip(Side side);

  // Whether one end of an edge may become the other without changing the topology, by the link condition (Dey,
  // Edelsbrunner, Guha and Nekhayev 1999), for which the border counts as joined to one point more.
  bool may_collapse(Side side, NodeId from) const;
  // The triangles at the edge go; `from` must not be at a line, or this edge must be one.
  void collapse(Side side, NodeId from);

  // Corners of all triangles that are alive, their nodes counted anew; `kept` gets the old one of every node.
  std::vector<std::array<std::uint32_t, 3>> triangles(std::vector<NodeId>& kept) const;

 private:
  void set_neighbour(Side side, TriangleId t);

  TriMesh mesh_;
};

}  // namespace sunder
