#pragma once
// Which surface nodes are near which boundary faces of a mesh: the broad phase of contact by node penetration.

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "collision/asleep.h"
#include "collision/surface_search.h"
#include "core/column.h"
#include "core/ids.h"
#include "core/vec.h"
#include "mesh/tet_mesh.h"

namespace sunder {

// A boundary face as one number, 4 tet + corner opposite it.
inline std::uint32_t face_number(Corner face) { return 4 * face.tet.index + static_cast<std::uint32_t>(face.index); }
inline Corner face_of(std::uint32_t number) { return {TetId(number / 4), static_cast<int>(number % 4)}; }

// Whether a tet at the node and `tet` have a node in common: neighbours do not collide.
bool are_neighbours(const TetMesh& mesh, NodeId node, TetId tet);

struct SurfaceFaces {
  template <class Visit>
  static void for_each(const TetMesh& mesh, TetId tet, Visit&& visit) {
    for (int i = 0; i < 4; ++i) {
      if (!mesh.neighbour({tet, i}).valid()) visit(face_number({tet, i}));
    }
  }
  template <class Visit>
  static void for_each_possible(TetId tet, Visit&& visit) {
    for (int i = 0; i < 4; ++i) visit(face_number({tet, i}));
  }
  static std::array<NodeId, 3> nodes(const TetMesh& mesh, std::uint32_t face) { return mesh.face_nodes(face_of(face)); }
};

class NearFaces {
 public:
  // Finds every pair within `reach`, m; the larger `margin`, the rarer the search and the longer the list.
  NearFaces(double reach, double margin) : search_(reach, margin) {}

  struct Pair {
    NodeId node;
    std::uint32_t face = 0;
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };

  using News = SurfaceSearch<SurfaceFaces>::News;
  // Follows edits and motion. Afterwards every surface node and face within reach of each other, and no neighbours, are
  // in the list; where both sleep, they may be missing.
  News update(const TetMesh& mesh, const Column<NodeId, Vec3>& position, const Asleep* asleep = nullptr);
  // Others sleep than before.
  void search_again() { search_.search_again(); }

  std::span<const Pair> pairs() const { return pairs_; }  // by node, then by face
  const SurfaceSearch<SurfaceFaces>& search() const { return search_; }

 private:
  bool near(NodeId node, std::uint32_t face, double distance) const;
  template <class Visit>
  void for_each_in_box(std::uint32_t a, std::uint32_t b, Visit&& visit) const;
  void list_all();
  void list_fresh();

  SurfaceSearch<SurfaceFaces> search_;
  std::vector<Pair> pairs_;

  // A face where the search looks for it, by node of the tree.
  struct Leaf {
    std::array<Vec3, 3> corners;
    std::array<NodeId, 3> nodes;
    std::array<bool, 3> speaks_for{};  // a node is in many faces: one of them looks for what is near it
    bool asleep = false;
  };
  // what update() was given, and scratch
  const TetMesh* mesh_ = nullptr;
  const Column<NodeId, Vec3>* position_ = nullptr;
  const Asleep* asleep_ = nullptr;
  std::vector<Leaf> leaves_;
  Column<NodeId, std::uint8_t> spoken_for_;
  std::vector<std::vector<Pair>> found_;
  std::vector<Pair> fresh_pairs_;
};

}  // namespace sunder
