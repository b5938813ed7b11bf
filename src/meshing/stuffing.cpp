#include "meshing/stuffing.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>
#include <utility>

#include "geometry/tetrahedron.h"

namespace sunder {
namespace {

using Index = std::uint32_t;
constexpr Index kNone = 0xffffffffu;

std::int64_t squared_length(const GridPoint& a, const GridPoint& b) {
  std::int64_t sum = 0;
  for (std::size_t i = 0; i < 3; ++i) sum += static_cast<std::int64_t>(a[i] - b[i]) * (a[i] - b[i]);
  return sum;
}

bool along_axis(const GridPoint& a, const GridPoint& b) {
  return (a[0] != b[0] ? 1 : 0) + (a[1] != b[1] ? 1 : 0) + (a[2] != b[2] ? 1 : 0) == 1;
}

// A lattice edge that the surface cuts, once.
struct CutEdge {
  Index inside, outside;  // nodes
  double at = 0;          // 0 at the inner end, 1 at the outer one
  Index point = kNone;    // in the output
};

class Stuffer {
 public:
  Stuffer(const BccLattice& lattice, const Vec3& origin, double unit, const SignedDistance& solid,
          const StuffingOptions& options)
      : lattice_(lattice), solid_(solid), options_(options) {
    position_.resize(lattice.nodes.size());
    for (std::size_t n = 0; n < position_.size(); ++n) {
      const GridPoint& p = lattice.nodes[n];
      position_[n] = origin + unit * Vec3(p[0], p[1], p[2]);
    }
  }

  StuffedMesh run() && {
    find_signs();
    find_cuts();
    warp();
    for (const auto& tet : lattice_.tets) fill(tet);
    return std::move(mesh_);
  }

 private:
  bool inside(Index n) const { return sign_[n] > 0; }
  bool outside(Index n) const { return sign_[n] < 0; }

  void find_signs() {
    std::vector<double> value(position_.size());
    solid_.values(position_, value);
    value_ = std::move(value);
    sign_.resize(value_.size());
    for (std::size_t n = 0; n < value_.size(); ++n) {
      sign_[n] = static_cast<std::int8_t>(value_[n] < 0 ? 1 : value_[n] > 0 ? -1 : 0);
    }
  }

  void find_cuts() {
    for (const auto& tet : lattice_.tets) {
      for (const auto& [i, j] : kTetEdges) {
        const Index a = tet[static_cast<std::size_t>(i)], b = tet[static_cast<std::size_t>(j)];
        if (inside(a) && outside(b)) cuts_.push_back({a, b});
        if (inside(b) && outside(a)) cuts_.push_back({b, a});
      }
    }
    const auto ends = [](const CutEdge& e) { return std::pair(e.inside, e.outside); };
    std::sort(cuts_.begin(), cuts_.end(), [&](const CutEdge& a, const CutEdge& b) { return ends(a) < ends(b); });
    cuts_.erase(
        std::unique(cuts_.begin(), cuts_.end(), [&](const CutEdge& a, const CutEdge& b) { return ends(a) == ends(b); }),
        cuts_.end());
    constexpr std::size_t batch = 64;
    parallel_chunks(cuts_.size(), batch, [&](std::size_t begin, std::size_t end) {
      for (std::size_t i = begin; i < end; ++i) cuts_[i].at = root(cuts_[i]);
    });
    // The cuts at each node, both ends.
    first_cut_.assign(position_.size() + 1, 0);
    for (const CutEdge& e : cuts_) {
      ++first_cut_[e.inside + 1];
      ++first_cut_[e.outside + 1];
    }
    for (std::size_t n = 0; n < position_.size(); ++n) first_cut_[n + 1] += first_cut_[n];
    cut_at_.resize(2 * cuts_.size());
    std::vector<Index> next(first_cut_.begin(), first_cut_.end() - 1);
    for (Index i = 0; i < cuts_.size(); ++i) {
      cut_at_[next[cuts_[i].inside]++] = i;
      cut_at_[next[cuts_[i].outside]++] = i;
    }
  }

  // Where the value changes its sign: regula falsi with the weight of a stuck end halved (Illinois), and a halving of
  // the interval now and then, for values that jump.
  double root(const CutEdge& e) const {
    const Vec3 &from = position_[e.inside], &to = position_[e.outside];
    const double length = (to - from).norm(), good_enough = options_.tolerance * length;
    double a = 0, fa = value_[e.inside], b = 1, fb = value_[e.outside];
    int stuck = 0;
    for (int step = 0; step < 40 && b - a > options_.tolerance; ++step) {
      const double middle = step % 4 == 3 ? (a + b) / 2 : std::clamp(a + (b - a) * fa / (fa - fb), a, b);
      const double f = solid_.value(from + middle * (to - from));
      if (std::abs(f) < good_enough) return middle;
      if (f < 0) {
        a = middle;
        fa = f;
        if (stuck == -1) fb /= 2;
        stuck = -1;
      } else {
        b = middle;
        fb = f;
        if (stuck == 1) fa /= 2;
        stuck = 1;
      }
    }
    return (a + b) / 2;
  }

