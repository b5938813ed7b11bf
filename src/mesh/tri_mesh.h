#pragma once
// A surface of triangles that cracks: corners, neighbours, fans, and which edges are cracks, when and by which event.
// Nodes never move and nothing is ever removed: an edit splits an edge, cuts along one, or gives the sides of a cut
// their own nodes. A node's triangles always hang together through edges (no hinges): its fan.

#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "geometry/triangle.h"

namespace sunder {

// Corner `index` (0 to 2) of a triangle; also names the edge opposite that corner.
struct Side {
  TriangleId triangle;
  int index = 0;
  friend bool operator==(const Side&, const Side&) = default;
};

class TriMesh {
 public:
  TriMesh() = default;
  // Triangles that share an edge must walk it in opposite directions to be joined. Where more than two meet, and where
  // they disagree, the edge is a border. A point at which several fans meet becomes a node for each.
  TriMesh(std::span<const Vec3> points, std::span<const std::array<std::uint32_t, 3>> triangles);

  // --- looking ------------------------------------------------------------------------------------------------------

  std::size_t node_count() const { return position_.size(); }
  std::size_t triangle_count() const { return corners_.size(); }
  const Vec3& position(NodeId node) const { return position_[node]; }
  // The point of the input that a node stands on; of nodes made since, none (0xffffffff).
  std::uint32_t source(NodeId node) const { return source_[node]; }
  const std::array<NodeId, 3>& corners(TriangleId t) const { return corners_[t]; }
  // The triangle of the input that it is, or is a piece of.
  std::uint32_t source(TriangleId t) const { return piece_of_[t]; }
  NodeId node(Side corner) const { return corners_[corner.triangle][static_cast<std::size_t>(corner.index)]; }
  TriangleCorners places(TriangleId t) const;
  // The triangle beyond an edge; none at a border or a crack.
  TriangleId neighbour(Side side) const { return neighbours_[side.triangle][static_cast<std::size_t>(side.index)]; }
  // The same edge, seen from there.
  Side beyond(Side side) const;
  // 1 + number of the event that cut along an edge; 0 if none did.
  std::uint32_t crack(Side side) const { return cracks_[side.triangle][static_cast<std::size_t>(side.index)]; }
  std::uint8_t crack_mask(TriangleId t) const;  // bit i: the edge opposite corner i is a crack
  // Storage never shrinks, so the order of birth is a lasting identity.
  static Uid uid(NodeId node) { return node.index + Uid{1}; }
  static Uid uid(TriangleId t) { return t.index + Uid{1}; }

  // The corners at a node, counter-clockwise. Of an open fan the first one's clockwise edge and the last one's
  // counter-clockwise edge are borders.
  struct Fan {
    std::vector<Side> corners;
    bool open = false;
  };
  Fan fan(NodeId node) const;
  void fan(NodeId node, Fan& into) const;  // reuses the storage

  // Edges of a corner's triangle that run from it: to the next corner (the clockwise edge of the two, seen from the
  // corner) and to the previous one.
  static Side clockwise_edge(Side corner) { return {corner.triangle, (corner.index + 2) % 3}; }
  static Side counter_clockwise_edge(Side corner) { return {corner.triangle, (corner.index + 1) % 3}; }
  NodeId clockwise_node(Side corner) const { return node({corner.triangle, (corner.index + 1) % 3}); }
  NodeId counter_clockwise_node(Side corner) const { return node({corner.triangle, (corner.index + 2) % 3}); }

  // --- editing ------------------------------------------------------------------------------------------------------

  // A new node on an edge, at `share` of the way from the corner after the side's to the one after that. The triangle
  // and its neighbour become two each: the old one keeps the first half of the edge, as it walks it. Halves of a crack
  // are cracks of the same event.
  struct EdgeSplit {
    NodeId node;
    TriangleId triangle, child;             // the two halves of the side's triangle ...
    TriangleId neighbour, neighbour_child;  // ... and of the one beyond; none at a border
  };
  EdgeSplit split_edge(Side side, double share);

  // Cuts along an edge inside the surface; its ends stay one node until separate().
  void cut(Side side, std::uint32_t event);

  // Gives every edge-connected part of the corners that were at a node before cuts a node of its own: the part of the
  // first corner keeps it, the others get copies, which are returned.
  std::vector<NodeId> separate(NodeId node, std::span<const Side> star);

  void save(Writer& out) const;
  void load(Reader& in);

  // What is wrong with it; empty if nothing.
  std::vector<std::string> problems() const;

 private:
  friend class EditableSurface;  // which also moves and removes

  NodeId add_node(const Vec3& place, std::uint32_t source);
  TriangleId add_triangle(const std::array<NodeId, 3>& corners, std::uint32_t source);
  void join(Side a, Side b);

  Column<NodeId, Vec3> position_;
  Column<NodeId, std::uint32_t> source_;
  Column<NodeId, TriangleId> first_;  // one of a node's triangles
  Column<TriangleId, std::array<NodeId, 3>> corners_;
  Column<TriangleId, std::array<TriangleId, 3>> neighbours_;
  Column<TriangleId, std::array<std::uint32_t, 3>> cracks_;
  Column<TriangleId, std::uint32_t> piece_of_;
};

}  // namespace sunder
