// The arithmetic of forces and of the node update, for the instruction set that Highway compiles for
// (fast_forces_kernel.cpp).
//
// Every sum has the same order for every SIMD width: lanes never mix before the end of a block, and node sums go role
// by role (a, b, c, d, e), lane by lane, over the whole group. Products that are added are always written as MulAdd, so
// that the compiler has nothing left to fuse on its own: AVX2 and AVX-512 give the same bits.

#if defined(SUNDER_FAST_FORCES_KERNEL_INL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef SUNDER_FAST_FORCES_KERNEL_INL_H
#undef SUNDER_FAST_FORCES_KERNEL_INL_H
#else
#define SUNDER_FAST_FORCES_KERNEL_INL_H
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <array>
#include <cstring>

#include "solvers/tet_oh99/fast_forces_kernel.h"

HWY_BEFORE_NAMESPACE();
namespace sunder::tet_oh99 {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using D = hn::CappedTag<double, kLanes>;
using V = hn::Vec<D>;
using M = hn::Mask<D>;
constexpr std::size_t kWidth = hn::MaxLanes(D());  // a group is kLanes / kWidth parts

// --- small vectors of lanes ----------------------------------------------------------------------------------------

struct V3 {
  V x, y, z;
};

HWY_INLINE V constant(double value) { return hn::Set(D(), value); }
HWY_INLINE V at(const Lanes& lanes, std::size_t part) { return hn::Load(D(), lanes.data() + part); }

HWY_INLINE V3 operator-(const V3& a, const V3& b) { return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)}; }
HWY_INLINE V3 operator+(const V3& a, const V3& b) { return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)}; }
HWY_INLINE V3 scaled(const V3& a, V s) { return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)}; }
// a s + b
HWY_INLINE V3 scaled_plus(const V3& a, V s, const V3& b) {
  return {hn::MulAdd(a.x, s, b.x), hn::MulAdd(a.y, s, b.y), hn::MulAdd(a.z, s, b.z)};
}
HWY_INLINE V dot(const V3& a, const V3& b) { return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::Mul(a.x, b.x))); }
HWY_INLINE V dot_plus(const V3& a, const V3& b, V c) {
  return hn::MulAdd(a.z, b.z, hn::MulAdd(a.y, b.y, hn::MulAdd(a.x, b.x, c)));
}
HWY_INLINE V3 cross(const V3& a, const V3& b) {
  return {hn::MulSub(a.y, b.z, hn::Mul(a.z, b.y)), hn::MulSub(a.z, b.x, hn::Mul(a.x, b.z)),
          hn::MulSub(a.x, b.y, hn::Mul(a.y, b.x))};
}

// --- between node records and lanes --------------------------------------------------------------------------------

// Of the nodes of a block, copied together: position and velocity, three numbers and an unused one each.
struct alignas(64) NodeMotion {
  double x[4], v[4];
};
struct alignas(32) NodeSum {
  double f[4];
};
static_assert(sizeof(NodeMotion) == 2 * kNodeStride && sizeof(NodeSum) == kNodeStride);

HWY_INLINE const double* motion_at(const NodeMotion* motions, std::uint16_t node) {
  return reinterpret_cast<const double*>(reinterpret_cast<const char*>(motions) + 2 * std::size_t{node});
}
HWY_INLINE double* sum_at(NodeSum* sums, std::uint16_t node) {
  return reinterpret_cast<double*>(reinterpret_cast<char*>(sums) + node);
}

struct Motion {
  V3 x, v;
};

HWY_INLINE Motion operator-(const Motion& a, const Motion& b) { return {a.x - b.x, a.v - b.v}; }

#if HWY_TARGET == HWY_AVX3
// Blocks (of two doubles) 0 and 2 of both, or 1 and 3.
HWY_INLINE V even_blocks(V a, V b) { return V{_mm512_shuffle_f64x2(a.raw, b.raw, _MM_SHUFFLE(2, 0, 2, 0))}; }
HWY_INLINE V odd_blocks(V a, V b) { return V{_mm512_shuffle_f64x2(a.raw, b.raw, _MM_SHUFFLE(3, 1, 3, 1))}; }
#endif