  Vec3 cut_position(const CutEdge& e) const {
    return position_[e.inside] + e.at * (position_[e.outside] - position_[e.inside]);
  }

  // Nodes in their order; each moves to the nearest of the cuts that are too near, which ends all cuts of its edges.
  void warp() {
    warped_ = position_;
    for (Index n = 0; n < position_.size(); ++n) {
      if (sign_[n] == 0) continue;
      double nearest = 0;
      const CutEdge* target = nullptr;
      for (Index i = first_cut_[n]; i < first_cut_[n + 1]; ++i) {
        const CutEdge& e = cuts_[cut_at_[i]];
        const Index other = e.inside == n ? e.outside : e.inside;
        if (sign_[other] == 0) continue;
        const double part = e.inside == n ? e.at : 1 - e.at;
        const double limit =
            along_axis(lattice_.nodes[n], lattice_.nodes[other]) ? options_.warp_long : options_.warp_short;
        if (part >= limit) continue;
        const double distance = part * (position_[n] - position_[other]).norm();
        if (target != nullptr && distance >= nearest) continue;
        nearest = distance;
        target = &e;
      }
      if (target == nullptr) continue;
      warped_[n] = cut_position(*target);
      sign_[n] = 0;
    }
  }

  // --- the stencils -------------------------------------------------------------------------------------------------

  // `reference` is where the point is before any warping, cuts in the middle of their edges: there the stencils are
  // all well shaped and tell how a tet is turned, even if warping a distorted cell turns it inside out.
  Index add_point(const Vec3& x, const Vec3& reference, bool on_surface) {
    mesh_.soup.points.push_back(x);
    reference_.push_back(reference);
    mesh_.on_surface.push_back(on_surface ? 1 : 0);
    return static_cast<Index>(mesh_.soup.points.size() - 1);
  }

  Index node_point(Index n) {
    if (node_point_.empty()) node_point_.assign(position_.size(), kNone);
    if (node_point_[n] == kNone) node_point_[n] = add_point(warped_[n], position_[n], sign_[n] == 0);
    return node_point_[n];
  }

  Index cut_point(Index in, Index out) {
    for (Index i = first_cut_[in]; i < first_cut_[in + 1]; ++i) {
      CutEdge& e = cuts_[cut_at_[i]];
      if (e.inside != in || e.outside != out) continue;
      if (e.point == kNone) {
        e.point = add_point(cut_position(e), (position_[in] + position_[out]) / 2, true);
      }
      return e.point;
    }
    return kNone;
  }

  void add_tet(Index a, Index b, Index c, Index d) {
    const auto& x = reference_;
    if (signed_volume({x[a], x[b], x[c], x[d]}) < 0) std::swap(c, d);
    mesh_.soup.tets.push_back({a, b, c, d});
  }

  // In a face whose corners p, q are inside and m outside, the quadrilateral p, q, cut(q m), cut(p m) is halved by a
  // diagonal that starts at p or at q. Both tets at the face must choose alike, and no prism may get three diagonals
  // that run round in a circle: so corners are compared by an order that depends on nothing but m. The end of the
  // shorter edge has the diagonal (the other way, a rough surface gave 8 degrees); between equal ones the parity rule
  // decides (section 3.2): of two neighbours along an axis, one has an odd number of coordinates above those of m.
  bool starts_at_first(Index p, Index q, Index m) const {
    const GridPoint &gp = lattice_.nodes[p], &gq = lattice_.nodes[q], &gm = lattice_.nodes[m];
    const std::int64_t lp = squared_length(gp, gm), lq = squared_length(gq, gm);
    if (lp != lq) return lp < lq;
    const auto odd = [&](const GridPoint& g) {
      return ((g[0] > gm[0] ? 1 : 0) + (g[1] > gm[1] ? 1 : 0) + (g[2] > gm[2] ? 1 : 0)) % 2 == 1;
    };
    if (odd(gp) != odd(gq)) return odd(gp);
    return p < q;
  }

