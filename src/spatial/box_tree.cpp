#include "spatial/box_tree.h"

#include <algorithm>
#include <numeric>

namespace sunder {
namespace {

constexpr std::size_t kCutsPerTask = 2048;
constexpr int kMaxDepth = 60;  // beyond, halves are cut by count: many boxes in one place

double half_extent(const Bounds& box) {  // the sum of the edges: what a careless insertion makes long
  return (box.upper - box.lower).sum();
}

}  // namespace

void BoxTree::place(std::uint32_t item, std::uint32_t node) {
  if (item >= leaf_.size()) leaf_.resize(item + std::size_t{1}, kNone);
  leaf_[item] = node;
}

void BoxTree::build(std::span<const std::uint32_t> items, std::span<const Bounds> boxes) {
  nodes_.clear();
  std::fill(leaf_.begin(), leaf_.end(), kNone);
  items_ = items_at_build_ = items.size();
  changes_ = 0;
  if (items.empty()) return;
  nodes_.reserve(2 * items.size());
  std::vector<std::uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0u);
  build_below(order, items, boxes, 0);
}

// Halves at the middle of the centres along their longest extent, so that the halves are apart; by count if that
// leaves one empty.
std::uint32_t BoxTree::build_below(std::span<std::uint32_t> order, std::span<const std::uint32_t> items,
                                   std::span<const Bounds> boxes, int depth) {
  const auto index = static_cast<std::uint32_t>(nodes_.size());
  nodes_.emplace_back();
  Bounds all, centres;
  for (const std::uint32_t i : order) all.add(boxes[i]), centres.add(boxes[i].centre());
  nodes_[index].box = all;
  if (order.size() == 1) {
    nodes_[index].item = items[order[0]];
    place(items[order[0]], index);
    return index;
  }
  int axis = 0;
  (centres.upper - centres.lower).maxCoeff(&axis);
  const double middle = centres.centre()[axis];
  auto half =
      std::partition(order.begin(), order.end(), [&](std::uint32_t i) { return boxes[i].centre()[axis] < middle; });
  if (half == order.begin() || half == order.end() || depth > kMaxDepth) {
    half = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
  }
  const auto count = static_cast<std::size_t>(half - order.begin());
  const std::uint32_t left = build_below(order.first(count), items, boxes, depth + 1);
  const std::uint32_t right = build_below(order.subspan(count), items, boxes, depth + 1);
  nodes_[index].left = left, nodes_[index].right = right;
  return index;
}

void BoxTree::refit_inner() {
  for (std::size_t i = nodes_.size(); i-- > 0;) {
    Node& node = nodes_[i];
    if (node.is_leaf()) continue;
    node.box = nodes_[node.left].box;
    node.box.add(nodes_[node.right].box);
  }
}

std::uint32_t BoxTree::insert(std::uint32_t item, const Bounds& box) {
  ++items_, ++changes_;
  if (nodes_.empty()) {
    nodes_.push_back({box, 0, 0, item});
    place(item, 0);
    return 0;
  }
  std::uint32_t at = 0;
  while (!nodes_[at].is_leaf()) {
    nodes_[at].box.add(box);
    const auto growth = [&](std::uint32_t child) {
      Bounds both = nodes_[child].box;
      both.add(box);
      return half_extent(both) - half_extent(nodes_[child].box);
    };
    at = growth(nodes_[at].left) <= growth(nodes_[at].right) ? nodes_[at].left : nodes_[at].right;
  }
  if (nodes_[at].item == kNone) {  // fills a hole
    nodes_[at].box = box;
    nodes_[at].item = item;
    place(item, at);
    return at;
  }
  const auto below = static_cast<std::uint32_t>(nodes_.size());
  const Node old = nodes_[at];
  nodes_.push_back(old);
  nodes_.push_back({box, 0, 0, item});
  place(old.item, below);
  place(item, below + 1);
  Node& parent = nodes_[at];
  parent.item = kNone;
  parent.left = below, parent.right = below + 1;
  parent.box.add(box);
  return below + 1;
}

