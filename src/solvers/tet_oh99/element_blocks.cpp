#include "solvers/tet_oh99/element_blocks.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <limits>
#include <span>

namespace sunder::tet_oh99 {
namespace {

constexpr std::uint32_t kNone = 0xffffffffu;

// Tets of one material on their way to a block.
struct OpenBlock {
  std::vector<TetId> tets;
  std::vector<NodeId> nodes;
  std::vector<std::uint32_t> seen;  // by node: number of the last block of this
                                    // material that it was seen in
  std::uint32_t number = 1;

  bool full() const { return tets.size() == kBlockTets || nodes.size() + 4 > kBlockNodes; }
  void add(TetId tet, const std::array<NodeId, 4>& corners) {
    tets.push_back(tet);
    for (const NodeId n : corners) {
      if (seen[n.index] == number) continue;
      seen[n.index] = number;
      nodes.push_back(n);
    }
  }
  void start_next() { tets.clear(), nodes.clear(), ++number; }
};

// Pairs tets that share a face, each with one other at most. A tet that has only one free neighbour left must take it
// or stay alone, so such tets go first (Karp & Sipser 1981); few stay alone.
class Matching {
 public:
  explicit Matching(const TetMesh& mesh) : mesh_(mesh), position_(mesh.tet_slots(), kNone) {}

  // Tets whose rest shapes flow, each on its own, have no face in common.
  static void keep_single(std::span<const TetId> tets, std::vector<Pair>& pairs) {
    pairs.clear();
    for (const TetId t : tets) pairs.push_back({t, TetId()});
  }

  void pair_up(std::span<const TetId> tets, std::vector<Pair>& pairs) {
    pairs.clear();
    for (std::size_t i = 0; i < tets.size(); ++i) position_[tets[i].index] = static_cast<std::uint32_t>(i);
    free_neighbours_.clear();
    for (const TetId t : tets) free_neighbours_.push_back(count_free(t));
    for (const TetId t : tets) {
      if (free_neighbours_[position_of(t)] == 1) last_chance_.push_back(t);
    }
    for (const TetId t : tets) {
      while (!last_chance_.empty()) {
        const TetId urgent = last_chance_.back();
        last_chance_.pop_back();
        if (is_free(urgent)) take(urgent, pairs);
      }
      if (is_free(t)) take(t, pairs);
    }
  }

 private:
  std::uint32_t& position_of(TetId t) { return position_[t.index]; }
  bool is_free(TetId t) const { return t.valid() && position_[t.index] != kNone; }

  int count_free(TetId t) const {
    int count = 0;
    for (int i = 0; i < 4; ++i) count += is_free(mesh_.neighbour({t, i})) ? 1 : 0;
    return count;
  }

  void take(TetId t, std::vector<Pair>& pairs) {
    TetId partner;
    for (int i = 0; i < 4; ++i) {
      const TetId other = mesh_.neighbour({t, i});
      if (!is_free(other)) continue;
      if (!partner.valid() || free_neighbours_[position_of(other)] < free_neighbours_[position_of(partner)]) {
        partner = other;
      }
    }
    pairs.push_back({t, partner});
    remove(t);
    if (partner.valid()) remove(partner);
  }

  void remove(TetId t) {
    position_of(t) = kNone;
    for (int i = 0; i < 4; ++i) {
      const TetId other = mesh_.neighbour({t, i});
      if (is_free(other) && --free_neighbours_[position_of(other)] == 1) last_chance_.push_back(other);
    }
  }

  const TetMesh& mesh_;
  std::vector<std::uint32_t> position_;  // in the block, by tet; none if taken or of another block
  std::vector<int> free_neighbours_;     // by position
  std::vector<TetId> last_chance_;
};

class Builder {
 public:
  Builder(const TetMesh& mesh, const ElementConstants& elements, ElementBlocks& result)
      : mesh_(mesh), elements_(elements), result_(result), matching_(mesh), local_(mesh.node_slots()) {}