// Of kWidth nodes: a load each and a transpose. (Hardware gathers are three times slower.)
HWY_INLINE Motion gather(const NodeMotion* motions, const std::uint16_t* HWY_RESTRICT node) {
#if HWY_TARGET == HWY_AVX3
  const auto row = [&](std::size_t i) HWY_ATTR { return hn::Load(D(), motion_at(motions, node[i])); };
  const V r0 = row(0), r1 = row(1), r2 = row(2), r3 = row(3), r4 = row(4), r5 = row(5), r6 = row(6), r7 = row(7);
  const V xz01 = hn::InterleaveLower(D(), r0, r1), xz23 = hn::InterleaveLower(D(), r2, r3);  // x x z z vx vx vz vz
  const V xz45 = hn::InterleaveLower(D(), r4, r5), xz67 = hn::InterleaveLower(D(), r6, r7);
  const V y01 = hn::InterleaveUpper(D(), r0, r1), y23 = hn::InterleaveUpper(D(), r2, r3);  // y y - - vy vy - -
  const V y45 = hn::InterleaveUpper(D(), r4, r5), y67 = hn::InterleaveUpper(D(), r6, r7);
  const V x0123 = even_blocks(xz01, xz23), x4567 = even_blocks(xz45, xz67);  // x x vx vx x x vx vx
  const V z0123 = odd_blocks(xz01, xz23), z4567 = odd_blocks(xz45, xz67);
  const V y0123 = even_blocks(y01, y23), y4567 = even_blocks(y45, y67);
  return {{even_blocks(x0123, x4567), even_blocks(y0123, y4567), even_blocks(z0123, z4567)},
          {odd_blocks(x0123, x4567), odd_blocks(y0123, y4567), odd_blocks(z0123, z4567)}};
#elif HWY_TARGET == HWY_AVX2
  const auto three = [&](std::size_t half) HWY_ATTR {
    const auto row = [&](std::size_t i) HWY_ATTR { return hn::Load(D(), motion_at(motions, node[i]) + half); };
    const V r0 = row(0), r1 = row(1), r2 = row(2), r3 = row(3);
    const V xz01 = hn::InterleaveLower(D(), r0, r1), xz23 = hn::InterleaveLower(D(), r2, r3);
    const V y01 = hn::InterleaveUpper(D(), r0, r1), y23 = hn::InterleaveUpper(D(), r2, r3);
    return V3{hn::ConcatLowerLower(D(), xz23, xz01), hn::ConcatLowerLower(D(), y23, y01),
              hn::ConcatUpperUpper(D(), xz23, xz01)};
  };
  return {three(0), three(4)};
#else
  alignas(64) double lanes[8][kWidth];
  for (std::size_t i = 0; i < kWidth; ++i) {
    for (std::size_t k = 0; k < 8; ++k) lanes[k][i] = motion_at(motions, node[i])[k];
  }
  return {{hn::Load(D(), lanes[0]), hn::Load(D(), lanes[1]), hn::Load(D(), lanes[2])},
          {hn::Load(D(), lanes[4]), hn::Load(D(), lanes[5]), hn::Load(D(), lanes[6])}};
#endif
}

// Adds to the sums of kWidth nodes, lane after lane: two lanes may name the same node.
HWY_INLINE void scatter_add(const V3& f, NodeSum* sums, const std::uint16_t* HWY_RESTRICT node) {
#if HWY_TARGET == HWY_AVX3
  const hn::Half<D> h;
  const V xy_even = hn::InterleaveLower(D(), f.x, f.y), xy_odd = hn::InterleaveUpper(D(), f.x, f.y);
  const auto two_rows = [&](V xy, __m512i from)
                            HWY_ATTR { return V{_mm512_maskz_permutex2var_pd(0x77, xy.raw, from, f.z.raw)}; };
  const V r04 = two_rows(xy_even, _mm512_setr_epi64(0, 1, 8, 0, 4, 5, 12, 0));
  const V r15 = two_rows(xy_odd, _mm512_setr_epi64(0, 1, 9, 0, 4, 5, 13, 0));
  const V r26 = two_rows(xy_even, _mm512_setr_epi64(2, 3, 10, 0, 6, 7, 14, 0));
  const V r37 = two_rows(xy_odd, _mm512_setr_epi64(2, 3, 11, 0, 6, 7, 15, 0));
  const auto add = [&](std::size_t lane, auto row) HWY_ATTR {
    double* sum = sum_at(sums, node[lane]);
    hn::Store(hn::Add(hn::Load(h, sum), row), h, sum);
  };
  add(0, hn::LowerHalf(h, r04)), add(1, hn::LowerHalf(h, r15)), add(2, hn::LowerHalf(h, r26));
  add(3, hn::LowerHalf(h, r37)), add(4, hn::UpperHalf(h, r04)), add(5, hn::UpperHalf(h, r15));
  add(6, hn::UpperHalf(h, r26)), add(7, hn::UpperHalf(h, r37));
#else
  alignas(64) double x[kWidth], y[kWidth], z[kWidth];
  hn::Store(f.x, D(), x), hn::Store(f.y, D(), y), hn::Store(f.z, D(), z);
  for (std::size_t i = 0; i < kWidth; ++i) {
    double* sum = sum_at(sums, node[i]);
    sum[0] += x[i], sum[1] += y[i], sum[2] += z[i];
  }
#endif
}

