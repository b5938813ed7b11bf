#pragma once
// Which tets of the surface are near which others: the broad phase of contact by overlap.

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

// Bit i: nothing lies behind the face opposite corner i.
std::uint8_t boundary_faces_of(const TetMesh& mesh, TetId tet);

// Those that own a boundary face.
struct SurfaceTets {
  template <class Visit>
  static void for_each(const TetMesh& mesh, TetId tet, Visit&& visit) {
    if (boundary_faces_of(mesh, tet) != 0) visit(tet.index);
  }
  template <class Visit>
  static void for_each_possible(TetId tet, Visit&& visit) {
    visit(tet.index);
  }
  static const std::array<NodeId, 4>& nodes(const TetMesh& mesh, std::uint32_t tet) { return mesh.corners(TetId(tet)); }
};

class NearTets {
 public:
  // Finds every pair within `reach`, m; the larger `margin`, the rarer the search and the longer the list.
  NearTets(double reach, double margin) : search_(reach, margin) {}

  struct Pair {
    TetId a, b;  // a < b
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };

  // Follows edits and motion. Afterwards every two tets that own a boundary face, have no node in common and are
  // within reach of each other are in the list; where both sleep, they may be missing.
  void update(const TetMesh& mesh, const Column<NodeId, Vec3>& position, const Asleep* asleep = nullptr);
  // Others sleep than before.
  void search_again() { search_.search_again(); }

  std::span<const Pair> pairs() const { return pairs_; }  // ascending
  const SurfaceSearch<SurfaceTets>& search() const { return search_; }

 private:
  bool sleeps(TetId tet) const { return asleep_ != nullptr && (*asleep_)[mesh_->corners(tet)[0]]; }
  bool near(TetId a, TetId b, double distance) const;
  void list_all();
  void list_fresh();

  SurfaceSearch<SurfaceTets> search_;
  std::vector<Pair> pairs_;
  const TetMesh* mesh_ = nullptr;  // what update() was given
  const Column<NodeId, Vec3>* position_ = nullptr;
  const Asleep* asleep_ = nullptr;
};

}  // namespace sunder