void BoxTree::remove(std::uint32_t item) {
  Node& leaf = nodes_[leaf_[item]];
  leaf.item = kNone;
  leaf.box = Bounds{};
  leaf_[item] = kNone;
  --items_, ++changes_;
}

void PairFront::search(std::span<const BoxTree::Node> nodes, Cut from,
                       Borrowed<bool(std::uint32_t, std::uint32_t)> wanted, Part& part) {
  part.stack.assign(1, from);
  while (!part.stack.empty()) {
    const Cut cut = part.stack.back();
    part.stack.pop_back();
    const BoxTree::Node &a = nodes[cut.a], &b = nodes[cut.b];
    if (cut.a == cut.b) {
      if (a.is_leaf()) continue;
      part.stack.push_back({a.left, a.left});
      part.stack.push_back({a.right, a.right});
      part.stack.push_back({a.left, a.right});
      continue;
    }
    const bool hole = (a.is_leaf() && a.item == BoxTree::kNone) || (b.is_leaf() && b.item == BoxTree::kNone);
    if (hole || !a.box.meets(b.box)) {
      part.front.push_back(cut);
      continue;
    }
    if (a.is_leaf() && b.is_leaf()) {
      part.front.push_back(cut);
      if (wanted(cut.a, cut.b)) part.pairs.push_back({std::min(a.item, b.item), std::max(a.item, b.item)});
      continue;
    }
    if (b.is_leaf() || (!a.is_leaf() && half_extent(a.box) > half_extent(b.box))) {
      part.stack.push_back({a.left, cut.b});
      part.stack.push_back({a.right, cut.b});
    } else {
      part.stack.push_back({cut.a, b.left});
      part.stack.push_back({cut.a, b.right});
    }
  }
}

std::span<const PairFront::Pair> PairFront::find(const BoxTree& tree,
                                                 Borrowed<bool(std::uint32_t, std::uint32_t)> wanted) {
  pairs_.clear();
  if (tree.items() == 0) return pairs_;
  // A front only ever goes down: when it has grown much longer than a fresh one, start a fresh one.
  const bool fresh = front_.empty() || front_.size() > 2 * size_at_restart_ + 1024;
  if (fresh) {
    front_.assign(1, {0, 0});
  } else {
    for (const std::uint32_t leaf : fresh_) front_.push_back({leaf, 0});
  }
  fresh_.clear();
  if (fresh) {  // broad enough to share out
    for (std::size_t level = 0; level < 8; ++level) {
      std::vector<Cut> next;
      for (const Cut cut : front_) {
        const BoxTree::Node& a = tree.nodes()[cut.a];
        if (cut.a != cut.b || a.is_leaf()) {
          next.push_back(cut);
          continue;
        }
        next.insert(next.end(), {{a.left, a.left}, {a.right, a.right}, {a.left, a.right}});
      }
      front_ = std::move(next);
    }
  }
  const std::size_t per_task = fresh ? 1 : kCutsPerTask;
  parts_.resize(std::max(parts_.size(), (front_.size() + per_task - 1) / per_task));
  const std::size_t parts = (front_.size() + per_task - 1) / per_task;
  parallel_chunks(front_.size(), per_task, [&](std::size_t begin, std::size_t end) {
    Part& part = parts_[begin / per_task];
    part.front.clear(), part.pairs.clear();
    for (std::size_t i = begin; i < end; ++i) search(tree.nodes(), front_[i], wanted, part);
  });
  front_.clear();
  for (std::size_t p = 0; p < parts; ++p) {
    front_.insert(front_.end(), parts_[p].front.begin(), parts_[p].front.end());
    pairs_.insert(pairs_.end(), parts_[p].pairs.begin(), parts_[p].pairs.end());
  }
  if (fresh) size_at_restart_ = front_.size();
  std::sort(pairs_.begin(), pairs_.end());
  pairs_.erase(std::unique(pairs_.begin(), pairs_.end()), pairs_.end());
  return pairs_;
}

}  // namespace sunder