// --- one part of a group -------------------------------------------------------------------------------------------

// The laws' constants in all lanes. Forces have the sign of -S: the minus sits in the constants, for nothing.
struct MaterialLanes {
  HWY_ATTR explicit MaterialLanes(const KernelMaterial& m)
      : minus_half_lambda(constant(-0.5 * m.lambda)),
        minus_mu(constant(-m.mu)),
        minus_phi(constant(-m.phi)),
        minus_psi(constant(-m.psi)),
        // Below it a tet needs a closer look: for the barrier, or just because it is inside out.
        watched_share(constant(m.barrier_modulus > 0 ? m.barrier_share : 0)) {}
  V minus_half_lambda, minus_mu, minus_phi, minus_psi, watched_share;
};

struct Totals {
  HWY_ATTR Totals() : minus_power(hn::Zero(D())), elastic_eigen(hn::Zero(D())), viscous_eigen(hn::Zero(D())) {}
  V minus_power, elastic_eigen, viscous_eigen;
  std::size_t inverted = 0;
};

// F (x) and dF/dt (v) of both tets, by columns; columns 0 and 1 are common.                           OH99 (21), (22)
struct PairGradient {
  Motion c0, c1;
  std::array<Motion, 2> c2;
};

HWY_INLINE Motion scaled(const Motion& a, V s) { return {scaled(a.x, s), scaled(a.v, s)}; }
HWY_INLINE Motion scaled_plus(const Motion& a, V s, const Motion& b) {
  return {scaled_plus(a.x, s, b.x), scaled_plus(a.v, s, b.v)};
}

HWY_INLINE PairGradient gradient(const PairGroup& group, std::size_t part, const NodeMotion* motions) {
  const Motion a = gather(motions, group.node[0].data() + part);
  const Motion ab = gather(motions, group.node[1].data() + part) - a;
  const Motion ac = gather(motions, group.node[2].data() + part) - a;
  PairGradient f;
  f.c0 = scaled(ab, at(group.u00, part));
  f.c1 = scaled_plus(ac, at(group.u11, part), scaled(ab, at(group.u01, part)));
  for (std::size_t i = 0; i < 2; ++i) {
    const PairGroup::Tet& tet = group.tet[i];
    const Motion apex = gather(motions, group.node[3 + i].data() + part) - a;
    f.c2[i] = scaled_plus(apex, at(tet.u22, part), scaled_plus(ac, at(tet.u12, part), scaled(ab, at(tet.u02, part))));
  }
  return f;
}

// Strain and rate of one tet, as they fall out: diagonal and off-diagonal.
struct Symmetric {
  V xx, yy, zz, yz, xz, xy;
};

// No eigenvalue of a symmetric 3x3 matrix exceeds its mean by more than sqrt(2/3) of the deviator's norm.
HWY_INLINE V largest_eigenvalue_bound(const Symmetric& m) {
  const V mean = hn::Mul(constant(1.0 / 3), hn::Add(hn::Add(m.xx, m.yy), m.zz));
  const V3 diagonal = V3{m.xx, m.yy, m.zz} - V3{mean, mean, mean};
  const V3 off = {m.yz, m.xz, m.xy};
  const V square = hn::MulAdd(constant(2), dot(off, off), dot(diagonal, diagonal));
  return hn::Add(mean, hn::Sqrt(hn::Mul(constant(2.0 / 3), square)));
}

