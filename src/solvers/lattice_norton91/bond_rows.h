#pragma once
// Where bonds and nodes lie for the kernel that evaluates them eight at a time.
//
// Nodes of a lattice are numbered along its rows, so the bonds of neighbouring nodes mostly lead equally far: to the
// next number, to the next row, to the next layer. A row holds eight nodes in sequence; each entry of it eight bonds,
// one from each, whose other ends are in sequence, too. Neither end needs a gather. What is left over is gathered.
//
// Blocks of nodes, cut by the lattice and not by the number of threads, work on copies of all nodes that their bonds
// reach (slots); the forces of all slots of a node are then added in the order of blocks.

#include <algorithm>
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "solvers/lattice_norton91/lattice.h"

namespace sunder::lattice_norton91 {

inline constexpr std::size_t kLanes = 8;
inline constexpr Index kBlockNodes = 512;

struct alignas(64) EightNumbers {
  std::array<double, kLanes> of = {};
};

// Constants of eight bonds. Where there is no bond, or it is broken, its stiffness is zero and it cannot break.
struct BondLanes {
  EightNumbers length, stiffness;  // m, N/m
  EightNumbers longest_square;     // m^2, ((1 + t) L)^2
};

inline double longest_square(const Lattice& lattice, Index bond) {
  const double longest = (1 + lattice.threshold[bond]) * lattice.length[bond];
  return longest * longest;
}

// Slots are counted within the block; the first ones are the block's own nodes.
struct BondRow {
  Index slot = 0;  // of the eight lower ends
  Index first_entry = 0, entry_end = 0;
};
struct ScatteredEnds {
  std::array<Index, kLanes> a = {}, b = {};
};

struct SlotRun {  // nodes in sequence, in slots in sequence
  Index node = 0, slot = 0, count = 0;
};

struct BondBlock {
  Index first_node = 0, node_end = 0;  // its own
  std::size_t first_slot = 0;          // in the arrays of all slots
  Index slot_count = 0;                // a multiple of eight; what is no node stays zero
  Index first_run = 0, run_end = 0;
  Index first_row = 0, row_end = 0;
  Index first_entry = 0, first_scattered = 0, entry_end = 0;
};

// A stretch of a block's own nodes that some block has slots for.
struct SlotPiece {
  Index block = 0, slot = 0;
  Index node = 0, count = 0;
};

struct BondRows {
  std::vector<BondBlock> blocks;
  std::vector<SlotRun> runs;
  std::vector<BondRow> rows;
  std::vector<BondLanes> lanes;          // by entry
  std::vector<Index> other;              // by entry: the slot of the eight upper ends
  std::vector<ScatteredEnds> scattered;  // one for each scattered entry
  std::vector<Index> scattered_of;       // by block: its first
  std::vector<Index> number;             // by entry and lane: of the bond, or kNone
  std::vector<SlotPiece> pieces;         // by block of nodes, then by block of slots
  std::vector<Index> first_piece;        // by block of nodes, and one more
  std::vector<Index> place;              // by bond: entry and lane
  std::size_t slot_count = 0;

  static constexpr Index kNone = std::numeric_limits<Index>::max();
};

// What of all that is evaluated: entries with bonds that act, and the slots that these reach.
struct LiveRow {
  Index slot = 0;
  Index first = 0, end = 0;  // in LiveBonds::entries
};
struct LiveBlock {
  Index first_run = 0, run_end = 0;
  Index first_row = 0, row_end = 0;
  Index first_scattered = 0, scattered_end = 0;  // in LiveBonds::scattered

  bool any() const { return row_end > first_row || scattered_end > first_scattered; }
};
struct LiveBonds {
  std::vector<LiveBlock> blocks;
  std::vector<SlotRun> runs;
  std::vector<LiveRow> rows;
  std::vector<Index> entries;    // of rows
  std::vector<Index> scattered;  // entries
};

// Those with a bond that has a spring and of which acts(bond) is true.
template <class Acts>
LiveBonds live_bonds(const BondRows& rows, const Acts& acts);

// Rows with fewer than `least` bonds in an entry leave them to the scattered ones; 1: none are scattered, 9: all.
BondRows make_bond_rows(const Lattice& lattice, std::size_t least = 3);

// Slots of a block, and the runs of them that are marked.
class MarkedSlots {
 public:
  explicit MarkedSlots(Index slots) : marks_(slots, 0) {}
  void mark(Index first, Index count) { std::fill_n(marks_.begin() + first, count, std::uint8_t{1}); }
  void add_runs(const SlotRun& run, std::vector<SlotRun>& runs) const;

 private:
  std::vector<std::uint8_t> marks_;
};

template <class Acts>
LiveBonds live_bonds(const BondRows& rows, const Acts& acts) {
  LiveBonds live;
  const auto is_live = [&](Index entry) {
    for (std::size_t lane = 0; lane < kLanes; ++lane) {
      const Index bond = rows.number[kLanes * entry + lane];
      if (bond != BondRows::kNone && rows.lanes[entry].stiffness.of[lane] > 0 && acts(bond)) return true;
    }
    return false;
  };
  const auto count = [](const auto& list) { return static_cast<Index>(list.size()); };
  for (std::size_t b = 0; b < rows.blocks.size(); ++b) {
    const BondBlock& block = rows.blocks[b];
    MarkedSlots reached(block.slot_count);
    LiveBlock& now = live.blocks.emplace_back();
    now.first_run = count(live.runs), now.first_row = count(live.rows), now.first_scattered = count(live.scattered);
    for (Index r = block.first_row; r < block.row_end; ++r) {
      const BondRow& row = rows.rows[r];
      const Index first = count(live.entries);
      for (Index e = row.first_entry; e < row.entry_end; ++e) {
        if (!is_live(e)) continue;
        live.entries.push_back(e);
        reached.mark(rows.other[e], kLanes);
      }
      if (count(live.entries) == first) continue;
      reached.mark(row.slot, kLanes);
      live.rows.push_back({row.slot, first, count(live.entries)});
    }
    for (Index e = block.first_scattered; e < block.entry_end; ++e) {
      if (!is_live(e)) continue;
      live.scattered.push_back(e);
      const ScatteredEnds& ends = rows.scattered[rows.scattered_of[b] + e - block.first_scattered];
      for (std::size_t lane = 0; lane < kLanes; ++lane) reached.mark(ends.a[lane], 1), reached.mark(ends.b[lane], 1);
    }
    for (Index r = block.first_run; r < block.run_end; ++r) reached.add_runs(rows.runs[r], live.runs);
    now.run_end = count(live.runs), now.row_end = count(live.rows), now.scattered_end = count(live.scattered);
  }
  return live;
}

}  // namespace sunder::lattice_norton91
