#pragma once
// Element blocks that follow a mesh which cracks. To cut the blocks anew costs time proportional to the mesh; a split
// touches a few dozen tets. So a tet that is gone or has other nodes loses its volume where it stands (its partner
// stays there), and new ones go to the tail: short blocks behind the others. That makes forces dearer; when it has cost
// as much as to cut all blocks anew, they are. So splits are never slowed down by it, and a run takes at most twice
// what the best moments for cuts would have given.
//
// What is where decides the order of sums, hence bits: a checkpoint keeps it.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "core/byte_stream.h"
#include "core/column.h"
#include "core/ids.h"
#include "mesh/journal.h"
#include "mesh/tet_mesh.h"
#include "solvers/tet_oh99/element_blocks.h"
#include "solvers/tet_oh99/elements.h"

namespace sunder::tet_oh99 {

class LivingBlocks {
 public:
  // The arguments must live as long as this. There are no blocks before the first cut().
  LivingBlocks(const TetMesh& mesh, const ElementConstants& elements) : mesh_(mesh), elements_(elements) {}

  // Tets whose nodes sleep are in no block. To be told before the next cut() or load(); the argument must live as long
  // as this.
  void leave_out(const Asleep* asleep) { asleep_ = asleep; }

  void cut();     // all blocks anew
  void update();  // after edits of the mesh; the constants of new tets must be there
  // Once for every evaluation of forces, before it: says whether the blocks were cut.
  bool cut_if_it_pays();

  const ElementBlocks& blocks() const { return blocks_; }
  // The blocks from here on are the tail: their slots are in no run.
  std::size_t first_tail_block() const { return first_tail_block_; }

  // The rest shape of a tet that stands alone has changed, and its constants with it. Different ones may go at once.
  void reshape(TetId tet);

  // (limit vol)^2 of a tet, see PairGroupLimits. It stays with the tet, and may come before update() has seen it.
  void set_limit(TetId tet, double limit_square);

  // Up to here the mesh's journal has been read.
  Journal::Mark mark() const { return mark_; }

  void save(Writer& out) const;
  void load(Reader& in);

 private:
  // An open block of the tail, and where its nodes are in it.
  struct Tail {
    std::uint32_t block = kNone;
    std::uint32_t lanes = 0;          // used
    std::vector<std::uint32_t> free;  // of them, those whose tets are gone; the last is used next
  };
  struct TailPlace {
    std::uint32_t block = kNone;
    std::uint32_t number = 0;
  };
  static constexpr std::uint32_t kNone = 0xffffffffu;
  static constexpr std::size_t kTailGroups = 16;  // in a block of the tail: 128 tets,
  static constexpr std::size_t kTailNodes = 256;  // and nodes that it had at any time; neighbours share them

  bool sleeps(TetId tet) const { return asleep_ != nullptr && (*asleep_)[mesh_.corners(tet)[0]]; }
  void find_lanes();
  void put_limit(TetId tet);
  void vacate(TetId tet);
  void tidy(std::uint32_t lane);
  TetId partner(TetId tet) const;
  void append(const Pair& pair);
  std::uint32_t open_tail(std::uint32_t material);
  std::uint16_t place_in_tail(std::uint32_t block, NodeId node);
  void rebuild_block(std::uint32_t block, const std::vector<Pair>& lanes);

  const TetMesh& mesh_;
  const ElementConstants& elements_;
  const Asleep* asleep_ = nullptr;
  ElementBlocks blocks_;
  std::size_t first_tail_block_ = 0;
  std::uint64_t tail_lanes_ = 0;          // in use since the blocks were cut
  std::uint64_t tail_cost_ = 0;           // their number, added up over evaluations
  Column<TetId, std::uint32_t> lane_of_;  // group and lane, or none
  Column<TetId, double> limit_square_;    // as long as they have been set
  std::vector<Tail> tails_;               // by material
  Column<NodeId, TailPlace> tail_place_;  // the last block of the tail that each node is in
  std::vector<std::uint32_t> block_of_group_;
  std::vector<TetId> homeless_;         // scratch
  std::vector<std::uint32_t> vacated_;  // scratch: lanes
  Journal::Mark mark_ = 0;
};

}  // namespace sunder::tet_oh99
