#include "solvers/tet_oh99/living_blocks.h"

#include <algorithm>
#include <limits>

namespace sunder::tet_oh99 {
namespace {

constexpr std::size_t kTailShare = 4;    // one over the share of the tail at which all blocks are cut anew
constexpr std::size_t kTailTets = 1024;  // below this it is not worth it

}  // namespace

LivingBlocks::LivingBlocks(const TetMesh& mesh, const ElementConstants& elements) : mesh_(mesh), elements_(elements) {
  cut();
}

void LivingBlocks::cut() {
  blocks_ = element_blocks(mesh_, elements_);
  first_tail_block_ = blocks_.blocks.size();
  whole_tets_ = mesh_.tet_count();
  tail_tets_ = 0;
  tails_.clear();
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
  touched_.clear();
  for (const Edit& edit : edits) {
    if (edit.kind == Edit::Kind::tet_added || edit.kind == Edit::Kind::tet_changed) touched_.push_back(edit.tet());
    if (edit.kind == Edit::Kind::tet_removed || edit.kind == Edit::Kind::tet_changed) take_off(edit.tet(), touched_);
  }
  for (const TetId t : touched_) {
    if (mesh_.alive(t) && lane_of_[t] == kNone) append(t);
  }
  if (tail_tets_ > kTailTets && kTailShare * tail_tets_ > whole_tets_) cut();
}

// The partner in the lane goes, too: what is left in lanes are tets and pairs as they are in the mesh.
void LivingBlocks::take_off(TetId tet, std::vector<TetId>& homeless) {
  const std::uint32_t lane = lane_of_[tet];
  if (lane == kNone) return;
  PairGroup& group = blocks_.groups[lane / kLanes];
  PairGroupBounds& bounds = blocks_.bounds[lane / kLanes];
  for (std::size_t i = 0; i < 2; ++i) {
    group.tet[i].volume[lane % kLanes] = group.tet[i].damped_volume[lane % kLanes] = 0;
    bounds.tet[i].elastic_eigen[lane % kLanes] = bounds.tet[i].viscous_eigen[lane % kLanes] = 0;
    bounds.tet[i].gradient_square[lane % kLanes] = 0;
    blocks_.limits[lane / kLanes].tet[i][lane % kLanes] = std::numeric_limits<double>::infinity();
    const TetId t = blocks_.lane_tets[lane][i];
    if (!t.valid()) continue;
    lane_of_[t] = kNone;
    if (t != tet) homeless.push_back(t);
  }
  blocks_.lane_tets[lane] = {};
}

std::uint32_t LivingBlocks::open_tail(std::uint32_t material) {
  if (material >= tails_.size()) tails_.resize(material + 1);
  Tail& tail = tails_[material];
  if (tail.block != kNone && tail.lanes < kTailGroups * kLanes) return tail.block;
  tail = {static_cast<std::uint32_t>(blocks_.blocks.size()), 0};
  blocks_.blocks.push_back({.material = material,
                            .first_group = static_cast<std::uint32_t>(blocks_.groups.size()),
                            .group_count = 0,
                            .first_slot = static_cast<std::uint32_t>(blocks_.slot_node.size()),
                            .node_count = 0});
  const std::size_t groups = blocks_.groups.size() + kTailGroups;
  blocks_.groups.resize(groups), blocks_.bounds.resize(groups), blocks_.limits.resize(groups);
  blocks_.lane_tets.resize(groups * kLanes);
  blocks_.slot_node.resize(blocks_.slot_node.size() + 4 * kTailGroups * kLanes, NodeId(0));
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

void LivingBlocks::append(TetId tet) {
  const std::uint32_t material = mesh_.tags(tet).material;
  const std::uint32_t number = open_tail(material);
  std::array<std::uint16_t, 5> places;
  for (std::size_t i = 0; i < 4; ++i) places[i] = place_in_tail(number, mesh_.corners(tet)[i]);
  places[4] = places[3];
  Block& block = blocks_.blocks[number];
  const std::size_t lane = tails_[material].lanes % kLanes;
  const std::size_t group = block.first_group + tails_[material].lanes / kLanes;
  // The lanes to come have its constants, but no volume.
  for (std::size_t l = lane; l < kLanes; ++l) {
    set_lane(mesh_, elements_, {tet, TetId()}, l == lane, places, group, l, blocks_);
    if (lane > 0) break;
  }
  block.group_count = static_cast<std::uint32_t>(group - block.first_group + 1);
  lane_of_[tet] = static_cast<std::uint32_t>(group * kLanes + lane);
  put_limit(tet);
  ++tails_[material].lanes;
  ++tail_tets_;
}

void LivingBlocks::set_limit(TetId tet, double limit_square) {
  if (limit_square_.size() < mesh_.tet_slots()) {
    limit_square_.resize(mesh_.tet_slots(), std::numeric_limits<double>::infinity());
  }
  limit_square_[tet] = limit_square;
  if (tet.index < lane_of_.size() && lane_of_[tet] != kNone) put_limit(tet);
}

void LivingBlocks::put_limit(TetId tet) {
  if (tet.index >= limit_square_.size()) return;
  const std::uint32_t lane = lane_of_[tet];
  const std::size_t which = blocks_.lane_tets[lane][0] == tet ? 0 : 1;
  blocks_.limits[lane / kLanes].tet[which][lane % kLanes] = limit_square_[tet];
}

// --- checkpoints: which tets stand in which lanes; all else follows from the mesh -----------------------------------

void LivingBlocks::save(Writer& out) const {
  out.put<std::uint64_t>(first_tail_block_), out.put<std::uint64_t>(whole_tets_), out.put<std::uint64_t>(tail_tets_);
  out.put<std::uint64_t>(blocks_.blocks.size());
  for (std::size_t b = 0; b < blocks_.blocks.size(); ++b) {
    const Block& block = blocks_.blocks[b];
    out.put(block.material);
    const auto lanes = static_cast<std::ptrdiff_t>(kLanes);
    const auto first = blocks_.lane_tets.begin() + block.first_group * lanes;
    out.put_all(std::span<const Pair>(first, first + block.group_count * lanes));
  }
  out.put<std::uint64_t>(tails_.size());
  for (const Tail& tail : tails_) out.put(tail.block), out.put(tail.lanes);
}

void LivingBlocks::load(Reader& in) {
  blocks_ = {};
  first_tail_block_ = in.get<std::uint64_t>();
  whole_tets_ = in.get<std::uint64_t>(), tail_tets_ = in.get<std::uint64_t>();
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
        if (!mesh_.alive(t) || mesh_.tags(t).material != block.material || lane_of_[t] != kNone) in.fail();
        lane_of_[t] = 0;
        ++tets;
      }
      if (!pair[1].valid()) continue;
      bool neighbours = false;
      for (int i = 0; i < 4; ++i) neighbours = neighbours || mesh_.neighbour({pair[1], i}) == pair[0];
      if (!pair[0].valid() || !neighbours) in.fail();
    }
    const bool in_tail = b >= first_tail_block_;
    if (lanes.size() > (in_tail ? kTailGroups * kLanes : kBlockTets + kLanes)) in.fail();
    block.first_group = static_cast<std::uint32_t>(blocks_.groups.size());
    block.group_count = static_cast<std::uint32_t>(lanes.size() / kLanes);
    block.first_slot = static_cast<std::uint32_t>(blocks_.slot_node.size());
    const std::size_t groups = blocks_.groups.size() + (in_tail ? kTailGroups : block.group_count);
    blocks_.groups.resize(groups), blocks_.bounds.resize(groups), blocks_.limits.resize(groups);
    blocks_.lane_tets.resize(groups * kLanes);
    const std::size_t most_nodes = in_tail ? 4 * kTailGroups * kLanes : kBlockNodes;
    blocks_.slot_node.resize(blocks_.slot_node.size() + most_nodes, NodeId(0));
    blocks_.blocks.push_back(block);
    rebuild_block(b, lanes);
    if (blocks_.blocks.back().node_count > most_nodes) in.fail();
    if (!in_tail) blocks_.slot_node.resize(block.first_slot + blocks_.blocks.back().node_count);
  }
  if (tets != mesh_.tet_count()) in.fail();
  tails_.resize(std::min<std::uint64_t>(in.get<std::uint64_t>(), 1u << 20));
  for (Tail& tail : tails_) {
    tail.block = in.get<std::uint32_t>(), tail.lanes = in.get<std::uint32_t>();
    if (tail.block == kNone) continue;
    if (tail.block < first_tail_block_ || tail.block >= count) in.fail();
    if ((tail.lanes + kLanes - 1) / kLanes != blocks_.blocks[tail.block].group_count) in.fail();
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
      if (block.node_count + 1 > (number < first_tail_block_ ? kBlockNodes : 4 * kTailGroups * kLanes) &&
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