  void add_block(OpenBlock& open, std::uint32_t material) {
    std::sort(open.nodes.begin(), open.nodes.end());
    for (std::size_t i = 0; i < open.nodes.size(); ++i) {
      local_[open.nodes[i].index] = static_cast<std::uint16_t>(i * kNodeStride);
    }
    if (elements_.plastic.flows[material] != 0) {
      Matching::keep_single(open.tets, pairs_);
    } else {
      matching_.pair_up(open.tets, pairs_);
    }
    const std::size_t group_count = (pairs_.size() + kLanes - 1) / kLanes;
    result_.blocks.push_back({.material = material,
                              .first_group = static_cast<std::uint32_t>(result_.groups.size()),
                              .group_count = static_cast<std::uint32_t>(group_count),
                              .first_slot = static_cast<std::uint32_t>(result_.slot_node.size()),
                              .node_count = static_cast<std::uint32_t>(open.nodes.size())});
    result_.slot_node.insert(result_.slot_node.end(), open.nodes.begin(), open.nodes.end());
    for (std::size_t g = 0; g < group_count; ++g) {
      result_.groups.emplace_back(), result_.bounds.emplace_back(), result_.limits.emplace_back();
      result_.lane_tets.resize(result_.lane_tets.size() + kLanes);
      for (std::size_t lane = 0; lane < kLanes; ++lane) {
        // Pairs that follow each other share nodes. In one lane of successive groups they do not wait for each
        // other's sums, in the lanes of one group they would.
        const std::size_t p = lane * group_count + g;
        const bool used = p < pairs_.size();
        const Pair& pair = pairs_[used ? p : g];
        std::array<std::uint16_t, 5> places;
        const std::array<NodeId, 5> nodes = pair_nodes(mesh_, pair);
        for (std::size_t i = 0; i < 5; ++i) places[i] = local_[nodes[i].index];
        set_lane(mesh_, elements_, pair, used, places, result_.groups.size() - 1, lane, result_);
      }
    }
    open.start_next();
  }