// The bounds of one tet on the eigenvalues of M^-1 K and of the viscous matrix: forces.cpp has the reasons.
HWY_INLINE void measure(const KernelMaterial& m, const Symmetric& strain, const Symmetric& rate, V determinant,
                        const V3& f0, const V3& f1, const V3& f2, V damping, const PairGroupBounds::Tet& bounds,
                        std::size_t part, Totals& totals) {
  const V zero = hn::Zero(D());
  const V stretch_square = hn::Max(zero, hn::MulAdd(constant(2), largest_eigenvalue_bound(strain), constant(1)));
  const auto law = [&](V e, V d) HWY_ATTR {
    return hn::MulAdd(constant(2 * m.mu), e, hn::Mul(hn::Mul(constant(2 * m.psi), damping), d));
  };
  const V pressure =
      hn::MulAdd(constant(m.lambda), hn::Add(hn::Add(strain.xx, strain.yy), strain.zz),
                 hn::Mul(hn::Mul(constant(m.phi), damping), hn::Add(hn::Add(rate.xx, rate.yy), rate.zz)));
  const Symmetric stress = {hn::Add(pressure, law(strain.xx, rate.xx)),
                            hn::Add(pressure, law(strain.yy, rate.yy)),
                            hn::Add(pressure, law(strain.zz, rate.zz)),
                            law(strain.yz, rate.yz),
                            law(strain.xz, rate.xz),
                            law(strain.xy, rate.xy)};
  V own_stiffness = hn::Max(zero, largest_eigenvalue_bound(stress));
  if (m.barrier_modulus > 0) {
    // x = 1 - J/J0 where the barrier acts, else 0: then it adds nothing.
    const V x = hn::Max(zero, hn::NegMulAdd(constant(1 / m.barrier_share), determinant, constant(1)));
    const V3 c0 = cross(f1, f2), c1 = cross(f2, f0), c2 = cross(f0, f1);
    const V cofactor_square = dot_plus(c2, c2, dot_plus(c1, c1, dot(c0, c0)));
    const V curvature = hn::Mul(constant(2 * m.barrier_modulus / m.barrier_share), x);
    const V slope = hn::Mul(constant(m.barrier_modulus), hn::Mul(x, x));
    own_stiffness = hn::MulAdd(curvature, cofactor_square, own_stiffness);
    own_stiffness = hn::MulAdd(hn::Mul(constant(2), slope), hn::Sqrt(stretch_square), own_stiffness);
  }
  const V elastic = hn::MulAdd(hn::Mul(constant(4 / m.density), own_stiffness), at(bounds.gradient_square, part),
                               hn::Mul(stretch_square, at(bounds.elastic_eigen, part)));
  totals.elastic_eigen = hn::Max(totals.elastic_eigen, elastic);
  totals.viscous_eigen = hn::Max(totals.viscous_eigen, hn::Mul(stretch_square, at(bounds.viscous_eigen, part)));
}

// Which tets may have a corner near breaking: those whose tensile stretch |F| lambda+(S) (fracture/separation_bound.h)
// may reach their limit. c = F^T F - I; s = -vol S; both as they fall out. First without roots: |F|^2 is at most the
// trace of F^T F, and lambda+ at most the norm of S. Only where that does not do, the tight bounds.
HWY_INLINE unsigned near_breaking(const Symmetric& c, const Symmetric& s, V limit_square) {
  const V3 off = {s.yz, s.xz, s.xy}, diagonal = {s.xx, s.yy, s.zz};
  const V trace = hn::Add(hn::Add(c.xx, c.yy), hn::Add(c.zz, constant(3)));
  const V square = hn::MulAdd(constant(2), dot(off, off), dot(diagonal, diagonal));
  const M maybe = hn::Gt(hn::Mul(trace, square), limit_square);
  if (HWY_LIKELY(hn::AllFalse(D(), maybe))) return 0;
  const V zero = hn::Zero(D());
  const V stretch_square = hn::Max(zero, hn::Add(largest_eigenvalue_bound(c), constant(1)));
  const Symmetric stress = {hn::Neg(s.xx), hn::Neg(s.yy), hn::Neg(s.zz), hn::Neg(s.yz), hn::Neg(s.xz), hn::Neg(s.xy)};
  const V tension = hn::Max(zero, largest_eigenvalue_bound(stress));
  // What the bound of the library carries for round-off, and then some.
  const V padded = hn::MulAdd(constant(1e-11), hn::Sqrt(square), tension);
  const M near = hn::And(maybe, hn::Gt(hn::Mul(stretch_square, hn::Mul(padded, padded)), limit_square));
  std::uint8_t bits[8] = {};  // Highway writes eight bytes
  hn::StoreMaskBits(D(), near, bits);
  return bits[0];
}

