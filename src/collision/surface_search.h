#pragma once
// What both broad phases of contact between bodies are made of: items of the surface (faces, or tets that own one) in a
// hierarchy of boxes that follows motion and edits.
//
// A list of near pairs is made with a margin and holds until some node has used up its half of it; then the hierarchy
// is refitted and the search goes on from its last front. Where the mesh was edited, only what the journal names is
// looked at again. What is in a list beyond its reach depends on that history; who uses it must not.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "core/column.h"
#include "core/ids.h"
#include "core/parallel.h"
#include "core/vec.h"
#include "mesh/journal.h"
#include "mesh/tet_mesh.h"
#include "spatial/box_tree.h"

namespace sunder {

// Items says what is searched, as numbers:
//   for_each(mesh, tet, visit)   visit(item) for those of a tet that are in the surface
//   for_each_possible(tet, visit)   for all that a tet could ever have
//   nodes(mesh, item)            an array of them
template <class Items>
class SurfaceSearch {
 public:
  SurfaceSearch(double reach, double margin) : reach_(reach), margin_(margin) {}

  enum class News {
    none,        // the list holds
    fresh,       // but for fresh_items() and the nodes of edited(): look within fresh_distance() of them
    all,         // it must be made anew, by pairs()
    renumbered,  // so it must, and the numbers of before mean nothing any more
  };
  // `mesh` and `position` must stay until the next call.
  News follow(const TetMesh& mesh, const Column<NodeId, Vec3>& position) {
    mesh_ = &mesh, position_ = &position;
    on_list_.resize(mesh.node_slots(), 0);
    listed_at_.resize(mesh.node_slots(), Vec3::Zero());
    fresh_items_.clear(), edited_.clear();
    const bool known = mark_ && follow_edits();
    mark_ = mesh.journal().now();
    const bool most_is_fresh = kManyFresh * fresh_items_.size() > tree_.items();
    const bool anew = !known || stale_ || most_is_fresh || anything_moved();
    if (!anew) return edited_.empty() ? News::none : News::fresh;
    if (!known || tree_.worn()) build();
    ++searches_;
    stale_ = false;
    for (const NodeId n : nodes_) listed_at_[n] = position[n];
    tree_.refit([&](std::uint32_t item) { return box_of(item); });
    return known ? News::all : News::renumbered;
  }

  // The next follow() has all made anew.
  void search_again() { stale_ = true; }

  // Pairs of items whose boxes meet and that wanted(leaf, leaf) keeps, ascending.
  std::span<const PairFront::Pair> pairs(Borrowed<bool(std::uint32_t, std::uint32_t)> wanted) {
    return front_.find(tree_, wanted);
  }

  // m. A node that has used up its margin one way may go by two the other way before the next search: what is fresh is
  // listed from further away.
  double list_distance() const { return reach_ + 2 * margin_; }
  double fresh_distance() const { return reach_ + 4 * margin_; }
  // visit(item) for all within fresh_distance() of `box`, and more. Boxes in the tree may be behind by a margin.
  template <class Visit>
  void for_each_fresh_near(const Bounds& box, Visit&& visit) const {
    tree_.for_each_meeting(box.grown(0.5 * list_distance() + 3 * margin_), visit);
  }
  Bounds bounds_of(std::uint32_t item) const {
    Bounds box;
    for (const NodeId n : Items::nodes(*mesh_, item)) box.add((*position_)[n]);
    return box;
  }

  const BoxTree& tree() const { return tree_; }
  const std::vector<NodeId>& nodes() const { return nodes_; }  // of the items
  bool has(NodeId node) const { return on_list_[node] != 0; }
  std::span<const std::uint32_t> fresh_items() const { return fresh_items_; }
  std::span<const TetId> edited() const { return edited_; }  // gone ones too
  std::size_t searches() const { return searches_; }         // of the whole surface, so far
  // Up to here the journal has been read; nothing after it may be forgotten. None before the first call.
  std::optional<Journal::Mark> mark() const { return mark_; }

 private:
  static constexpr std::size_t kManyFresh = 8;  // beyond one in so many a search of all is the cheaper one

  Bounds box_of(std::uint32_t item) const { return bounds_of(item).grown(0.5 * list_distance()); }

  void add_nodes(std::uint32_t item) {
    for (const NodeId n : Items::nodes(*mesh_, item)) {
      if (on_list_[n] != 0) continue;  // it keeps the place for which the rest of the list holds
      on_list_[n] = 1;
      nodes_.push_back(n);
      listed_at_[n] = (*position_)[n];
    }
  }

  void build() {
    nodes_.clear();
    on_list_.assign(mesh_->node_slots(), 0);
    std::vector<std::uint32_t> items;
    std::vector<Bounds> boxes;
    for (const TetId t : id_range<TetId>(mesh_->tet_slots())) {
      if (!mesh_->alive(t)) continue;
      Items::for_each(*mesh_, t, [&](std::uint32_t item) {
        items.push_back(item);
        boxes.push_back(box_of(item));
        add_nodes(item);
      });
    }
    tree_.build(items, boxes);
    front_.restart();
  }

  // False if the numbers of before mean nothing any more. What was edited goes and comes back anew, even if it only
  // gave a corner to another node: who its neighbours are has changed.
  bool follow_edits() {
    std::optional<std::vector<TetId>> edited = edited_tets(mesh_->journal(), *mark_);
    if (!edited) return false;
    edited_ = std::move(*edited);
    const auto edits = mesh_->journal().since(*mark_);
    if (std::any_of(edits.begin(), edits.end(), [](const Edit& e) { return e.kind == Edit::Kind::node_removed; })) {
      std::erase_if(nodes_, [&](NodeId n) {
        if (mesh_->alive(n)) return false;
        on_list_[n] = 0;
        return true;
      });
    }
    for (const TetId t : edited_) {
      Items::for_each_possible(t, [&](std::uint32_t item) {
        if (tree_.holds(item)) tree_.remove(item);
      });
      if (!mesh_->alive(t)) continue;
      Items::for_each(*mesh_, t, [&](std::uint32_t item) {
        front_.add_leaf(tree_.insert(item, box_of(item)));
        fresh_items_.push_back(item);
        add_nodes(item);
      });
    }
    return true;
  }

  bool anything_moved() const {
    constexpr std::size_t kNodesPerTask = 4096;
    const double limit = margin_ * margin_;
    return parallel_sum(nodes_.size(), kNodesPerTask, [&](std::size_t begin, std::size_t end) {
             double moved = 0;
             for (std::size_t i = begin; i < end; ++i) {
               const NodeId n = nodes_[i];
               if (!(((*position_)[n] - listed_at_[n]).squaredNorm() <= limit)) moved = 1;
             }
             return moved;
           }) > 0;
  }

  double reach_, margin_;  // m
  BoxTree tree_;
  PairFront front_;
  std::vector<NodeId> nodes_;
  Column<NodeId, std::uint8_t> on_list_;  // whether in nodes_
  Column<NodeId, Vec3> listed_at_;        // where a node was when the pairs were found
  std::vector<std::uint32_t> fresh_items_;
  std::vector<TetId> edited_;
  std::optional<Journal::Mark> mark_;
  std::size_t searches_ = 0;
  bool stale_ = false;
  const TetMesh* mesh_ = nullptr;
  const Column<NodeId, Vec3>* position_ = nullptr;
};

}  // namespace sunder
