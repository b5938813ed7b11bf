// The arithmetic of bonds, for the instruction set that Highway compiles for (bond_kernel.cpp).
//
// Every sum has the same order for every SIMD width: entry by entry, all eight lanes of one before the next; what a row
// adds up for its own nodes comes after what its entries add to others. Products that are added are written as MulAdd,
// so that the compiler has nothing left to fuse on its own: AVX2 and AVX-512 give the same bits.

#if defined(SUNDER_BOND_KERNEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_BOND_KERNEL_INL_H
#undef SUNDER_BOND_KERNEL_INL_H
#else
#define SUNDER_BOND_KERNEL_INL_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <vector>

#include "solvers/lattice_norton91/bond_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace sunder::lattice_norton91 {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kLanes>;
using V = hn::Vec<D>;
constexpr std::size_t kWidth = hn::MaxLanes(D());  // an entry is kLanes / kWidth parts
constexpr std::size_t kParts = kLanes / kWidth;

struct V3 {
  V x, y, z;
};

HWY_INLINE V constant(double value) { return hn::Set(D(), value); }
HWY_INLINE V3 operator-(const V3& a, const V3& b) { return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)}; }
HWY_INLINE V3 operator+(const V3& a, const V3& b) { return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)}; }
HWY_INLINE V dot(const V3& a, const V3& b) { return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x))); }
// b + a s, b - a s
HWY_INLINE V3 plus(const V3& b, const V3& a, V s) {
  return {hn::MulAdd(a.x, s, b.x), hn::MulAdd(a.y, s, b.y), hn::MulAdd(a.z, s, b.z)};
}
HWY_INLINE V3 minus(const V3& b, const V3& a, V s) {
  return {hn::NegMulAdd(a.x, s, b.x), hn::NegMulAdd(a.y, s, b.y), hn::NegMulAdd(a.z, s, b.z)};
}
HWY_INLINE V3 zero() { return {hn::Zero(D()), hn::Zero(D()), hn::Zero(D())}; }

// Three numbers of each slot: all x, all y, all z.
struct Slots {
  double *x, *y, *z;
  HWY_INLINE V3 load(std::size_t at) const {
    return {hn::LoadU(D(), x + at), hn::LoadU(D(), y + at), hn::LoadU(D(), z + at)};
  }
  HWY_INLINE void store(const V3& v, std::size_t at) const {
    hn::StoreU(v.x, D(), x + at), hn::StoreU(v.y, D(), y + at), hn::StoreU(v.z, D(), z + at);
  }
};
HWY_INLINE Slots slots_at(double* first, std::size_t count) { return {first, first + count, first + 2 * count}; }

struct Controls {
  V stiffness, length, length_square;
};

struct Pull {
  V total, damping;  // over the bond's vector, N/m
};

// F = (k (l - L) + d v) n = (k (1 - L/l) + d (w.r)/l^2) r along r = l n, with the velocity w of one end past the other
HWY_INLINE Pull pull(const BondLanes& bonds, std::size_t part, const Controls& control, V damping_time, const V3& r,
                     const V3& w, unsigned& overstretched) {
  const auto at = [&](const EightNumbers& lanes) HWY_ATTR { return hn::Load(D(), lanes.of.data() + part); };
  // Nodes in one place: there is no telling which way, and no pull.
  const V square = hn::Max(dot(r, r), constant(1e-200));
  const V inverse_square = hn::Div(constant(1), square), length = hn::Sqrt(square);
  const V k = hn::Mul(control.stiffness, at(bonds.stiffness)), rest = hn::Mul(control.length, at(bonds.length));
  const V strain = hn::NegMulAdd(hn::Mul(rest, length), inverse_square, constant(1));
  const V damping = hn::Mul(hn::Mul(hn::Mul(damping_time, k), inverse_square), dot(w, r));
  const auto longer = hn::Gt(square, hn::Mul(control.length_square, at(bonds.longest_square)));
  if (HWY_UNLIKELY(!hn::AllFalse(D(), longer))) {
    std::uint8_t bits[8] = {};
    hn::StoreMaskBits(D(), longer, bits);
    overstretched |= static_cast<unsigned>(bits[0]) << part;
  }
  return {hn::MulAdd(k, strain, damping), damping};
}