struct PairForces {
  V3 a, b, c, d, e;
};

// What a kernel looks at besides the forces.
template <bool kMeasured, bool kWatched>
struct Look {
  static constexpr bool kMeasure = kMeasured, kWatch = kWatched;
};

template <class Look>
HWY_INLINE PairForces pair_forces(const KernelMaterial& constants, const MaterialLanes& m, const PairGroup& group,
                                  const PairGroupBounds& bounds, const PairGroupLimits& limits, std::size_t part,
                                  const PairGradient& gradients, Totals& totals, unsigned& flagged) {
  const V3 &f0 = gradients.c0.x, &f1 = gradients.c1.x, &g0 = gradients.c0.v, &g1 = gradients.c1.v;

  // c = 2 E = F^T F - I; d = dE/dt on the diagonal and twice that beside it                             OH99 (1), (3)
  const V minus_one = constant(-1);
  const V c00 = dot_plus(f0, f0, minus_one), c11 = dot_plus(f1, f1, minus_one), c01 = dot(f0, f1);
  const V d00 = dot(f0, g0), d11 = dot(f1, g1), d01 = dot_plus(f0, g1, dot(g0, f1));
  const V trace_c = hn::Add(c00, c11), trace_d = hn::Add(d00, d11);
  // the common part of 2 dE/dt : dE/dt
  const V two_d00 = hn::Add(d00, d00), two_d11 = hn::Add(d11, d11);
  const V square = hn::MulAdd(d01, d01, hn::MulAdd(two_d11, d11, hn::Mul(two_d00, d00)));
  const V3 normal = cross(f0, f1);

  // Everything from here on is multiplied by -vol. Sums of the two tets where only they are needed.
  V s00, s11, s01;  // of both
  V s02[2], s12[2];
  V3 p2[2];
  V determinant[2];
  V minus_mu_sum, minus_psi_sum, pressure_sum;
  for (std::size_t i = 0; i < 2; ++i) {
    const PairGroup::Tet& tet = group.tet[i];
    const V3 &f2 = gradients.c2[i].x, &g2 = gradients.c2[i].v;
    const V c22 = dot_plus(f2, f2, minus_one), c02 = dot(f0, f2), c12 = dot(f1, f2);
    const V d22 = dot(f2, g2), d02 = dot_plus(f0, g2, dot(g0, f2)), d12 = dot_plus(f1, g2, dot(g1, f2));
    determinant[i] = dot(normal, f2);

    const V volume = at(tet.volume, part), damped_volume = at(tet.damped_volume, part);
    const V mu = hn::Mul(volume, m.minus_mu), psi = hn::Mul(damped_volume, m.minus_psi);
    const V trace_rate = hn::Add(trace_d, d22);
    const V viscous_pressure = hn::Mul(hn::Mul(damped_volume, m.minus_phi), trace_rate);
    const V pressure = hn::MulAdd(hn::Mul(volume, m.minus_half_lambda), hn::Add(trace_c, c22), viscous_pressure);
    const V two_d22 = hn::Add(d22, d22);

    // S = lambda tr(E) I + 2 mu E + phi tr(dE/dt) I + 2 psi dE/dt                                  OH99 (4), (7), (8)
    const V s22 = hn::MulAdd(mu, c22, hn::MulAdd(psi, two_d22, pressure));
    s02[i] = hn::MulAdd(mu, c02, hn::Mul(psi, d02));
    s12[i] = hn::MulAdd(mu, c12, hn::Mul(psi, d12));
    p2[i] = scaled_plus(f2, s22, scaled_plus(f1, s12[i], scaled(f0, s02[i])));
    minus_mu_sum = i == 0 ? mu : hn::Add(minus_mu_sum, mu);
    minus_psi_sum = i == 0 ? psi : hn::Add(minus_psi_sum, psi);
    pressure_sum = i == 0 ? pressure : hn::Add(pressure_sum, pressure);

    // vol S_viscous : dE/dt
    const V tet_square = hn::MulAdd(two_d22, d22, hn::MulAdd(d12, d12, hn::MulAdd(d02, d02, square)));
    totals.minus_power = hn::MulAdd(psi, tet_square, hn::MulAdd(viscous_pressure, trace_rate, totals.minus_power));

    if constexpr (Look::kWatch) {
      const Symmetric strain = {c00, c11, c22, c12, c02, c01};
      const Symmetric stress = {hn::MulAdd(mu, c00, hn::MulAdd(psi, two_d00, pressure)),
                                hn::MulAdd(mu, c11, hn::MulAdd(psi, two_d11, pressure)),
                                s22,
                                s12[i],
                                s02[i],
                                hn::MulAdd(mu, c01, hn::Mul(psi, d01))};
      flagged |= near_breaking(strain, stress, at(limits.tet[i], part)) << (kLanes * i + part);
    }
    if constexpr (Look::kMeasure) {
      const V half = constant(0.5);
      const Symmetric strain = {hn::Mul(half, c00), hn::Mul(half, c11), hn::Mul(half, c22),
                                hn::Mul(half, c12), hn::Mul(half, c02), hn::Mul(half, c01)};
      const Symmetric rate = {d00, d11, d22, hn::Mul(half, d12), hn::Mul(half, d02), hn::Mul(half, d01)};
      // A tet without volume has no damping either; its bounds are multiplied by zero.
      const V damping = hn::IfThenElseZero(hn::Gt(volume, hn::Zero(D())), hn::Div(damped_volume, volume));
      measure(constants, strain, rate, determinant[i], f0, f1, f2, damping, bounds.tet[i], part, totals);
    }
  }
  s00 = hn::MulAdd(minus_mu_sum, c00, hn::MulAdd(minus_psi_sum, two_d00, pressure_sum));
  s11 = hn::MulAdd(minus_mu_sum, c11, hn::MulAdd(minus_psi_sum, two_d11, pressure_sum));
  s01 = hn::MulAdd(minus_mu_sum, c01, hn::Mul(minus_psi_sum, d01));

  // P = F S, columns 0 and 1 of both tets together
  V3 p0 = scaled_plus(gradients.c2[1].x, s02[1],
                      scaled_plus(gradients.c2[0].x, s02[0], scaled_plus(f1, s01, scaled(f0, s00))));
  V3 p1 = scaled_plus(gradients.c2[1].x, s12[1],
                      scaled_plus(gradients.c2[0].x, s12[0], scaled_plus(f1, s11, scaled(f0, s01))));

  const M sound = hn::And(hn::Gt(determinant[0], m.watched_share), hn::Gt(determinant[1], m.watched_share));
  if (HWY_UNLIKELY(!hn::AllTrue(D(), sound))) {
    for (std::size_t i = 0; i < 2; ++i) {
      const V volume = at(group.tet[i].volume, part);
      const M inverted = hn::And(hn::Not(hn::Gt(determinant[i], hn::Zero(D()))), hn::Gt(volume, hn::Zero(D())));
      totals.inverted += hn::CountTrue(D(), inverted);
      if (constants.barrier_modulus > 0) {
        // P += dW/dJ cof F, dW/dJ = -modulus x^2, x = 1 - J/J0 where that is positive (crush_barrier.h)
        const V x =
            hn::Max(hn::Zero(D()), hn::NegMulAdd(constant(1 / constants.barrier_share), determinant[i], constant(1)));
        const V minus_slope = hn::Mul(hn::Mul(volume, constant(constants.barrier_modulus)), hn::Mul(x, x));
        p0 = scaled_plus(cross(f1, gradients.c2[i].x), minus_slope, p0);
        p1 = scaled_plus(cross(gradients.c2[i].x, f0), minus_slope, p1);
        p2[i] = scaled_plus(normal, minus_slope, p2[i]);
      }
    }
  }

  // f_i = -vol P grad b_i; the forces of a tet add up to zero                                               OH99 (27)
  PairForces force;
  force.d = scaled(p2[0], at(group.tet[0].u22, part));
  force.e = scaled(p2[1], at(group.tet[1].u22, part));
  force.c = scaled_plus(p2[1], at(group.tet[1].u12, part),
                        scaled_plus(p2[0], at(group.tet[0].u12, part), scaled(p1, at(group.u11, part))));
  force.b = scaled_plus(p2[1], at(group.tet[1].u02, part),
                        scaled_plus(p2[0], at(group.tet[0].u02, part),
                                    scaled_plus(p1, at(group.u01, part), scaled(p0, at(group.u00, part)))));
  const V3 others = (force.b + force.c) + (force.d + force.e);
  force.a = {hn::Neg(others.x), hn::Neg(others.y), hn::Neg(others.z)};
  return force;
}

