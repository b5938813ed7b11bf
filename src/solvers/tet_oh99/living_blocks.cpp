#include "solvers/tet_oh99/living_blocks.h"

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace sunder::tet_oh99 {
namespace {

// To cut a tet into the blocks takes as long as some 20 force evaluations of it (0.24 us and 12 ns, perf), and a lane
// of the tail costs about one more than a lane elsewhere.
constexpr std::uint64_t kCutInEvaluations = 20;

template <class T>
void fill_with_first(std::array<T, kLanes>& lanes) {
  lanes.fill(T(lanes[0]));
}

// Lanes without tets are computed, too: they get the shape and nodes of the first, but keep their volume of nothing.
void copy_first_lane(PairGroup& group) {
  for (auto& node : group.node) fill_with_first(node);
  fill_with_first(group.u00), fill_with_first(group.u01), fill_with_first(group.u11);
  for (PairGroup::Tet& tet : group.tet) fill_with_first(tet.u02), fill_with_first(tet.u12), fill_with_first(tet.u22);
}

int shared_nodes(const std::array<NodeId, 4>& a, const std::array<NodeId, 4>& b) {
  return static_cast<int>(
      std::count_if(a.begin(), a.end(), [&](NodeId n) { return std::find(b.begin(), b.end(), n) != b.end(); }));
}

}  // namespace

void LivingBlocks::cut() {
  blocks_ = element_blocks(mesh_, elements_, asleep_);
  first_tail_block_ = blocks_.blocks.size();
  tail_lanes_ = tail_cost_ = 0;
  tails_.clear();
  block_of_group_.clear();
  for (std::uint32_t b = 0; b < blocks_.blocks.size(); ++b) {
    block_of_group_.resize(block_of_group_.size() + blocks_.blocks[b].group_count, b);
  }
  find_lanes();
  mark_ = mesh_.journal().now();
}

void LivingBlocks::find_lanes() {
  lane_of_.assign(mesh_.tet_slots(), kNone);
  for (std::uint32_t lane = 0; lane < blocks_.lane_tets.size(); ++lane) {
    for (const TetId t : blocks_.lane_tets[lane]) {
      if (!t.valid()) continue;
      lane_of_[t] = lane;
      put_limit(t);
    }
  }
  tail_place_.assign(mesh_.node_slots(), {});
}

void LivingBlocks::update() {
  const auto edits = mesh_.journal().since(mark_);
  mark_ = mesh_.journal().now();
  if (edits.empty()) return;
  lane_of_.resize(mesh_.tet_slots(), kNone);
  tail_place_.resize(mesh_.node_slots(), {});
  homeless_.clear(), vacated_.clear();
  for (const Edit& edit : edits) {
    if (edit.kind == Edit::Kind::tet_added || edit.kind == Edit::Kind::tet_changed) homeless_.push_back(edit.tet());
    if (edit.kind == Edit::Kind::tet_removed || edit.kind == Edit::Kind::tet_changed) vacate(edit.tet());
  }
  // Not before all are known who leave: a partner that stays is one whose nodes are as they were.
  for (const std::uint32_t lane : vacated_) tidy(lane);
  for (const TetId t : homeless_) {
    if (mesh_.alive(t) && lane_of_[t] == kNone && !sleeps(t)) append({t, partner(t)});
  }
}

bool LivingBlocks::cut_if_it_pays() {
  tail_cost_ += tail_lanes_;
  if (tail_cost_ <= kCutInEvaluations * mesh_.tet_count()) return false;
  cut();
  return true;
}

void LivingBlocks::vacate(TetId tet) {
  const std::uint32_t lane = lane_of_[tet];
  if (lane == kNone) return;
  Pair& pair = blocks_.lane_tets[lane];
  const std::size_t which = pair[0] == tet ? 0 : 1, other = 1 - which;
  pair[which] = TetId();
  lane_of_[tet] = kNone;
  const bool other_has_just_left =
      !pair[other].valid() && blocks_.groups[lane / kLanes].tet[other].volume[lane % kLanes] != 0;
  if (!other_has_just_left) vacated_.push_back(lane);
}

// After one of its tets, or both, have left a lane. The one that stays gets a frame of its own, as if it had never had
// a partner: what is left in lanes follows from the mesh.
void LivingBlocks::tidy(std::uint32_t lane) {
  const std::size_t group = lane / kLanes, in_group = lane % kLanes;
  const Pair pair = blocks_.lane_tets[lane];
  if (const TetId left = pair[0].valid() ? pair[0] : pair[1]; left.valid()) {
    const Block& block = blocks_.blocks[block_of_group_[group]];
    std::array<std::uint16_t, 5> places;
    for (std::size_t c = 0; c < 4; ++c) {
      const NodeId node = mesh_.corners(left)[c];
      for (const auto& lanes : blocks_.groups[group].node) {
        const std::uint16_t place = lanes[in_group];
        if (blocks_.slot_node[block.first_slot + place / kNodeStride] == node) places[c] = place;
      }
    }
    places[4] = places[3];
    set_lane(mesh_, elements_, {left, TetId()}, true, places, group, in_group, blocks_);
    put_limit(left);
    return;
  }
  for (std::size_t i = 0; i < 2; ++i) {
    PairGroup::Tet& tet = blocks_.groups[group].tet[i];
    PairGroupBounds::Tet& bounds = blocks_.bounds[group].tet[i];
    tet.volume[in_group] = tet.damped_volume[in_group] = 0;
    bounds.elastic_eigen[in_group] = bounds.viscous_eigen[in_group] = bounds.gradient_square[in_group] = 0;
    blocks_.limits[group].tet[i][in_group] = std::numeric_limits<double>::infinity();
  }
  // Running cracks change again what they have just made: lanes of the open block are used again.
  for (Tail& tail : tails_) {
    if (tail.block != block_of_group_[group]) continue;
    tail.free.push_back(lane - blocks_.blocks[tail.block].first_group * static_cast<std::uint32_t>(kLanes));
    --tail_lanes_;
  }
}

std::uint32_t LivingBlocks::open_tail(std::uint32_t material) {
  if (material >= tails_.size()) tails_.resize(material + 1);
  Tail& tail = tails_[material];
  if (tail.block != kNone && blocks_.blocks[tail.block].node_count + 5 <= kTailNodes &&
      (!tail.free.empty() || tail.lanes < kTailGroups * kLanes)) {
    return tail.block;
  }
  tail = {static_cast<std::uint32_t>(blocks_.blocks.size()), 0, {}};
  blocks_.blocks.push_back({.material = material,
                            .first_group = static_cast<std::uint32_t>(blocks_.groups.size()),
                            .group_count = 0,
                            .first_slot = static_cast<std::uint32_t>(blocks_.slot_node.size()),
                            .node_count = 0});
  const std::size_t groups = blocks_.groups.size() + kTailGroups;
  block_of_group_.resize(groups, tail.block);
  blocks_.groups.resize(groups), blocks_.bounds.resize(groups), blocks_.limits.resize(groups);
  blocks_.lane_tets.resize(groups * kLanes);
  blocks_.slot_node.resize(blocks_.slot_node.size() + kTailNodes, NodeId(0));
  return tail.block;
}

std::uint16_t LivingBlocks::place_in_tail(std::uint32_t block, NodeId node) {
  TailPlace& place = tail_place_[node];
  if (place.block != block) {
    Block& b = blocks_.blocks[block];
    place = {block, b.node_count};
    blocks_.slot_node[b.first_slot + b.node_count++] = node;
  }
  return static_cast<std::uint16_t>(place.number * kNodeStride);
}

// The neighbour that has no lane either; none if there is none, or if rest shapes flow.
TetId LivingBlocks::partner(TetId tet) const {
  const std::uint32_t material = mesh_.tags(tet).material;
  if (elements_.plastic.flows[material] != 0) return {};
  for (int i = 0; i < 4; ++i) {
    const TetId other = mesh_.neighbour({tet, i});
    if (other.valid() && lane_of_[other] == kNone && mesh_.tags(other).material == material && !sleeps(other)) {
      return other;
    }
  }
  return {};
}

void LivingBlocks::append(const Pair& pair) {
  const std::uint32_t material = mesh_.tags(pair[0]).material;
  const std::uint32_t number = open_tail(material);
  std::array<std::uint16_t, 5> places;
  const std::array<NodeId, 5> nodes = pair_nodes(mesh_, pair);
  for (std::size_t i = 0; i < 5; ++i) places[i] = place_in_tail(number, nodes[i]);
  Block& block = blocks_.blocks[number];
  Tail& tail = tails_[material];
  const bool again = !tail.free.empty();
  const std::uint32_t in_block = again ? tail.free.back() : tail.lanes++;
  if (again) tail.free.pop_back();
  const std::size_t lane = in_block % kLanes, group = block.first_group + in_block / kLanes;
  set_lane(mesh_, elements_, pair, true, places, group, lane, blocks_);
  if (lane == 0 && !again) {
    copy_first_lane(blocks_.groups[group]);
    for (Lanes& limit : blocks_.limits[group].tet) limit.fill(std::numeric_limits<double>::infinity());
  }
  block.group_count = static_cast<std::uint32_t>((tail.lanes + kLanes - 1) / kLanes);
  for (const TetId tet : pair) {
    if (!tet.valid()) continue;
    lane_of_[tet] = static_cast<std::uint32_t>(group * kLanes + lane);
    put_limit(tet);
  }
  ++tail_lanes_;
}

void LivingBlocks::set_limit(TetId tet, double limit_square) {
  if (limit_square_.size() < mesh_.tet_slots()) {
    limit_square_.resize(mesh_.tet_slots(), std::numeric_limits<double>::infinity());
  }
  limit_square_[tet] = limit_square;
  if (tet.index < lane_of_.size() && lane_of_[tet] != kNone) put_limit(tet);
}

void LivingBlocks::reshape(TetId tet) {
  const std::uint32_t lane = lane_of_[tet];
  std::array<std::uint16_t, 5> places;
  const std::size_t group = lane / kLanes;
  for (std::size_t i = 0; i < 5; ++i) places[i] = blocks_.groups[group].node[i][lane % kLanes];
  set_lane(mesh_, elements_, {tet, TetId()}, true, places, group, lane % kLanes, blocks_);
  put_limit(tet);
}

void LivingBlocks::put_limit(TetId tet) {
  if (tet.index >= limit_square_.size()) return;
  const std::uint32_t lane = lane_of_[tet];
  const std::size_t which = blocks_.lane_tets[lane][0] == tet ? 0 : 1;
  blocks_.limits[lane / kLanes].tet[which][lane % kLanes] = limit_square_[tet];
}

// --- checkpoints: which tets stand in which lanes, and what open blocks hold; all else follows from the mesh ---------

void LivingBlocks::save(Writer& out) const {
  out.put<std::uint64_t>(first_tail_block_), out.put(tail_lanes_), out.put(tail_cost_);
  out.put<std::uint64_t>(tails_.size());
  for (const Tail& tail : tails_) {
    out.put(tail.block), out.put(tail.lanes), out.put_all(std::span<const std::uint32_t>(tail.free));
    if (tail.block == kNone) continue;
    const Block& block = blocks_.blocks[tail.block];
    const auto first = blocks_.slot_node.begin() + block.first_slot;
    out.put_all(std::span<const NodeId>(first, first + block.node_count));
  }
  out.put<std::uint64_t>(blocks_.blocks.size());
  for (std::size_t b = 0; b < blocks_.blocks.size(); ++b) {
    const Block& block = blocks_.blocks[b];
    out.put(block.material);
    const auto lanes = static_cast<std::ptrdiff_t>(kLanes);
    const auto first = blocks_.lane_tets.begin() + block.first_group * lanes;
    out.put_all(std::span<const Pair>(first, first + block.group_count * lanes));
  }
}

void LivingBlocks::load(Reader& in) {
  blocks_ = {};
  block_of_group_.clear();
  first_tail_block_ = in.get<std::uint64_t>();
  tail_lanes_ = in.get<std::uint64_t>(), tail_cost_ = in.get<std::uint64_t>();
  tails_.clear();
  std::unordered_map<std::uint32_t, std::vector<NodeId>> nodes_of;  // of open blocks, those of tets that are gone too
  for (auto left = in.get<std::uint64_t>(); left > 0; --left) {
    Tail& tail = tails_.emplace_back();
    tail.block = in.get<std::uint32_t>(), tail.lanes = in.get<std::uint32_t>();
    tail.free = in.get_all<std::uint32_t>();
    if (tail.block == kNone) continue;
    std::vector<NodeId>& nodes = nodes_of[tail.block];
    nodes = in.get_all<NodeId>();
    if (nodes.size() > kTailNodes) in.fail();
    for (const NodeId n : nodes) {
      if (n.index >= mesh_.node_slots()) in.fail();
    }
  }
  const auto count = in.get<std::uint64_t>();
  if (first_tail_block_ > count) in.fail();
  lane_of_.assign(mesh_.tet_slots(), kNone);
  tail_place_.assign(mesh_.node_slots(), {});
  std::size_t tets = 0;
  for (std::uint32_t b = 0; b < count; ++b) {
    Block block;
    block.material = in.get<std::uint32_t>();
    const std::vector<Pair> lanes = in.get_all<Pair>();
    if (lanes.size() % kLanes != 0) in.fail();
    for (const Pair& pair : lanes) {
      for (const TetId t : pair) {
        if (!t.valid()) continue;
        if (!mesh_.alive(t) || mesh_.tags(t).material != block.material || lane_of_[t] != kNone || sleeps(t)) in.fail();
        lane_of_[t] = 0;
        ++tets;
      }
      if (!pair[1].valid()) continue;
      if (!pair[0].valid() || shared_nodes(mesh_.corners(pair[0]), mesh_.corners(pair[1])) != 3) in.fail();
    }
    const bool in_tail = b >= first_tail_block_;
    if (lanes.size() > (in_tail ? kTailGroups * kLanes : kBlockTets + kLanes)) in.fail();
    block.first_group = static_cast<std::uint32_t>(blocks_.groups.size());
    block.group_count = static_cast<std::uint32_t>(lanes.size() / kLanes);
    block.first_slot = static_cast<std::uint32_t>(blocks_.slot_node.size());
    const std::size_t groups = blocks_.groups.size() + (in_tail ? kTailGroups : block.group_count);
    block_of_group_.resize(groups, b);
    blocks_.groups.resize(groups), blocks_.bounds.resize(groups), blocks_.limits.resize(groups);
    blocks_.lane_tets.resize(groups * kLanes);
    const std::size_t most_nodes = in_tail ? kTailNodes : kBlockNodes;
    blocks_.slot_node.resize(blocks_.slot_node.size() + most_nodes, NodeId(0));
    blocks_.blocks.push_back(block);
    if (in_tail) {
      for (const NodeId n : nodes_of[b]) place_in_tail(b, n);
    }
    rebuild_block(b, lanes);
    if (blocks_.blocks.back().node_count > most_nodes) in.fail();
    if (!in_tail) blocks_.slot_node.resize(block.first_slot + blocks_.blocks.back().node_count);
  }
  std::size_t awake = 0;
  for (const TetId t : id_range<TetId>(mesh_.tet_slots())) awake += mesh_.alive(t) && !sleeps(t) ? 1 : 0;
  if (tets != awake) in.fail();
  for (std::uint32_t material = 0; material < tails_.size(); ++material) {
    const Tail& tail = tails_[material];
    if (tail.block == kNone) continue;
    if (tail.block < first_tail_block_ || tail.block >= count) in.fail();
    if (blocks_.blocks[tail.block].material != material) in.fail();
    if ((tail.lanes + kLanes - 1) / kLanes != blocks_.blocks[tail.block].group_count) in.fail();
    const std::size_t first = blocks_.blocks[tail.block].first_group * kLanes;
    std::vector<bool> is_free(tail.lanes, false);
    for (const std::uint32_t lane : tail.free) {
      if (lane >= tail.lanes || is_free[lane] || blocks_.lane_tets[first + lane][0].valid()) in.fail();
      is_free[lane] = true;
    }
  }
  link_nodes(mesh_.node_slots(), first_tail_block_, blocks_);
  mark_ = mesh_.journal().now();
}

// A lane without tets keeps its place, since places decide the order of sums.
void LivingBlocks::rebuild_block(std::uint32_t number, const std::vector<Pair>& lanes) {
  Block& block = blocks_.blocks[number];
  for (std::size_t l = 0; l < lanes.size(); ++l) {
    const std::size_t group = block.first_group + l / kLanes;
    if (!lanes[l][0].valid()) continue;
    std::array<std::uint16_t, 5> places;
    const std::array<NodeId, 5> nodes = pair_nodes(mesh_, lanes[l]);
    for (std::size_t i = 0; i < 5; ++i) {
      if (block.node_count + 1 > (number < first_tail_block_ ? kBlockNodes : kTailNodes) &&
          tail_place_[nodes[i]].block != number) {
        ++block.node_count;  // too many: the caller refuses
        return;
      }
      places[i] = place_in_tail(number, nodes[i]);
    }
    set_lane(mesh_, elements_, lanes[l], true, places, group, l % kLanes, blocks_);
    for (const TetId t : lanes[l]) {
      if (!t.valid()) continue;
      lane_of_[t] = static_cast<std::uint32_t>(group * kLanes + l % kLanes);
      put_limit(t);
    }
  }
  if (block.node_count == 0) place_in_tail(number, NodeId(0));  // empty lanes read some node
}

}  // namespace sunder::tet_oh99
