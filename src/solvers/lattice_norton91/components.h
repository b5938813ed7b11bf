#pragma once
// What hangs together through unbroken bonds. Ids last: of a piece that breaks, the part with the most nodes keeps the
// id (the one with the lowest node, among equals), the others get new ones.

#include <cstdint>
#include <vector>

#include "core/byte_stream.h"
#include "frame/crack_log.h"
#include "solvers/lattice_norton91/breakage.h"
#include "solvers/lattice_norton91/lattice.h"

namespace sunder::lattice_norton91 {

class Components {
 public:
  // Labels anew, and returns what is new, in the order of ids; at first all, with parent 0.
  std::vector<FragmentEvent> update(const Lattice& lattice, const Breakage& breakage);

  const std::vector<std::uint32_t>& labels() const { return labels_; }  // by node, from 1
  std::size_t count() const { return count_; }

  void save(Writer& out) const;
  void load(Reader& in, std::size_t nodes);

 private:
  std::vector<std::uint32_t> labels_;
  std::uint32_t next_ = 1;
  std::size_t count_ = 0;
};

}  // namespace sunder::lattice_norton91
