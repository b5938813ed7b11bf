#include "solvers/lattice_norton91/bond_rows.h"

#include <algorithm>
#include <map>

namespace sunder::lattice_norton91 {
namespace {

struct Entry {  // bonds of a row that lead equally far
  Index distance = 0;
  std::vector<Index> bonds;
};

// Entries by how far they lead, but those that lead almost equally far not one after the other: what one has just
// stored, the next would have to wait for.
std::vector<Entry> in_order(const std::map<Index, std::vector<Index>>& by_distance) {
  struct Ranked {
    Index rank, distance;
  };
  std::vector<Ranked> order;
  for (const auto& [distance, bonds] : by_distance) {
    const bool near = !order.empty() && distance < order.back().distance + kLanes;
    order.push_back({near ? order.back().rank + 1 : 0, distance});
  }
  std::stable_sort(order.begin(), order.end(), [](const Ranked& x, const Ranked& y) { return x.rank < y.rank; });
  std::vector<Entry> entries;
  for (const Ranked& r : order) entries.push_back({r.distance, by_distance.at(r.distance)});
  return entries;
}

class Maker {
 public:
  Maker(const Lattice& lattice, std::size_t least) : lattice_(lattice), least_(least) {}

  BondRows make() {
    rows_.place.assign(lattice_.bond_count(), BondRows::kNone);
    const auto nodes = static_cast<Index>(lattice_.node_count());
    Index bond = 0;  // they are sorted by their lower ends
    for (Index first = 0; first < nodes; first += kBlockNodes) {
      const Index end = std::min(nodes, first + kBlockNodes);
      const Index first_bond = bond;
      while (bond < lattice_.bond_count() && lattice_.ends[bond][0] < end) ++bond;
      add_block(first, end, first_bond, bond);
    }
    find_pieces();
    return std::move(rows_);
  }

 private:
  struct Row {
    Index first_node;
    std::vector<Entry> entries;
  };

  void add_block(Index first, Index end, Index first_bond, Index bond_end) {
    std::vector<Row> rows;
    std::vector<Index> scattered;
    for (Index node = first, bond = first_bond; node < end; node += kLanes) {
      std::map<Index, std::vector<Index>> by_distance;
      for (; bond < bond_end && lattice_.ends[bond][0] < node + kLanes; ++bond) {
        by_distance[lattice_.ends[bond][1] - lattice_.ends[bond][0]].push_back(bond);
      }
      for (auto it = by_distance.begin(); it != by_distance.end();) {
        if (it->second.size() >= least_) {
          ++it;
          continue;
        }
        scattered.insert(scattered.end(), it->second.begin(), it->second.end());
        it = by_distance.erase(it);
      }
      rows.push_back({node, in_order(by_distance)});
    }
    std::sort(scattered.begin(), scattered.end());

    BondBlock block;
    block.first_node = first, block.node_end = end;
    block.first_slot = rows_.slot_count;
    add_runs(rows, scattered, block);
    block.first_row = static_cast<Index>(rows_.rows.size());
    block.first_entry = static_cast<Index>(rows_.lanes.size());
    for (const Row& row : rows) {
      const auto first_entry = static_cast<Index>(rows_.lanes.size());
      for (const Entry& entry : row.entries) {
        add_entry();
        rows_.other.back() = slot_of(block, row.first_node + entry.distance);
        for (const Index b : entry.bonds) put(b, lattice_.ends[b][0] - row.first_node);
      }
      rows_.rows.push_back({row.first_node - first, first_entry, static_cast<Index>(rows_.lanes.size())});
    }
    block.row_end = static_cast<Index>(rows_.rows.size());
    block.first_scattered = static_cast<Index>(rows_.lanes.size());
    rows_.scattered_of.push_back(static_cast<Index>(rows_.scattered.size()));
    for (std::size_t i = 0; i < scattered.size(); ++i) {
      const auto lane = static_cast<Index>(i % kLanes);
      if (lane == 0) {
        add_entry();
        rows_.scattered.emplace_back();
      }
      put(scattered[i], lane);
      rows_.scattered.back().a[lane] = slot_of(block, lattice_.ends[scattered[i]][0]);
      rows_.scattered.back().b[lane] = slot_of(block, lattice_.ends[scattered[i]][1]);
    }
    block.entry_end = static_cast<Index>(rows_.lanes.size());
    rows_.slot_count += block.slot_count;
    rows_.blocks.push_back(block);
  }