// --- a block -------------------------------------------------------------------------------------------------------

HWY_INLINE void load_nodes(const KernelTask& task, const NodeId* node, std::size_t count, NodeMotion* motions,
                           NodeSum* sums) {
  for (std::size_t i = 0; i < count; ++i) {
    const double* x = task.position + 3 * std::size_t{node[i].index};
    const double* v = task.velocity + 3 * std::size_t{node[i].index};
#if HWY_MAX_BYTES >= 32
    const hn::FixedTag<double, 4> row;
    const auto xyz = hn::FirstN(row, 3);
    hn::Store(hn::MaskedLoad(xyz, row, x), row, motions[i].x);
    hn::Store(hn::MaskedLoad(xyz, row, v), row, motions[i].v);
    hn::Store(hn::Zero(row), row, sums[i].f);
#else
    motions[i] = {{x[0], x[1], x[2], 0}, {v[0], v[1], v[2], 0}};
    sums[i] = {};
#endif
  }
}

constexpr std::size_t kParts = kLanes / kWidth;
constexpr std::size_t kPrefetchGroups = 4;  // ahead; worth a tenth where the constants come from beyond the L2 cache

HWY_INLINE void add_forces(const PairForces (&force)[kParts], const PairGroup& group, NodeSum* sums) {
  const auto add = [&](std::size_t role, V3 PairForces::*corner) HWY_ATTR {
    for (std::size_t part = 0; part < kParts; ++part) {
      scatter_add(force[part].*corner, sums, group.node[role].data() + part * kWidth);
    }
  };
  add(0, &PairForces::a), add(1, &PairForces::b), add(2, &PairForces::c), add(3, &PairForces::d),
      add(4, &PairForces::e);
}

