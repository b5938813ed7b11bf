#include "solvers/lattice_norton91/breakage.h"

#include <algorithm>
#include <utility>

namespace sunder::lattice_norton91 {

Breakage::Breakage(const Lattice& lattice, double keep)
    : keep_(keep),
      bonds_(lattice.bond_count(), BondState::whole),
      cells_(lattice.cell_count(), 0),
      whole_cells_(lattice.node_count(), 0),
      whole_cells_of_(lattice.bond_count(), 0),
      touched_(lattice.node_count(), 0),
      waited_(lattice.bond_count(), 0) {
  for (std::size_t n = 0; n < whole_cells_.size(); ++n)
    whole_cells_[n] = static_cast<Index>(lattice.node_cells[n].size());
  for (std::size_t b = 0; b < bonds_.size(); ++b) whole_cells_of_[b] = static_cast<Index>(lattice.bond_cells[b].size());
}

void Breakage::sort(std::vector<OverstretchedBond>& candidates) const {
  std::sort(candidates.begin(), candidates.end(), [](const OverstretchedBond& x, const OverstretchedBond& y) {
    return x.ratio != y.ratio ? x.ratio > y.ratio : x.bond < y.bond;
  });
}

bool Breakage::may_break(const Lattice& lattice, const OverstretchedBond& bond) {
  if (bond.ratio > keep_) return true;
  // How many of each node's whole cells would go: a bond has four cells at most in a grid, so few that counting is
  // quicker than marking.
  const auto cells = lattice.bond_cells[bond.bond];
  for (const Index cell : cells) {
    if (cells_[cell] != 0) continue;
    for (const Index n : lattice.corners[cell]) {
      Index lost = 0;
      for (const Index other : cells) {
        const auto& corners = lattice.corners[other];
        if (cells_[other] == 0 && std::find(corners.begin(), corners.end(), n) != corners.end()) ++lost;
      }
      if (whole_cells_[n] == lost) {
        if (waited_[bond.bond] == 0) waited_[bond.bond] = 1, ++refused_;
        return false;
      }
    }
  }
  return true;
}

std::size_t Breakage::broken_bonds() const {
  return static_cast<std::size_t>(
      std::count_if(bonds_.begin(), bonds_.end(), [](BondState s) { return s != BondState::whole; }));
}
std::size_t Breakage::broken_cells() const {
  return static_cast<std::size_t>(std::count(cells_.begin(), cells_.end(), std::uint8_t{1}));
}

void Breakage::save(Writer& out) const {
  out.put_all(std::span<const BondState>(bonds_));
  out.put_all(std::span<const std::uint8_t>(cells_));
  out.put_all(std::span<const Index>(whole_cells_));
  out.put_all(std::span<const Index>(whole_cells_of_));
  out.put_all(std::span<const std::uint8_t>(waited_));
}

void Breakage::load(Reader& in) {
  in.get_into(std::span(bonds_));
  in.get_into(std::span(cells_));
  in.get_into(std::span(whole_cells_));
  in.get_into(std::span(whole_cells_of_));
  for (const BondState state : bonds_) {
    if (state > BondState::retired) in.fail();
  }
  in.get_into(std::span(waited_));
  refused_ = static_cast<std::uint64_t>(std::count(waited_.begin(), waited_.end(), std::uint8_t{1}));
}

}  // namespace sunder::lattice_norton91
