#pragma once
// Which bonds and cells are broken, and in which order more of them break.
//
// A cell is broken as soon as one of its bonds is; a bond is broken as soon as all cells that hold it are. One round of
// both closes it: a bond that breaks because its cells have breaks no cell that was whole.

#include <array>
#include <cstdint>
#include <span>
#include <vector>

#include "core/byte_stream.h"
#include "core/column.h"
#include "solvers/lattice_norton91/lattice.h"

namespace sunder::lattice_norton91 {

enum class BondState : std::uint8_t {
  whole,
  pushing,  // broken while it was pressed: it pushes until it first has its rest length
  retired,
};

struct OverstretchedBond {
  Index bond;
  double ratio;  // strain over threshold, > 1
};

class Breakage {
 public:
  Breakage() = default;
  // `keep`: a break that would leave a node without an unbroken cell waits until its ratio exceeds this; 1 is the
  // paper.
  Breakage(const Lattice& lattice, double keep);

  struct Event {
    OverstretchedBond first;
    Index cells = 0;            // that it broke
    std::vector<Index> closed;  // bonds that broke because all their cells had, besides the first
  };
  // Breaks the worst of a neighbourhood only: the worst first, equals by number, and none that has a cell's corner in
  // common with one before. `pressed(bond)` tells whether a bond pushes; `before(cell)` is called before a cell breaks.
  template <class Pressed, class Before>
  std::vector<Event> run(const Lattice& lattice, std::vector<OverstretchedBond> candidates, const Pressed& pressed,
                         const Before& before);

  void retire(Index bond) { bonds_[bond] = BondState::retired; }

  const std::vector<BondState>& bonds() const { return bonds_; }
  bool whole(Index bond) const { return bonds_[bond] == BondState::whole; }
  bool cell_broken(Index cell) const { return cells_[cell] != 0; }
  Index whole_cells(Index node) const { return whole_cells_[node]; }
  std::uint64_t refused() const { return refused_; }  // bonds that had to wait, each once
  std::size_t broken_bonds() const;
  std::size_t broken_cells() const;

  void save(Writer& out) const;
  void load(Reader& in);

 private:
  void sort(std::vector<OverstretchedBond>& candidates) const;
  bool may_break(const Lattice& lattice, const OverstretchedBond& bond);

  double keep_ = 4;
  std::vector<BondState> bonds_;
  std::vector<std::uint8_t> cells_;     // 1: broken
  std::vector<Index> whole_cells_;      // by node
  std::vector<Index> whole_cells_of_;   // by bond
  std::vector<std::uint64_t> touched_;  // by node: the round in which something near it broke
  std::vector<std::uint8_t> waited_;    // by bond: 1 if its break was ever refused; it is asked again in every step
  std::uint64_t round_ = 0;
  std::uint64_t refused_ = 0;
};

template <class Pressed, class Before>
std::vector<Breakage::Event> Breakage::run(const Lattice& lattice, std::vector<OverstretchedBond> candidates,
                                           const Pressed& pressed, const Before& before) {
  std::vector<Event> events;
  sort(candidates);
  ++round_;
  for (const OverstretchedBond& candidate : candidates) {
    const auto& [a, b] = lattice.ends[candidate.bond];
    if (touched_[a] == round_ || touched_[b] == round_ || !whole(candidate.bond)) continue;
    if (!may_break(lattice, candidate)) continue;
    Event event{candidate, 0, {}};
    bonds_[candidate.bond] = BondState::retired;  // it was stretched
    for (const Index cell : lattice.bond_cells[candidate.bond]) {
      for (const Index n : lattice.corners[cell]) touched_[n] = round_;
      if (cells_[cell] != 0) continue;
      before(cell);
      cells_[cell] = 1;
      ++event.cells;
      for (const Index n : lattice.corners[cell]) --whole_cells_[n];
      for (const Index other : lattice.cell_bonds[cell]) {
        if (--whole_cells_of_[other] > 0 || !whole(other)) continue;
        bonds_[other] = pressed(other) ? BondState::pushing : BondState::retired;
        event.closed.push_back(other);
      }
    }
    events.push_back(std::move(event));
  }
  return events;
}

}  // namespace sunder::lattice_norton91