// From x0 y0 z0 x1 ... to all x, all y, all z.
HWY_INLINE void load_nodes(const double* from, std::size_t count, const Slots& to, std::size_t slot) {
  std::size_t i = 0;
  for (; i + kWidth <= count; i += kWidth) {
    V3 v;
    hn::LoadInterleaved3(D(), from + 3 * i, v.x, v.y, v.z);
    to.store(v, slot + i);
  }
  for (; i < count; ++i) {
    to.x[slot + i] = from[3 * i], to.y[slot + i] = from[3 * i + 1], to.z[slot + i] = from[3 * i + 2];
  }
}

HWY_NOINLINE void block_rows(const BondTask& task, const BondBlock& block, const LiveBlock& live,
                             const Controls& control, const Slots& x, const Slots& v, const Slots& f, const Slots& d,
                             unsigned& any) {
  const BondRows& all = *task.rows;
  for (Index r = live.first_row; r < live.row_end; ++r) {
    const LiveRow& row = task.live->rows[r];
    V3 own_x[kParts], own_v[kParts], own_f[kParts], own_d[kParts];
    V damping_time[kParts];
    for (std::size_t p = 0; p < kParts; ++p) {
      own_x[p] = x.load(row.slot + p * kWidth), own_v[p] = v.load(row.slot + p * kWidth);
      own_f[p] = zero(), own_d[p] = zero();
      damping_time[p] = hn::LoadU(D(), task.damping_time + block.first_node + row.slot + p * kWidth);
    }
    for (Index i = row.first; i < row.end; ++i) {
      const Index e = task.live->entries[i];
      unsigned overstretched = 0;
      for (std::size_t p = 0; p < kParts; ++p) {
        const std::size_t other = all.other[e] + p * kWidth;
        const V3 along = x.load(other) - own_x[p], past = v.load(other) - own_v[p];
        const Pull pulls = pull(all.lanes[e], p * kWidth, control, damping_time[p], along, past, overstretched);
        own_f[p] = plus(own_f[p], along, pulls.total), own_d[p] = plus(own_d[p], along, pulls.damping);
        f.store(minus(f.load(other), along, pulls.total), other);
        d.store(minus(d.load(other), along, pulls.damping), other);
      }
      task.overstretched[e] = static_cast<std::uint8_t>(overstretched);
      any |= overstretched;
    }
    for (std::size_t p = 0; p < kParts; ++p) {
      const std::size_t own = row.slot + p * kWidth;
      f.store(f.load(own) + own_f[p], own), d.store(d.load(own) + own_d[p], own);
    }
  }
}

HWY_NOINLINE void block_scattered(const BondTask& task, const BondBlock& block, const LiveBlock& live,
                                  const ScatteredEnds* all_ends, const Controls& control, const Slots& x,
                                  const Slots& v, const Slots& f, const Slots& d, unsigned& any) {
  alignas(64) double lanes[6][kLanes], damping_time[kLanes];
  const auto three = [&](std::size_t first, std::size_t part) HWY_ATTR {
    return V3{hn::Load(D(), lanes[first] + part), hn::Load(D(), lanes[first + 1] + part),
              hn::Load(D(), lanes[first + 2] + part)};
  };
  const auto put = [&](const V3& value, std::size_t first, std::size_t part) HWY_ATTR {
    hn::Store(value.x, D(), lanes[first] + part), hn::Store(value.y, D(), lanes[first + 1] + part);
    hn::Store(value.z, D(), lanes[first + 2] + part);
  };
  for (Index s = live.first_scattered; s < live.scattered_end; ++s) {
    const Index e = task.live->scattered[s];
    const ScatteredEnds* ends = all_ends + (e - block.first_scattered);
    for (std::size_t i = 0; i < kLanes; ++i) {
      const Index a = ends->a[i], b = ends->b[i];
      lanes[0][i] = x.x[b] - x.x[a], lanes[1][i] = x.y[b] - x.y[a], lanes[2][i] = x.z[b] - x.z[a];
      lanes[3][i] = v.x[b] - v.x[a], lanes[4][i] = v.y[b] - v.y[a], lanes[5][i] = v.z[b] - v.z[a];
      damping_time[i] = task.damping_time[block.first_node + a];  // the lower end is the block's own
    }
    unsigned overstretched = 0;
    for (std::size_t part = 0; part < kLanes; part += kWidth) {
      const V3 along = three(0, part);
      const Pull pulls = pull(task.rows->lanes[e], part, control, hn::Load(D(), damping_time + part), along,
                              three(3, part), overstretched);
      put(plus(zero(), along, pulls.total), 0, part);
      put(plus(zero(), along, pulls.damping), 3, part);
    }
    for (std::size_t i = 0; i < kLanes; ++i) {
      const Index a = ends->a[i], b = ends->b[i];
      f.x[a] += lanes[0][i], f.y[a] += lanes[1][i], f.z[a] += lanes[2][i];
      f.x[b] -= lanes[0][i], f.y[b] -= lanes[1][i], f.z[b] -= lanes[2][i];
      d.x[a] += lanes[3][i], d.y[a] += lanes[4][i], d.z[a] += lanes[5][i];
      d.x[b] -= lanes[3][i], d.y[b] -= lanes[4][i], d.z[b] -= lanes[5][i];
    }
    task.overstretched[e] = static_cast<std::uint8_t>(overstretched);
    any |= overstretched;
  }
}

