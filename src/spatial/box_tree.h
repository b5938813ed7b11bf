#pragma once
// A binary hierarchy of boxes over numbered items that move and, now and then, come and go. Refitting keeps the
// hierarchy and follows the motion; an item that comes is sunk to where it widens the boxes least, one that goes leaves
// a hole. Parents stand before their children, whatever was added, so that one pass backwards refits.

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "core/parallel.h"
#include "geometry/bounds.h"

namespace sunder {

class BoxTree {
 public:
  static constexpr std::uint32_t kNone = 0xffffffffu;

  struct Node {
    Bounds box;
    std::uint32_t left = 0, right = 0;  // 0 in a leaf: the root is nobody's child
    std::uint32_t item = kNone;         // of a leaf; none in a hole
    bool is_leaf() const { return left == 0; }
  };

  // Anew, from items and their boxes.
  void build(std::span<const std::uint32_t> items, std::span<const Bounds> boxes);

  // Returns the leaf.
  std::uint32_t insert(std::uint32_t item, const Bounds& box);
  void remove(std::uint32_t item);
  std::uint32_t leaf(std::uint32_t item) const { return leaf_[item]; }
  bool holds(std::uint32_t item) const { return item < leaf_.size() && leaf_[item] != kNone; }

  // Gives every leaf the box box_of(item), and every node the box round those below it.
  template <class BoxOf>
  void refit(BoxOf&& box_of) {
    parallel_for(nodes_.size(), [&](std::size_t i) {
      Node& node = nodes_[i];
      if (node.is_leaf() && node.item != kNone) node.box = box_of(node.item);
    });
    refit_inner();
  }

  // visit(item) for every item whose box meets this one, in an order that only the history of the tree decides.
  template <class Visit>
  void for_each_meeting(const Bounds& box, Visit&& visit) const {
    if (nodes_.empty()) return;
    thread_local std::vector<std::uint32_t> stack;
    stack.assign(1, 0);
    while (!stack.empty()) {
      const Node& node = nodes_[stack.back()];
      stack.pop_back();
      if (!node.box.meets(box)) continue;
      if (node.is_leaf()) {
        if (node.item != kNone) visit(node.item);
        continue;
      }
      stack.push_back(node.right);
      stack.push_back(node.left);
    }
  }

  std::span<const Node> nodes() const { return nodes_; }
  std::size_t items() const { return items_; }
  // Holes and late comers make it a worse tree than build() would make.
  bool worn() const { return changes_ > 64 + items_at_build_; }

 private:
  std::uint32_t build_below(std::span<std::uint32_t> order, std::span<const std::uint32_t> items,
                            std::span<const Bounds> boxes, int depth);
  void refit_inner();
  void place(std::uint32_t item, std::uint32_t node);

  std::vector<Node> nodes_;
  std::vector<std::uint32_t> leaf_;  // by item
  std::size_t items_ = 0, items_at_build_ = 0, changes_ = 0;
};

// The pairs of items of a tree whose boxes meet, found by going on from where the last search ended: the front, the
// pairs of nodes at which it did not go further down.
class PairFront {
 public:
  struct Pair {
    std::uint32_t a, b;  // a < b
    friend auto operator<=>(const Pair&, const Pair&) = default;
  };

  // The tree was built anew.
  void restart() { front_.clear(); }
  // A leaf was inserted: it may meet anything.
  void add_leaf(std::uint32_t leaf) { fresh_.push_back(leaf); }

  // Every pair of items whose boxes meet and that `wanted(a, b)`, asked of their leaves, keeps; each once, ascending.
  std::span<const Pair> find(const BoxTree& tree, Borrowed<bool(std::uint32_t, std::uint32_t)> wanted);
  std::size_t size() const { return front_.size(); }

 private:
  struct Cut {
    std::uint32_t a, b;  // nodes
  };
  struct Part {
    std::vector<Cut> front, stack;
    std::vector<Pair> pairs;
  };
  static void search(std::span<const BoxTree::Node> nodes, Cut from,
                     Borrowed<bool(std::uint32_t, std::uint32_t)> wanted, Part& part);

  std::vector<Cut> front_;
  std::vector<std::uint32_t> fresh_;
  std::size_t size_at_restart_ = 0;
  std::vector<Part> parts_;
  std::vector<Pair> pairs_;
};

}  // namespace sunder
