#pragma once
// Fragments: what hangs together through shared faces, or edges in a surface. Their ids last: when a fragment breaks,
// the piece with the most material volume keeps the id (the smallest tet uid decides a tie), the others get new ones
// and remember the parent.

#include <cstddef>
#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "mesh/journal.h"
#include "mesh/tet_mesh.h"
#include "mesh/tri_mesh.h"

namespace sunder {

struct NewFragment {
  std::uint32_t id;
  std::uint32_t parent;  // 0: there from the start, or made of nothing the last update saw
  friend bool operator==(const NewFragment&, const NewFragment&) = default;
};

template <class Mesh>
struct ElementOf;
template <>
struct ElementOf<TetMesh> {
  using Id = TetId;
};
template <>
struct ElementOf<TriMesh> {
  using Id = TriangleId;
};

// Below, volume is area in a surface, and tets are triangles.
template <class Mesh>
class FragmentsOf {
 public:
  using ElementId = typename ElementOf<Mesh>::Id;

  // All a checkpoint needs: who belonged where at the last update, in ascending order of uids.
  struct State {
    std::vector<std::pair<Uid, std::uint32_t>> tets, nodes;
    std::uint32_t next_id = 1;
    friend bool operator==(const State&, const State&) = default;
  };

  FragmentsOf() = default;
  explicit FragmentsOf(State state, std::size_t count = 0) : state_(std::move(state)), count_(count) {}

  // Labels the mesh anew (a tet mesh only if its journal holds an edit of tets since the last update), and returns the
  // fragments that are new, in the order of their ids: at first all of them, numbered from 1 by their smallest tet uid.
  //
  // A piece descends from the fragment that gave it the most volume of tets that are still there; if all its tets are
  // new (a split replaces tets), from the one that gave it the most nodes. Update after every step that splits, and
  // one or the other is always there.
  std::vector<NewFragment> update(const Mesh& mesh);

  // A split has replaced a tet with this label by others, which are younger than all tets so far: they descend from its
  // fragment. With that told of every split, an update once in a while is enough.
  void inherit(Uid child, std::uint32_t label);

  // Of a tet, as of the last update; of one made since, that of the tet it came from. 0 if nothing is known of it.
  std::uint32_t label(Uid tet) const;

  // By tet slot; 0 in holes. As of the last update.
  const Column<ElementId, std::uint32_t>& labels() const { return labels_; }
  std::size_t count() const { return count_; }

  const State& state() const { return state_; }
  // Up to here the journal has been read; nothing after it may be forgotten. None before the first update.
  std::optional<Journal::Mark> mark() const { return mark_; }

 private:
  State state_;
  Column<ElementId, std::uint32_t> labels_;
  std::size_t count_ = 0;
  std::optional<Journal::Mark> mark_;
};

using FragmentTracker = FragmentsOf<TetMesh>;
using SurfaceFragments = FragmentsOf<TriMesh>;

}  // namespace sunder