template <class Look>
HWY_NOINLINE void block_force(const KernelTask& task, std::size_t number, NodeMotion* HWY_RESTRICT motions,
                              NodeSum* HWY_RESTRICT sums) {
  const ElementBlocks& blocks = *task.blocks;
  const Block& block = blocks.blocks[number];
  load_nodes(task, &blocks.slot_node[block.first_slot], block.node_count, motions, sums);

  const KernelMaterial& constants = task.materials[block.material];
  const MaterialLanes material(constants);
  Totals totals[kParts];
  const PairGroup* group = &blocks.groups[block.first_group];
  const PairGroupBounds* bounds = &blocks.bounds[block.first_group];
  const PairGroupLimits* limits = &blocks.limits[block.first_group];
  unsigned any_flagged = 0;
  PairForces force[kParts];
  for (std::size_t g = 0; g < block.group_count; ++g, ++group, ++bounds, ++limits) {
    for (std::size_t line = 0; line < sizeof(PairGroup); line += 64) {
      hwy::Prefetch(reinterpret_cast<const char*>(group + kPrefetchGroups) + line);
    }
    unsigned flagged = 0;
    for (std::size_t part = 0; part < kParts; ++part) {
      const PairGradient gradients = gradient(*group, part * kWidth, motions);
      force[part] = pair_forces<Look>(constants, material, *group, *bounds, *limits, part * kWidth, gradients,
                                      totals[part], flagged);
    }
    if constexpr (Look::kWatch) {
      task.flagged[block.first_group + g] = static_cast<std::uint16_t>(flagged);
      any_flagged |= flagged;
    }
    add_forces(force, *group, sums);
  }

  SlotForce* slot = task.slot_force + block.first_slot;
  for (std::size_t i = 0; i < block.node_count; ++i) {
    std::memcpy(&slot[i], &sums[i], sizeof(NodeSum));
  }
  BlockReport report;
  for (const Totals& t : totals) {
    alignas(64) double power[kWidth];
    hn::Store(t.minus_power, D(), power);
    for (const double p : power) report.viscous_power -= p;
    report.elastic_eigen = HWY_MAX(report.elastic_eigen, hn::GetLane(hn::MaxOfLanes(D(), t.elastic_eigen)));
    report.viscous_eigen = HWY_MAX(report.viscous_eigen, hn::GetLane(hn::MaxOfLanes(D(), t.viscous_eigen)));
    report.inverted += t.inverted;
  }
  report.flagged = any_flagged != 0;
  task.report[number] = report;
}

