#pragma once
// The live tets of a mesh, cut into blocks and laid out for SIMD: what the fast force kernel reads (fast_forces.h).
//
// A block is up to a thousand tets of one material that follow each other in the mesh, with the list of nodes they
// touch. Its node data fit into the first-level cache. Blocks are decided by the mesh alone, never by the number of
// threads.
//
// A SIMD lane holds two tets that share a face, (a b c d) and (a b c e): five nodes to load and to add to instead of
// eight. An isotropic material does not care how material space is turned, so each pair gets its own material frame: x
// along a->b, y in the plane of a, b, c. In it the edge matrix is upper triangular, and so is its inverse
//
//       | u00 u01 u02 |
//   U = |     u11 u12 |      F = [b-a  c-a  d-a] U                                               OH99 (16), (21)
//       |         u22 |
//
// with u00, u01, u11 the same for both tets. So are the first two columns of F and of dF/dt and what follows from them:
// less memory (6.5 constants a tet, not 11) and a third less arithmetic. For e, across the face, u22 is negative.
// Where rest shapes flow (ElementConstants::plastic) neighbours no longer fit together: such tets stand alone.

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "collision/asleep.h"
#include "core/ids.h"
#include "mesh/tet_mesh.h"
#include "solvers/tet_oh99/elements.h"

namespace sunder::tet_oh99 {

// Pairs in a group. It is the same for every SIMD width, so that narrower vectors take a group in several parts and all
// orders of summation, hence all bits, stay the same.
inline constexpr std::size_t kLanes = 8;
using Lanes = std::array<double, kLanes>;

inline constexpr std::size_t kBlockTets = 1024;  // at most
inline constexpr std::size_t kBlockNodes = 640;  // at most; 1024 tets that are well numbered touch about 340

// Node numbers in a block are stored as byte offsets into rows of four doubles: one multiplication less per access.
inline constexpr std::size_t kNodeStride = 32;

// What one force evaluation reads of eight pairs. A tet without a partner has a copy of itself with no volume.
struct alignas(64) PairGroup {
  struct Tet {
    Lanes u02, u12, u22;  // 1/m
    Lanes volume;         // m^3
    Lanes damped_volume;  // m^3, times ElementConstants::damping_scale
  };
  Lanes u00, u01, u11;                                    // 1/m
  std::array<Tet, 2> tet;                                 // (a b c d) and (a b c e)
  std::array<std::array<std::uint16_t, kLanes>, 5> node;  // a b c d e: number in the block times kNodeStride
};
static_assert(kBlockNodes * kNodeStride < 65536);

// What the bounds of the stable step read besides (ElementConstants); zero where there is no volume.
struct alignas(64) PairGroupBounds {
  struct Tet {
    Lanes elastic_eigen, viscous_eigen, gradient_square;
  };
  std::array<Tet, 2> tet;
};

// Where a tet may be near breaking: (limit vol)^2, limit the tensile stretch (fracture/separation_bound.h) that none of
// its corners can break below. Infinity where there is no tet, or one that cannot break.
struct alignas(64) PairGroupLimits {
  std::array<Lanes, 2> tet;
};

using Pair = std::array<TetId, 2>;  // the second may be none, or both

struct Block {
  std::uint32_t material = 0;
  std::uint32_t first_group = 0, group_count = 0;  // in ElementBlocks::groups and bounds
  std::uint32_t first_slot = 0, node_count = 0;    // in ElementBlocks::slot_node
};

inline constexpr std::size_t kNodeChunk = 512;

struct NodeRun {
  std::uint32_t slots_per_node = 0;
  std::uint32_t first_node = 0, node_count = 0;  // in ElementBlocks::run_node
  std::uint32_t first_slot = 0;                  // in ElementBlocks::run_slot
};

struct ElementBlocks {
  std::vector<Block> blocks;
  std::vector<PairGroup> groups;
  std::vector<PairGroupBounds> bounds;
  std::vector<PairGroupLimits> limits;
  std::vector<Pair> lane_tets;  // by group and lane: whose constants stand there; none in a lane without volume

  // A slot is one node of one block, a place for the block's force on the node. The slots of a block follow each
  // other.
  std::vector<NodeId> slot_node;

  // Which slots to add up for each node, in the order of their blocks. Nodes come in chunks of kNodeChunk, and within
  // a chunk in runs of nodes with equally many slots, those without any included: a loop whose length the processor
  // cannot guess costs more than the sums.
  std::vector<NodeRun> runs;
  std::vector<std::uint32_t> chunk_first_run;  // by chunk, and the end
  std::vector<NodeId> run_node;                // by place in the order of the runs
  std::vector<std::uint32_t> run_slot;         // the slots of the nodes above, one node's after the other's

  std::size_t chunk_count() const { return chunk_first_run.size() - 1; }
  std::size_t hot_bytes() const;  // that a force evaluation reads, beside the nodes' own columns
};

// Of the tets that are awake.
ElementBlocks element_blocks(const TetMesh& mesh, const ElementConstants& elements, const Asleep* asleep = nullptr);

// a b c d e of a pair. e is d if there is no second tet.
std::array<NodeId, 5> pair_nodes(const TetMesh& mesh, const Pair& pair);

// Puts a pair into a lane, its nodes at these places (number in the block times kNodeStride). If not `used`, its
// constants are there, but no volume.
void set_lane(const TetMesh& mesh, const ElementConstants& elements, const Pair& pair, bool used,
              const std::array<std::uint16_t, 5>& places, std::size_t group, std::size_t lane, ElementBlocks& result);

// Which slots of which blocks, up to `blocks`, make up each node: fills the runs.
void link_nodes(std::size_t nodes, std::size_t blocks, ElementBlocks& result);

}  // namespace sunder::tet_oh99