 private:
  const TetMesh& mesh_;
  const ElementConstants& elements_;
  ElementBlocks& result_;
  Matching matching_;
  std::vector<std::uint16_t> local_;  // number in the block times kNodeStride, by node
  std::vector<Pair> pairs_;
};

}  // namespace

std::array<NodeId, 5> pair_nodes(const TetMesh& mesh, const Pair& pair) {
  const auto& first = mesh.corners(pair[0]);
  if (!pair[1].valid()) return {first[0], first[1], first[2], first[3], first[3]};
  const auto& second = mesh.corners(pair[1]);
  const auto among = [](const std::array<NodeId, 4>& corners, NodeId n) {
    return std::find(corners.begin(), corners.end(), n) != corners.end();
  };
  std::array<NodeId, 5> nodes;
  std::size_t shared = 0;
  for (const NodeId n : first) nodes[among(second, n) ? shared++ : 3] = n;
  nodes[4] = *std::find_if(second.begin(), second.end(), [&](NodeId n) { return !among(first, n); });
  return nodes;
}

void set_lane(const TetMesh& mesh, const ElementConstants& elements, const Pair& pair, bool used,
              const std::array<std::uint16_t, 5>& places, std::size_t group_number, std::size_t lane,
              ElementBlocks& result) {
  PairGroup& group = result.groups[group_number];
  PairGroupBounds& bounds = result.bounds[group_number];
  result.lane_tets[group_number * kLanes + lane] = used ? pair : Pair{};
  for (std::size_t i = 0; i < 5; ++i) group.node[i][lane] = places[i];

  const std::array<NodeId, 5> nodes = pair_nodes(mesh, pair);
  const PlasticShapes& plastic = elements.plastic;
  const Mat3* flow = plastic.flows[mesh.tags(pair[0]).material] != 0 ? &plastic.deformation[pair[0]] : nullptr;
  const auto x = [&](std::size_t i) -> Vec3 {  // up to a shift
    const Vec3& material = mesh.material_position(nodes[i]);
    return flow != nullptr ? Vec3(*flow * material) : material;
  };
  const Vec3 ab = x(1) - x(0), ac = x(2) - x(0);
  const double r00 = ab.norm();
  const Vec3 axis0 = ab / r00;
  const double r01 = ac.dot(axis0);
  const Vec3 height = ac - r01 * axis0;
  const double r11 = height.norm();
  const Vec3 axis1 = height / r11, axis2 = axis0.cross(axis1);
  const double u00 = 1 / r00, u11 = 1 / r11;
  group.u00[lane] = u00, group.u01[lane] = -r01 * u00 * u11, group.u11[lane] = u11;
  for (std::size_t i = 0; i < 2; ++i) {
    const Vec3 apex = x(3 + i) - x(0);
    const double r02 = apex.dot(axis0), r12 = apex.dot(axis1), r22 = apex.dot(axis2);
    const double u22 = 1 / r22, u12 = -r12 * u11 * u22;
    PairGroup::Tet& tet = group.tet[i];
    tet.u22[lane] = u22, tet.u12[lane] = u12, tet.u02[lane] = -(r01 * u12 + r02 * u22) * u00;

    const bool real = used && pair[i].valid();
    const TetId t = pair[i];
    tet.volume[lane] = real ? elements.volume[t] : 0;
    tet.damped_volume[lane] = real ? elements.volume[t] * elements.damping_scale[t] : 0;
    bounds.tet[i].elastic_eigen[lane] = real ? elements.elastic_eigen[t] : 0;
    bounds.tet[i].viscous_eigen[lane] = real ? elements.viscous_eigen[t] : 0;
    bounds.tet[i].gradient_square[lane] = real ? elements.gradient_square[t] : 0;
    result.limits[group_number].tet[i][lane] = std::numeric_limits<double>::infinity();
  }
}

// From each slot's node to each node's slots, in runs.
void link_nodes(std::size_t nodes, std::size_t blocks, ElementBlocks& result) {
  result.runs.clear(), result.chunk_first_run.clear(), result.run_node.clear(), result.run_slot.clear();
  std::size_t slot_count = 0;
  for (std::size_t b = 0; b < blocks; ++b) slot_count += result.blocks[b].node_count;
  std::vector<std::uint32_t> first(nodes + 1, 0);  // in slots_of
  for (std::size_t s = 0; s < slot_count; ++s) ++first[result.slot_node[s].index + 1];
  for (std::size_t n = 0; n < nodes; ++n) first[n + 1] += first[n];
  std::vector<std::uint32_t> slots_of(slot_count), next(first.begin(), first.end() - 1);
  for (std::size_t s = 0; s < slots_of.size(); ++s) {
    slots_of[next[result.slot_node[s].index]++] = static_cast<std::uint32_t>(s);
  }
  const auto slots = [&](NodeId n) { return first[n.index + 1] - first[n.index]; };
  for (std::size_t chunk = 0; chunk * kNodeChunk < nodes; ++chunk) {
    result.chunk_first_run.push_back(static_cast<std::uint32_t>(result.runs.size()));
    std::vector<NodeId> order;
    for (std::size_t n = chunk * kNodeChunk; n < std::min(nodes, (chunk + 1) * kNodeChunk); ++n) order.emplace_back(n);
    std::stable_sort(order.begin(), order.end(), [&](NodeId a, NodeId b) { return slots(a) < slots(b); });
    for (std::size_t i = 0; i < order.size(); ++i) {
      if (i == 0 || slots(order[i]) != slots(order[i - 1])) {
        result.runs.push_back({.slots_per_node = slots(order[i]),
                               .first_node = static_cast<std::uint32_t>(result.run_node.size()),
                               .first_slot = static_cast<std::uint32_t>(result.run_slot.size())});
      }
      ++result.runs.back().node_count;
      result.run_node.push_back(order[i]);
      const auto begin = slots_of.begin() + first[order[i].index];
      result.run_slot.insert(result.run_slot.end(), begin, begin + slots(order[i]));
    }
  }
  result.chunk_first_run.push_back(static_cast<std::uint32_t>(result.runs.size()));
}

ElementBlocks element_blocks(const TetMesh& mesh, const ElementConstants& elements, const Asleep* asleep) {
  ElementBlocks result;
  Builder builder(mesh, elements, result);
  std::vector<OpenBlock> open;  // by material
  for (const TetId t : id_range<TetId>(mesh.tet_slots())) {
    if (!mesh.alive(t) || (asleep != nullptr && (*asleep)[mesh.corners(t)[0]])) continue;
    const std::uint32_t material = mesh.tags(t).material;
    if (material >= open.size()) open.resize(material + 1);
    OpenBlock& block = open[material];
    if (block.seen.empty()) block.seen.resize(mesh.node_slots(), 0);
    if (block.full()) builder.add_block(block, material);
    block.add(t, mesh.corners(t));
  }
  for (std::size_t m = 0; m < open.size(); ++m) {
    if (!open[m].tets.empty()) builder.add_block(open[m], static_cast<std::uint32_t>(m));
  }
  link_nodes(mesh.node_slots(), result.blocks.size(), result);
  return result;
}

std::size_t ElementBlocks::hot_bytes() const {
  return blocks.size() * sizeof(Block) + groups.size() * sizeof(PairGroup) + runs.size() * sizeof(NodeRun) +
         (slot_node.size() + run_node.size()) * sizeof(NodeId) +
         (chunk_first_run.size() + run_slot.size()) * sizeof(std::uint32_t);
}

}  // namespace sunder::tet_oh99