void block_forces_simd(const KernelTask& task, std::size_t begin, std::size_t end) {
  NodeMotion motions[kBlockNodes];
  NodeSum sums[kBlockNodes];
  for (std::size_t b = begin; b < end; ++b) {
    const bool watch = task.flagged != nullptr;
    if (task.measure) {
      watch ? block_force<Look<true, true>>(task, b, motions, sums)
            : block_force<Look<true, false>>(task, b, motions, sums);
    } else {
      watch ? block_force<Look<false, true>>(task, b, motions, sums)
            : block_force<Look<false, false>>(task, b, motions, sums);
    }
  }
}

// --- nodes -----------------------------------------------------------------------------------------------------------

// A node's three numbers of a flat array, as a vector of four where there are such vectors.
#if HWY_MAX_BYTES >= 32
using Row = hn::FixedTag<double, 4>;
HWY_INLINE hn::Vec<Row> row_at(const double* from) { return hn::MaskedLoad(hn::FirstN(Row(), 3), Row(), from); }
HWY_INLINE void store_row(hn::Vec<Row> row, double* to) { hn::BlendedStore(row, hn::FirstN(Row(), 3), Row(), to); }
#endif

void add_up_slots_simd(const SlotSumTask& task, std::size_t begin, std::size_t end) {
  const ElementBlocks& blocks = *task.blocks;
  for (std::uint32_t r = blocks.chunk_first_run[begin]; r < blocks.chunk_first_run[end]; ++r) {
    const NodeRun& run = blocks.runs[r];
    const NodeId* node = blocks.run_node.data() + run.first_node;
    const std::uint32_t* slot = blocks.run_slot.data() + run.first_slot;
    for (std::uint32_t i = 0; i < run.node_count; ++i) {
      double* force = task.force + 3 * std::size_t{node[i].index};
#if HWY_MAX_BYTES >= 32
      auto sum = hn::Zero(Row());
      for (std::uint32_t k = 0; k < run.slots_per_node; ++k) {
        sum = hn::Add(sum, hn::Load(Row(), &task.slot_force[*slot++].x));
      }
      store_row(sum, force);
#else
      double x = 0, y = 0, z = 0;
      for (std::uint32_t k = 0; k < run.slots_per_node; ++k) {
        const SlotForce& f = task.slot_force[*slot++];
        x += f.x, y += f.y, z += f.z;
      }
      force[0] = x, force[1] = y, force[2] = z;
#endif
    }
  }
}

void kick_and_drift_simd(const KickDriftTask& task, std::size_t begin, std::size_t end) {
#if HWY_MAX_BYTES >= 32
  const auto gravity = row_at(task.gravity), kick = hn::Set(Row(), task.kick), dt = hn::Set(Row(), task.dt);
  for (std::size_t i = begin; i < end; ++i) {
    const auto inverse_mass = hn::Set(Row(), task.inverse_mass[i]);
    const auto acceleration = hn::MulAdd(row_at(task.force + 3 * i), inverse_mass, gravity);
    const auto velocity = hn::MulAdd(kick, acceleration, row_at(task.velocity + 3 * i));
    store_row(velocity, task.velocity + 3 * i);
    store_row(hn::MulAdd(dt, velocity, row_at(task.position + 3 * i)), task.position + 3 * i);
  }
#else
  for (std::size_t i = begin; i < end; ++i) {
    for (std::size_t a = 0; a < 3; ++a) {
      double& v = task.velocity[3 * i + a];
      v += task.kick * (task.force[3 * i + a] * task.inverse_mass[i] + task.gravity[a]);
      task.position[3 * i + a] += task.dt * v;
    }
  }
#endif
}

}  // namespace HWY_NAMESPACE
}  // namespace sunder::tet_oh99
HWY_AFTER_NAMESPACE();
#endif