  // Slots for all that the block's bonds reach, those of its own nodes first.
  void add_runs(const std::vector<Row>& rows, const std::vector<Index>& scattered, BondBlock& block) {
    struct Range {
      Index begin, end;
    };
    const auto nodes = static_cast<Index>(lattice_.node_count());
    const Index own_end = block.first_node + (block.node_end - block.first_node + kLanes - 1) / kLanes * kLanes;
    std::vector<Range> reached = {{block.first_node, own_end}};
    for (const Row& row : rows) {
      for (const Entry& entry : row.entries) {
        const Index to = row.first_node + entry.distance;
        reached.push_back({to, to + static_cast<Index>(kLanes)});
      }
    }
    for (const Index b : scattered) reached.push_back({lattice_.ends[b][1], lattice_.ends[b][1] + 1});
    std::sort(reached.begin(), reached.end(), [](const Range& x, const Range& y) { return x.begin < y.begin; });
    std::vector<Range> merged;
    for (const Range& r : reached) {
      if (!merged.empty() && r.begin <= merged.back().end) {
        merged.back().end = std::max(merged.back().end, r.end);
      } else {
        merged.push_back(r);
      }
    }
    block.first_run = static_cast<Index>(rows_.runs.size());
    Index slot = 0;
    for (const Range& r : merged) {
      // Beyond the last node there are slots, but nothing in them.
      rows_.runs.push_back({r.begin, slot, std::min(nodes, r.end) - std::min(nodes, r.begin)});
      slot += r.end - r.begin;
    }
    block.run_end = static_cast<Index>(rows_.runs.size());
    block.slot_count = (slot + static_cast<Index>(kLanes) - 1) / kLanes * kLanes;
  }

  Index slot_of(const BondBlock& block, Index node) const {
    const auto begin = rows_.runs.begin() + block.first_run, end = rows_.runs.begin() + block.run_end;
    const auto after = std::upper_bound(begin, end, node, [](Index n, const SlotRun& run) { return n < run.node; });
    return (after - 1)->slot + node - (after - 1)->node;
  }

  void add_entry() {
    BondLanes none;
    none.length.of.fill(1);
    none.longest_square.of.fill(std::numeric_limits<double>::infinity());
    rows_.lanes.push_back(none);
    rows_.other.push_back(0);
    rows_.number.insert(rows_.number.end(), kLanes, BondRows::kNone);
  }

  void put(Index bond, Index lane) {
    const auto entry = static_cast<Index>(rows_.lanes.size() - 1);
    rows_.lanes[entry].length.of[lane] = lattice_.length[bond];
    rows_.lanes[entry].stiffness.of[lane] = lattice_.stiffness[bond];
    rows_.lanes[entry].longest_square.of[lane] = longest_square(lattice_, bond);
    rows_.place[bond] = entry * static_cast<Index>(kLanes) + lane;
    rows_.number[rows_.place[bond]] = bond;
  }

  // Cut where the blocks of nodes are.
  void find_pieces() {
    std::vector<std::vector<SlotPiece>> by_block(rows_.blocks.size());
    for (Index b = 0; b < rows_.blocks.size(); ++b) {
      for (Index r = rows_.blocks[b].first_run; r < rows_.blocks[b].run_end; ++r) {
        SlotRun run = rows_.runs[r];
        while (run.count > 0) {
          const Index owner = run.node / kBlockNodes;
          const Index count = std::min(run.count, (owner + 1) * kBlockNodes - run.node);
          by_block[owner].push_back({b, run.slot, run.node, count});
          run.node += count, run.slot += count, run.count -= count;
        }
      }
    }
    rows_.first_piece = {0};
    for (const auto& pieces : by_block) {
      rows_.pieces.insert(rows_.pieces.end(), pieces.begin(), pieces.end());
      rows_.first_piece.push_back(static_cast<Index>(rows_.pieces.size()));
    }
  }

  const Lattice& lattice_;
  std::size_t least_;
  BondRows rows_;
};

}  // namespace

void MarkedSlots::add_runs(const SlotRun& run, std::vector<SlotRun>& runs) const {
  for (Index begin = 0, end = 0; begin < run.count; begin = end) {
    end = begin + 1;
    if (marks_[run.slot + begin] == 0) continue;
    while (end < run.count && marks_[run.slot + end] != 0) ++end;
    runs.push_back({run.node + begin, run.slot + begin, end - begin});
  }
}

BondRows make_bond_rows(const Lattice& lattice, std::size_t least) { return Maker(lattice, least).make(); }

}  // namespace sunder::lattice_norton91
