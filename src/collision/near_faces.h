#pragma once
// Which surface nodes are near which boundary faces of a mesh: the broad phase of contact between bodies.
//
// The list is made with a margin and holds until some node has used up its half of it; then the hierarchy of boxes is
// refitted and the search goes on from its last front. Where the mesh was edited, only what the journal names is looked
// at again. What is in the list beyond its reach depends on that history; who uses it must not.

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "mesh/journal.h"
#include "mesh/tet_mesh.h"
#include "spatial/box_tree.h"

namespace sunder {

// A boundary face as one number, 4 tet + corner opposite it.
inline std::uint32_t face_number(Corner face) { return 4 * face.tet.index + static_cast<std::uint32_t>(face.index); }
inline Corner face_of(std::uint32_t number) { return {TetId(number / 4), static_cast<int>(number % 4)}; }

// Whether a tet at the node and `tet` have a node in common: neighbours do not collide.
bool are_neighbours(const TetMesh& mesh, NodeId node, TetId tet);

class NearFaces {
 public:
  // Finds every pair within `reach`, m; the larger `margin`, the rarer the search and the longer the list.
  NearFaces(double reach, double margin) : reach_(reach), margin_(margin) {}

  struct Pair {
    NodeId node;
    std::uint32_t face = 0;
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };

  // Follows edits and motion. Afterwards every surface node and face within reach of each other, and no neighbours, are
  // in the list.
  void update(const TetMesh& mesh, const Column<NodeId, Vec3>& position);

  std::span<const Pair> pairs() const { return pairs_; }  // by node, then by face
  const std::vector<NodeId>& nodes() const { return nodes_; }
  std::size_t faces() const { return tree_.items(); }
  std::size_t searches() const { return searches_; }  // of the whole surface, so far

  // Up to here the journal has been read; nothing after it may be forgotten. None before the first update.
  std::optional<Journal::Mark> mark() const { return mark_; }

 private:
  double list_distance() const { return reach_ + 2 * margin_; }
  Bounds box_of(std::uint32_t face) const;
  bool near(NodeId node, std::uint32_t face, double distance) const;
  void add_node(NodeId node);
  void start();
  bool follow_edits();
  bool anything_moved() const;
  template <class Visit>
  void for_each_near(std::uint32_t a, std::uint32_t b, Visit&& visit) const;
  void list_all();
  void list_fresh();

  double reach_, margin_;  // m
  BoxTree tree_;
  PairFront front_;
  std::vector<NodeId> nodes_;             // of the surface
  Column<NodeId, std::uint8_t> on_list_;  // whether in nodes_
  Column<NodeId, Vec3> listed_at_;        // where a node was when the pairs were found
  std::vector<Pair> pairs_;
  std::optional<Journal::Mark> mark_;
  std::size_t searches_ = 0;

  // A face where the search looks for it, by node of the tree.
  struct Leaf {
    std::array<Vec3, 3> corners;
    std::array<NodeId, 3> nodes;
  };

  // what update() was given, and scratch
  std::vector<Leaf> leaves_;
  const TetMesh* mesh_ = nullptr;
  const Column<NodeId, Vec3>* position_ = nullptr;
  std::vector<std::uint32_t> fresh_faces_;
  std::vector<NodeId> fresh_nodes_;
  std::vector<std::vector<Pair>> found_;
};

}  // namespace sunder
