#pragma once
// Which tets of the surface are near which others: the broad phase of contact by overlap. As NearFaces: a list with a
// margin that holds until some node has used up its half, a hierarchy that is refitted, a front that is kept, and after
// edits a look at no more than the journal names. What is in the list beyond its reach depends on that history; who
// uses it must not.

#include <array>
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

bool share_a_node(const std::array<NodeId, 4>& a, const std::array<NodeId, 4>& b);

// Bit i: nothing lies behind the face opposite corner i.
std::uint8_t boundary_faces_of(const TetMesh& mesh, TetId tet);

class NearTets {
 public:
  // Finds every pair within `reach`, m; the larger `margin`, the rarer the search and the longer the list.
  NearTets(double reach, double margin) : reach_(reach), margin_(margin) {}

  struct Pair {
    TetId a, b;  // a < b
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };

  // Follows edits and motion. Afterwards every two tets that own a boundary face, have no node in common and are
  // within reach of each other are in the list.
  void update(const TetMesh& mesh, const Column<NodeId, Vec3>& position);

  std::span<const Pair> pairs() const { return pairs_; }  // ascending
  const std::vector<NodeId>& nodes() const { return nodes_; }
  std::size_t tets() const { return tree_.items(); }
  std::size_t searches() const { return searches_; }  // of the whole surface, so far
  std::optional<Journal::Mark> mark() const { return mark_; }

 private:
  double list_distance() const { return reach_ + 2 * margin_; }
  Bounds box_of(TetId tet) const;
  bool near(TetId a, TetId b, double distance) const;
  void add_node(NodeId node);
  void start();
  bool follow_edits();
  bool anything_moved() const;
  void list_all();
  void list_fresh();

  double reach_, margin_;  // m
  BoxTree tree_;
  PairFront front_;
  std::vector<NodeId> nodes_;             // of the tets in the tree
  Column<NodeId, std::uint8_t> on_list_;  // whether in nodes_
  Column<NodeId, Vec3> listed_at_;        // where a node was when the pairs were found
  std::vector<Pair> pairs_;
  std::optional<Journal::Mark> mark_;
  std::size_t searches_ = 0;

  // what update() was given, and scratch
  const TetMesh* mesh_ = nullptr;
  const Column<NodeId, Vec3>* position_ = nullptr;
  std::vector<TetId> fresh_;
};

}  // namespace sunder