void bond_forces_simd(const BondTask& task, std::size_t begin, std::size_t end) {
  const BondRows& all = *task.rows;
  const Controls control = {constant(task.stiffness), constant(task.length), constant(task.length * task.length)};
  thread_local std::vector<EightNumbers> motion;  // of the block's slots, used again from call to call
  for (std::size_t b = begin; b < end; ++b) {
    const BondBlock& block = all.blocks[b];
    const LiveBlock& live = task.live->blocks[b];
    task.any[b] = 0;
    if (!live.any()) continue;
    const std::size_t count = block.slot_count;
    motion.assign(6 * count / kLanes, EightNumbers());
    EightNumbers* forces = task.slot_force + 6 * block.first_slot / kLanes;
    std::fill(forces, forces + 6 * count / kLanes, EightNumbers());
    const Slots x = slots_at(motion.data()->of.data(), count), v = slots_at(x.x + 3 * count, count);
    const Slots f = slots_at(forces->of.data(), count), d = slots_at(f.x + 3 * count, count);
    for (Index r = live.first_run; r < live.run_end; ++r) {
      const SlotRun& run = task.live->runs[r];
      load_nodes(task.position + 3 * std::size_t{run.node}, run.count, x, run.slot);
      load_nodes(task.velocity + 3 * std::size_t{run.node}, run.count, v, run.slot);
    }
    unsigned any = 0;
    block_rows(task, block, live, control, x, v, f, d, any);
    block_scattered(task, block, live, all.scattered.data() + all.scattered_of[b], control, x, v, f, d, any);
    task.any[b] = any != 0 ? 1 : 0;
  }
}

void add_up_bond_forces_simd(const BondSumTask& task, std::size_t begin, std::size_t end) {
  const BondRows& all = *task.rows;
  constexpr std::size_t kRoom = kBlockNodes + kLanes;  // what is written beyond the last node is not looked at
  alignas(64) double sums[6][kRoom];
  for (std::size_t b = begin; b < end; ++b) {
    const std::size_t first = all.blocks[b].first_node, nodes = all.blocks[b].node_end - first;
    for (auto& sum : sums) std::fill(sum, sum + nodes, 0.0);
    for (Index p = all.first_piece[b]; p < all.first_piece[b + 1]; ++p) {
      const SlotPiece& piece = all.pieces[p];
      if (!task.live->blocks[piece.block].any()) continue;
      const BondBlock& block = all.blocks[piece.block];
      const double* from = task.slot_force[6 * block.first_slot / kLanes].of.data() + piece.slot;
      for (auto& sum : sums) {
        double* to = sum + (piece.node - first);
        std::size_t i = 0;
        for (; i + kWidth <= piece.count; i += kWidth) {
          hn::StoreU(hn::Add(hn::LoadU(D(), to + i), hn::LoadU(D(), from + i)), D(), to + i);
        }
        for (; i < piece.count; ++i) to[i] += from[i];
        from += block.slot_count;
      }
    }
    const auto put = [&](std::size_t component, double* to) HWY_ATTR {
      std::size_t i = 0;
      for (; i + kWidth <= nodes; i += kWidth) {
        hn::StoreInterleaved3(hn::Load(D(), sums[component] + i), hn::Load(D(), sums[component + 1] + i),
                              hn::Load(D(), sums[component + 2] + i), D(), to + 3 * i);
      }
      for (; i < nodes; ++i) {
        for (std::size_t a = 0; a < 3; ++a) to[3 * i + a] = sums[component + a][i];
      }
    };
    put(0, task.force + 3 * first);
    put(3, task.damping + 3 * first);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace sunder::lattice_norton91
HWY_AFTER_NAMESPACE();
#endif