  void fill(const std::array<Index, 4>& tet) {
    std::array<Index, 4> in{}, out{}, zero{};
    std::size_t ins = 0, outs = 0, zeros = 0;
    for (const Index n : tet) {
      if (inside(n)) in[ins++] = n;
      if (outside(n)) out[outs++] = n;
      if (sign_[n] == 0) zero[zeros++] = n;
    }
    if (ins == 0) return;
    if (outs == 0) {
      add_tet(node_point(tet[0]), node_point(tet[1]), node_point(tet[2]), node_point(tet[3]));
    } else if (ins == 1) {
      one_inside(in[0], out, outs, zero, zeros);
    } else if (ins == 2 && outs == 1) {
      pyramid(in[0], in[1], out[0], zero[0]);
    } else if (ins == 2) {
      wedge(in[0], in[1], out[0], out[1]);
    } else {
      prism(in, out[0]);
    }
  }

  // The inner node and three points of the surface: cuts, and nodes that lie on it.
  void one_inside(Index in, const std::array<Index, 4>& out, std::size_t outs, const std::array<Index, 4>& zero,
                  std::size_t zeros) {
    std::array<Index, 3> corner{};
    std::size_t k = 0;
    for (std::size_t i = 0; i < outs; ++i) corner[k++] = cut_point(in, out[i]);
    for (std::size_t i = 0; i < zeros; ++i) corner[k++] = node_point(zero[i]);
    add_tet(node_point(in), corner[0], corner[1], corner[2]);
  }

  // The quadrilateral of p, q and their cuts towards m is the base, z on the surface the top.
  void pyramid(Index p, Index q, Index m, Index z) {
    if (!starts_at_first(p, q, m)) std::swap(p, q);
    const Index a = node_point(p), b = node_point(q), ca = cut_point(p, m), cb = cut_point(q, m), top = node_point(z);
    add_tet(a, b, cb, top);
    add_tet(a, cb, ca, top);
  }

  // Two inside, two outside: a triangular prism with the ends (p, cuts of p) and (q, cuts of q).
  void wedge(Index p, Index q, Index m, Index n) {
    if (!starts_at_first(p, q, m)) std::swap(p, q);
    const Index a = node_point(p), b = node_point(q);
    const Index am = cut_point(p, m), an = cut_point(p, n), bm = cut_point(q, m), bn = cut_point(q, n);
    // The diagonal of the face of m is a-bm.
    if (starts_at_first(p, q, n)) {
      // a-bm and a-bn: the diagonal on the surface is free, the shorter one is better.
      add_tet(a, b, bm, bn);
      const auto length = [&](Index i, Index j) { return (mesh_.soup.points[i] - mesh_.soup.points[j]).squaredNorm(); };
      if (length(am, bn) < length(an, bm)) {
        add_tet(a, am, bm, bn);
        add_tet(a, am, bn, an);
      } else {
        add_tet(a, am, bm, an);
        add_tet(a, bm, bn, an);
      }
    } else {
      // a-bm and b-an: only bm-an goes with them.
      add_tet(a, am, an, bm);
      add_tet(a, b, bm, an);
      add_tet(b, bm, bn, an);
    }
  }

  // Three inside: all three diagonals are given, and follow the order of the corners.
  void prism(const std::array<Index, 4>& in, Index m) {
    std::array<Index, 3> p = {in[0], in[1], in[2]};
    std::sort(p.begin(), p.end(), [&](Index a, Index b) { return a != b && starts_at_first(a, b, m); });
    std::array<Index, 3> x{}, c{};
    for (std::size_t i = 0; i < 3; ++i) {
      x[i] = node_point(p[i]);
      c[i] = cut_point(p[i], m);
    }
    // Diagonals x0-c1, x0-c2, x1-c2.
    add_tet(x[0], x[1], x[2], c[2]);
    add_tet(x[0], x[1], c[2], c[1]);
    add_tet(x[0], c[1], c[2], c[0]);
  }

  const BccLattice& lattice_;
  const SignedDistance& solid_;
  const StuffingOptions& options_;
  std::vector<Vec3> position_, warped_;  // of lattice nodes
  std::vector<Vec3> reference_;          // of output points
  std::vector<double> value_;
  std::vector<std::int8_t> sign_;  // 1 inside, -1 outside, 0 on the surface
  std::vector<CutEdge> cuts_;
  std::vector<Index> first_cut_, cut_at_, node_point_;
  StuffedMesh mesh_;
};

}  // namespace

StuffedMesh stuff(const BccLattice& lattice, const Vec3& origin, double unit, const SignedDistance& solid,
                  const StuffingOptions& options) {
  return Stuffer(lattice, origin, unit, solid, options).run();
}

}  // namespace sunder
