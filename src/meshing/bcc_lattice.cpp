#include "meshing/bcc_lattice.h"

#include <cstddef>
#include <unordered_map>
#include <utility>

#include "core/random.h"

namespace sunder {
namespace {

struct HashKey {
  std::size_t operator()(std::uint64_t key) const { return static_cast<std::size_t>(mix64(key)); }
};

class LatticeBuilder {
 public:
  LatticeBuilder(const Octree& octree, const Borrowed<bool(std::uint32_t)>& wanted)
      : octree_(octree), wanted_(wanted) {}

  BccLattice build() && {
    for (std::uint32_t c = 0; c < octree_.cells().size(); ++c) {
      if (!octree_.cells()[c].leaf()) continue;
      for (std::size_t axis = 0; axis < 3; ++axis) {
        for (const int side : {-1, 1}) face(c, axis, side);
      }
    }
    return std::move(lattice_);
  }

 private:
  const Octree::Cell& cell(std::uint32_t c) const { return octree_.cells()[c]; }

  std::uint32_t node(const GridPoint& p) {
    const std::uint64_t key = static_cast<std::uint64_t>(p[0]) << 42 | static_cast<std::uint64_t>(p[1]) << 21 |
                              static_cast<std::uint64_t>(p[2]);
    const auto [found, fresh] = index_.try_emplace(key, static_cast<std::uint32_t>(lattice_.nodes.size()));
    if (fresh) lattice_.nodes.push_back(p);
    return found->second;
  }

  void tet(const GridPoint& a, const GridPoint& b, const GridPoint& c, const GridPoint& d) {
    const auto from_a = [&](const GridPoint& p) {
      return std::array<std::int64_t, 3>{p[0] - a[0], p[1] - a[1], p[2] - a[2]};
    };
    const auto u = from_a(b), v = from_a(c), w = from_a(d);
    const std::int64_t volume =
        u[0] * (v[1] * w[2] - v[2] * w[1]) + u[1] * (v[2] * w[0] - v[0] * w[2]) + u[2] * (v[0] * w[1] - v[1] * w[0]);
    std::array<std::uint32_t, 4> corners = {node(a), node(b), node(c), node(d)};
    if (volume < 0) std::swap(corners[2], corners[3]);
    lattice_.tets.push_back(corners);
  }

  void face(std::uint32_t here, std::size_t axis, int side) {
    const Octree::Cell& o = cell(here);
    GridPoint probe = o.corner;
    probe[axis] += side > 0 ? o.size : -1;
    const std::uint32_t there = octree_.leaf_at(probe);
    if (there == Octree::kNone) return;
    const Octree::Cell& n = cell(there);
    if (n.size < o.size) return;               // seen from the smaller one
    if (n.size == o.size && side < 0) return;  // seen from the other one
    if (!wanted_(here) && !wanted_(there)) return;
    const std::int32_t plane = side > 0 ? o.corner[axis] + o.size : o.corner[axis];
    const std::size_t b = (axis + 1) % 3, c = (axis + 2) % 3;
    const auto on_face = [&](std::int32_t along_b, std::int32_t along_c) {
      GridPoint p{};
      p[axis] = plane;
      p[b] = along_b;
      p[c] = along_c;
      return p;
    };
    if (n.size > o.size) {
      // The quarter of the large face, cut from its centre to its corner.
      const GridPoint big = n.centre();
      const std::int32_t low_b = o.corner[b], high_b = low_b + o.size, low_c = o.corner[c], high_c = low_c + o.size;
      const std::int32_t inner_b = big[b] == low_b ? low_b : high_b, outer_b = inner_b == low_b ? high_b : low_b;
      const std::int32_t inner_c = big[c] == low_c ? low_c : high_c, outer_c = inner_c == low_c ? high_c : low_c;
      const GridPoint middle = on_face(inner_b, inner_c), corner = on_face(outer_b, outer_c);
      for (const GridPoint& halfway : {on_face(inner_b, outer_c), on_face(outer_b, inner_c)}) {
        tet(o.centre(), middle, corner, halfway);
        tet(big, middle, corner, halfway);
      }
      return;
    }
    for (const std::size_t across : {b, c}) {
      const std::size_t along = across == b ? c : b;
      for (const int end : {0, 1}) {
        GridPoint from = o.corner, to = o.corner;
        from[axis] = to[axis] = plane;
        from[across] = to[across] = o.corner[across] + end * o.size;
        to[along] += o.size;
        if (!has_midpoint(o, axis, across, end)) {
          tet(o.centre(), n.centre(), from, to);
          continue;
        }
        GridPoint halfway = from;
        halfway[along] += o.size / 2;
        tet(o.centre(), n.centre(), from, halfway);
        tet(o.centre(), n.centre(), halfway, to);
      }
    }
  }

  // Whether smaller cells touch this edge of the upper face of a cell: those beside the cell or beside its neighbour.
  bool has_midpoint(const Octree::Cell& o, std::size_t axis, std::size_t across, int end) const {
    GridPoint probe = o.corner;
    probe[across] += end == 1 ? o.size : -o.size;
    for (int k = 0; k < 2; ++k) {
      const std::uint32_t beside = octree_.leaf_at(probe);
      if (beside != Octree::kNone && cell(beside).size < o.size) return true;
      probe[axis] += o.size;
    }
    return false;
  }

  const Octree& octree_;
  const Borrowed<bool(std::uint32_t)>& wanted_;
  BccLattice lattice_;
  std::unordered_map<std::uint64_t, std::uint32_t, HashKey> index_;
};

}  // namespace

BccLattice bcc_lattice(const Octree& octree, const Borrowed<bool(std::uint32_t)>& wanted) {
  return LatticeBuilder(octree, wanted).build();
}

}  // namespace sunder
