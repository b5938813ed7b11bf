#include "meshing/even_surface.h"

#include <Eigen/Geometry>
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>
#include <vector>

#include "core/random.h"
#include "mesh/editable_surface.h"
#include "meshing/kept_lines.h"
#include "meshing/sheet_mesh.h"
#include "meshing/surface_guard.h"
#include "meshing/surface_texture.h"

namespace sunder {
namespace {

constexpr double kDegree = std::numbers::pi / 180;
// In wanted edges; the usual 4/3 and 4/5, by which the mean edge comes out as wanted.
constexpr double kLongest = 4.0 / 3, kShortest = 4.0 / 5;
constexpr double kFlat = 20 * kDegree;        // collapses and flips leave no smaller angle than this, if there was none
constexpr double kGood = 36 * kDegree;        // triangles above it may lose some for evenness
constexpr double kGoodEnough = 30 * kDegree;  // ... and above this for disorder, in the end
constexpr double kStrewn = 12 * kDegree;      // ... and above this when points are strewn at random, at first
constexpr double kStrewnFar = 0.9, kDisorder = 0.15;  // how far, in lowest heights of the triangles round a point
constexpr int kRounds = 3, kRelaxations = 2;

class Remesher {
 public:
  Remesher(const TriangleMesh& input, const EvenSurfaceOptions& options)
      : input_(input),
        options_(options),
        old_(input.points, input.triangles),
        tree_(input.points, input.triangles),
        lines_(find_kept_lines(old_, tree_, input.uvs, options.sharp, options.edge)),
        guard_(old_, tree_, lines_.region, options.deviation * options.edge),
        work_(old_),
        kind_(old_.node_count(), Kind::free) {
    for (std::uint32_t c = 0; c < lines_.curves.size(); ++c) {
      const KeptCurve& curve = lines_.curves[c];
      for (std::size_t i = 0; i < curve.sides.size(); ++i) {
        pieces_.push_back({c, {curve.nodes[i], curve.nodes[i + 1]}, {curve.at[i], curve.at[i + 1]}});
        work_.set_line(curve.sides[i], static_cast<std::uint32_t>(pieces_.size()));
      }
      for (const NodeId n : curve.nodes) kind_[n] = lines_.is_corner[n] != 0 ? Kind::corner : Kind::on_line;
    }
  }

  TriangleMesh run() {
    split_long();
    collapse_short(kLongest * options_.edge);
    strew_all(kStrewnFar, kStrewn, 0);
    for (int round = 0; round < kRounds; ++round) {
      split_long();
      collapse_short(kLongest * options_.edge);
      relax_all(kRelaxations);
    }
    // Relaxed points lie in rows here and there, as in a honeycomb; a little disorder is left.
    strew_all(kDisorder, kGoodEnough, 1);
    flip_all();
    return result();
  }

 private:
  enum class Kind : std::uint8_t { free, on_line, corner };

  // An edge that lies on a kept curve; its number is its place in the list plus one. Without ends it is gone.
  struct Piece {
    std::uint32_t curve = 0;
    std::array<NodeId, 2> ends;
    std::array<double, 2> at{};  // arc lengths of the ends; round a closed curve they go on

    std::size_t end(NodeId n) const { return ends[0] == n ? 0 : 1; }
  };

  const TriMesh& mesh() const { return work_.mesh(); }
  std::uint32_t region(TriangleId t) const { return lines_.region[mesh().source(t)]; }
  Piece& piece(Side side) { return pieces_[work_.line(side) - 1]; }
  double length(Side side) const {
    return (mesh().position(mesh().clockwise_node(side)) - mesh().position(mesh().counter_clockwise_node(side))).norm();
  }

  // The old side on which a place of a curve lies, as its triangle and weights of that one's corners.
  std::pair<std::uint32_t, Vec3> source_at(std::uint32_t curve, double arc) const {
    const KeptCurve& c = lines_.curves[curve];
    const KeptCurve::Place place = c.place(arc);
    const Side side = c.sides[place.side];
    const bool along = old_.clockwise_node(side) == c.nodes[place.side];
    Vec3 weights = Vec3::Zero();
    weights[(side.index + 1) % 3] = along ? 1 - place.share : place.share;
    weights[(side.index + 2) % 3] = along ? place.share : 1 - place.share;
    return {side.triangle.index, weights};
  }
  Vec3 point_at(std::uint32_t curve, double arc) const {
    const auto [t, weights] = source_at(curve, arc);
    const TriangleCorners x = old_.places(TriangleId(t));
    return weights[0] * x[0] + weights[1] * x[1] + weights[2] * x[2];
  }

  // Whether a chord stays within reach of the curve between two arc lengths.
  bool chord_fits(std::uint32_t curve, double from, double to) const {
    if (from > to) std::swap(from, to);
    const KeptCurve& c = lines_.curves[curve];
    const Vec3 a = point_at(curve, from), b = point_at(curve, to);
    const double loop = c.closed ? c.length() : 0;
    for (double lap = c.closed ? std::floor(from / loop) * loop : 0; lap < to; lap += loop) {
      for (auto i = std::upper_bound(c.at.begin(), c.at.end(), from - lap); i != c.at.end() && *i + lap < to; ++i) {
        const Vec3& x = old_.position(c.nodes[static_cast<std::size_t>(i - c.at.begin())]);
        if ((closest_point({a, b, b}, x).point - x).norm() > guard_.reach()) return false;
      }
      if (!c.closed) break;
    }
    return true;
  }

  // Every edge once, those that `wanted` picks by length, in the order of their keys; ties at random.
  template <class Wanted>
  std::vector<Side> edges(const Wanted& wanted) const {
    struct Entry {
      double key;
      std::uint64_t tie;
      Side side;
    };
    std::vector<Entry> found;
    for (const TriangleId t : id_range<TriangleId>(mesh().triangle_count())) {
      if (!work_.alive(t)) continue;
      for (int i = 0; i < 3; ++i) {
        const TriangleId other = mesh().neighbour({t, i});
        if (other.valid() && other < t) continue;
        const double key = wanted(length({t, i}));
        if (key > 0)
          found.push_back({key, random_bits(options_.seed, 3 * std::uint64_t{t.index} + slot(i), 1), {t, i}});
      }
    }
    std::sort(found.begin(), found.end(),
              [](const Entry& a, const Entry& b) { return a.key != b.key ? a.key > b.key : a.tie < b.tie; });
    std::vector<Side> sides;
    for (const Entry& e : found) sides.push_back(e.side);
    return sides;
  }
  static unsigned edges_at(int corner) { return 7u & ~(1u << corner); }
  static std::size_t slot(int i) { return static_cast<std::size_t>(i); }

  // --- longer and shorter

  // Halves of a sliver are slivers with long edges of their own, side by side: without flips and collapses in between,
  // one as long as n edges would become n^2 triangles. Edges that are hardly too long need neither.
  void split_long() {
    constexpr int most_halvings = 60;
    constexpr double far_too_long = 4;  // times the longest that stay
    const double longest = kLongest * options_.edge;
    for (int i = 0; i < most_halvings; ++i) {
      bool any = false;
      double halved = 0;  // the longest that was
      for (const Side side : edges([&](double l) { return l > longest ? l : 0; })) {
        const double before = length(side);
        if (before <= longest || !split(side)) continue;
        any = true;
        halved = std::max(halved, before);
      }
      if (!any) return;
      if (halved > far_too_long * longest) {
        flip_all();
        collapse_short(halved);
      }
    }
  }

  bool split(Side side) {
    const NodeId p = mesh().clockwise_node(side), q = mesh().counter_clockwise_node(side);
    const TriangleId t = side.triangle, o = mesh().neighbour(side);
    const std::uint32_t number = work_.line(side);
    Vec3 middle = (mesh().position(p) + mesh().position(q)) / 2;
    Vec3 x = middle;
    double arc = 0;
    if (number != 0) {
      const Piece& whole = piece(side);
      arc = (whole.at[0] + whole.at[1]) / 2;
      x = point_at(whole.curve, arc);
    } else {
      const TriangleTree::Nearest found = guard_.nearest(middle, guard_.reach(), region(t));
      if (found.triangle != TriangleTree::kNone) x = found.at.point;
    }
    // The edge's triangles and their other halves, numbered as split() will.
    std::vector<TriangleId> old = {t};
    std::vector<SurfaceGuard::Fresh> fresh;
    const auto halves = [&](Side whole, std::size_t child) {
      const TriangleCorners c = mesh().places(whole.triangle);
      const std::size_t apex = slot(whole.index), first = (apex + 1) % 3, second = (apex + 2) % 3;
      fresh.push_back({whole.triangle, {c[apex], c[first], x}, region(whole.triangle)});
      fresh.push_back({TriangleId(child), {c[apex], x, c[second]}, region(whole.triangle)});
    };
    const auto fill = [&] {
      fresh.clear();
      halves(side, mesh().triangle_count());
      if (o.valid()) halves(mesh().beyond(side), mesh().triangle_count() + 1);
    };
    if (o.valid()) old.push_back(o);
    fill();
    if (!guard_.replace(old, fresh)) {
      if (number != 0) return false;
      x = middle;
      fill();
      if (!guard_.replace(old, fresh)) return false;
    }
    const TriMesh::EdgeSplit made = work_.split(side, 0.5);
    work_.move(made.node, x);
    kind_.push_back(number == 0 ? Kind::free : Kind::on_line);
    if (number == 0) return true;
    Piece& first = pieces_[number - 1];
    Piece second = first;
    first.ends[first.end(q)] = made.node, first.at[second.end(q)] = arc;
    second.ends[second.end(p)] = made.node, second.at[second.end(made.node)] = arc;
    pieces_.push_back(second);
    work_.set_line({made.child, side.index}, static_cast<std::uint32_t>(pieces_.size()));
    return true;
  }

  // Over and over while much is to be had: a surface may come with triangles far too small. Leaves no edge longer than
  // `longest`.
  void collapse_short(double longest) {
    constexpr double much = 0.02;  // of the edges
    const double shortest = kShortest * options_.edge;
    std::size_t collapsed = 0, looked_at = 0;
    do {
      collapsed = looked_at = 0;
      for (const Side side : edges([&](double l) {
             ++looked_at;
             return l < shortest ? 1 / l : 0;
           })) {
        if (!work_.alive(side.triangle) || length(side) >= shortest) continue;
        const NodeId p = mesh().clockwise_node(side), q = mesh().counter_clockwise_node(side);
        if (collapse(side, p, q, longest) || collapse(side, q, p, longest)) ++collapsed;
      }
    } while (static_cast<double>(collapsed) > much * static_cast<double>(looked_at));
  }

  bool may_go(Side side, NodeId n) const {
    return kind_[n] == Kind::free || (kind_[n] == Kind::on_line && work_.line(side) != 0);
  }

  bool collapse(Side side, NodeId from, NodeId to, double longest) {
    if (!may_go(side, from) || !work_.may_collapse(side, from)) return false;
    const bool along_line = kind_[from] == Kind::on_line;
    std::vector<TriangleId> gone = {side.triangle};
    if (mesh().neighbour(side).valid()) gone.push_back(mesh().neighbour(side));
    // Both ends meet in the middle if nothing holds them.
    Vec3 x = mesh().position(to);
    const bool both = kind_[from] == Kind::free && kind_[to] == Kind::free;
    if (both) {
      const Vec3 middle = (mesh().position(from) + x) / 2;
      const TriangleTree::Nearest found = guard_.nearest(middle, guard_.reach(), region(side.triangle));
      if (found.triangle == TriangleTree::kNone) return false;
      x = found.at.point;
    }
    std::vector<TriangleId> old = gone;
    std::vector<SurfaceGuard::Fresh> fresh;
    double flat_before = -1, flat_after = -1;
    const auto look = [&](NodeId n) {
      for (const Side corner : mesh().fan(n).corners) {
        const TriangleId t = corner.triangle;
        if (std::find(gone.begin(), gone.end(), t) != gone.end()) continue;
        flat_before = std::max(flat_before, flatness(mesh().places(t)));
        TriangleCorners c = mesh().places(t);
        c[slot(corner.index)] = x;
        flat_after = std::max(flat_after, flatness(c));
        const double farther =
            std::max((c[slot((corner.index + 1) % 3)] - x).norm(), (c[slot((corner.index + 2) % 3)] - x).norm());
        if (farther > longest) return false;
        old.push_back(t);
        fresh.push_back({t, c, region(t), edges_at(corner.index)});
      }
      return true;
    };
    if (!look(from) || (both && !look(to))) return false;
    if (fresh.empty() || flat_after > std::max(flat_before, std::cos(kFlat))) return false;
    Side other{};  // the next piece of the line, which will end in `to`
    double arc = 0;
    if (along_line) {
      other = next_piece(side, from);
      if (std::find(gone.begin(), gone.end(), other.triangle) != gone.end()) return false;
      const TriangleId beyond = mesh().neighbour(other);
      if (beyond.valid() && std::find(gone.begin(), gone.end(), beyond) != gone.end()) return false;
      const Piece &own = piece(side), &next = piece(other);
      arc = next.at[next.end(from)] + own.at[own.end(to)] - own.at[own.end(from)];
      if (!chord_fits(next.curve, arc, next.at[1 - next.end(from)])) return false;
    }
    if (!guard_.replace(old, fresh)) return false;
    if (along_line) {
      Piece& next = piece(other);
      const std::size_t end = next.end(from);
      next.ends[end] = to, next.at[end] = arc;
      piece(side).ends = {};
    }
    work_.collapse(side, from);
    work_.move(to, x);
    return true;
  }

  // The other edge of the line that goes through a node.
  Side next_piece(Side side, NodeId n) const {
    const std::uint32_t number = work_.line(side);
    const TriMesh::Fan fan = mesh().fan(n);
    for (const Side corner : fan.corners) {
      for (const Side edge : {TriMesh::clockwise_edge(corner), TriMesh::counter_clockwise_edge(corner)}) {
        if (work_.line(edge) != 0 && work_.line(edge) != number) return edge;
      }
    }
    return side;
  }

  // --- better shapes

  // The largest cosine of the triangle's angles: 1 for a flat one.
  static double flatness(const TriangleCorners& x) { return cosine_of_smallest_angle(x[0], x[1], x[2]); }

  bool try_flip(Side side) {
    if (work_.line(side) != 0 || !mesh().neighbour(side).valid()) return false;
    const Side there = mesh().beyond(side);
    const Vec3 &a = mesh().position(mesh().node(side)), &b = mesh().position(mesh().clockwise_node(side)),
               &c = mesh().position(mesh().node(there)), &d = mesh().position(mesh().counter_clockwise_node(side));
    const double before = std::max(flatness({a, b, d}), flatness({c, d, b}));
    // Of a cosine, so that rounding cannot flip back and forth; of needles, whose cosines are near one, a share of what
    // is left to gain.
    const double gain = std::min(1e-9, (1 - before) / 4);
    if (!(std::max(flatness({a, b, c}), flatness({c, d, a})) < before - gain) || !work_.may_flip(side)) return false;
    const std::array<TriangleId, 2> old = {side.triangle, there.triangle};
    const std::array<SurfaceGuard::Fresh, 2> fresh = {
        {{old[0], {a, b, c}, region(old[0]), 2}, {old[1], {c, d, a}, region(old[0]), 0}}};
    if (!guard_.replace(old, fresh)) return false;
    work_.flip(side);
    return true;
  }

  // Flips until no flip makes the smaller of the angles on its two sides larger. Ends, because the sorted list of all
  // triangles' smallest angles grows with every flip.
  void flip_all() {
    std::vector<TriangleId> waiting;
    for (const TriangleId t : id_range<TriangleId>(mesh().triangle_count())) {
      if (work_.alive(t)) waiting.push_back(t);
    }
    while (!waiting.empty()) {
      const TriangleId t = waiting.back();
      waiting.pop_back();
      for (int i = 0; i < 3; ++i) {
        const TriangleId other = mesh().neighbour({t, i});
        if (!try_flip({t, i})) continue;
        waiting.push_back(t);
        waiting.push_back(other);
        break;
      }
    }
  }

  // Puts a node elsewhere, unless a triangle would come out with an angle below both `floor` and what there was.
  bool try_move(NodeId n, const TriMesh::Fan& fan, const Vec3& x, double floor) {
    std::vector<TriangleId> old;
    std::vector<SurfaceGuard::Fresh> fresh;
    double before = std::cos(floor), after = -1;
    for (const Side corner : fan.corners) {
      TriangleCorners c = mesh().places(corner.triangle);
      before = std::max(before, flatness(c));
      c[slot(corner.index)] = x;
      after = std::max(after, flatness(c));
      old.push_back(corner.triangle);
      // The edge behind each corner is the one before the next.
      const bool last = fan.open && corner == fan.corners.back();
      fresh.push_back({corner.triangle, c, region(corner.triangle),
                       last ? edges_at(corner.index) : 1u << TriMesh::clockwise_edge(corner).index});
    }
    if (after > before || !guard_.replace(old, fresh)) return false;
    work_.move(n, x);
    return true;
  }

  // Moves a free node by a step, or the half or a quarter of it, along the surface.
  void step(NodeId n, const TriMesh::Fan& fan, Vec3 by, double floor) {
    for (int halvings = 0; halvings < 3; ++halvings, by /= 2) {
      const TriangleTree::Nearest found =
          guard_.nearest(mesh().position(n) + by, options_.edge, region(fan.corners.front().triangle));
      if (found.triangle != TriangleTree::kNone && try_move(n, fan, found.at.point, floor)) return;
    }
  }

  // Puts points anywhere near: triangles of a grid lose its rows, along which cracks would run.
  void strew_all(double farthest, double floor, std::uint64_t time) {
    for (const NodeId n : id_range<NodeId>(mesh().node_count())) {
      if (work_.alive(n) && kind_[n] == Kind::free) strew(n, farthest, floor, time);
    }
  }
  void strew(NodeId n, double farthest, double floor, std::uint64_t time) {
    const TriMesh::Fan fan = mesh().fan(n);
    double height = options_.edge;
    Vec3 normal = Vec3::Zero();
    for (const Side corner : fan.corners) {
      const TriangleCorners c = mesh().places(corner.triangle);
      const Vec3 area = area_vector(c);
      normal += area;
      const double opposite = (c[slot((corner.index + 2) % 3)] - c[slot((corner.index + 1) % 3)]).norm();
      height = std::min(height, 2 * area.norm() / opposite);
    }
    const Vec3 u = normal.stableNormalized().unitOrthogonal(), v = normal.stableNormalized().cross(u);
    const double turn = 2 * std::numbers::pi * random_unit(options_.seed, n.index, 2 + 2 * time);
    const double far = farthest * height * std::sqrt(random_unit(options_.seed, n.index, 3 + 2 * time));
    step(n, fan, far * (std::cos(turn) * u + std::sin(turn) * v), floor);
  }

  // Towards the mean of the centres of the triangles round it, weighted with their areas (Lloyd).
  void relax(NodeId n) {
    const TriMesh::Fan fan = mesh().fan(n);
    Vec3 mean = Vec3::Zero(), normal = Vec3::Zero();
    double sum = 0;
    for (const Side corner : fan.corners) {
      const TriangleCorners c = mesh().places(corner.triangle);
      const Vec3 area = area_vector(c);
      mean += area.norm() * ((c[0] + c[1] + c[2]) / 3 - mesh().position(n));
      normal += area;
      sum += area.norm();
    }
    const Vec3 up = normal.stableNormalized();
    const Vec3 by = mean / sum;
    step(n, fan, by - by.dot(up) * up, kGood);
  }

  // Along its line, towards the middle between its neighbours there.
  void relax_on_line(NodeId n) {
    const TriMesh::Fan fan = mesh().fan(n);
    std::array<std::uint32_t, 2> numbers{};
    std::size_t count = 0;
    for (const Side corner : fan.corners) {
      for (const Side edge : {TriMesh::clockwise_edge(corner), TriMesh::counter_clockwise_edge(corner)}) {
        const std::uint32_t number = work_.line(edge);
        if (number != 0 && count < 2 && (count == 0 || number != numbers[0])) numbers[count++] = number;
      }
    }
    if (count < 2) return;
    Piece &one = pieces_[numbers[0] - 1], &two = pieces_[numbers[1] - 1];
    const std::size_t end_one = one.end(n), end_two = two.end(n);
    const double to_one = one.at[1 - end_one] - one.at[end_one], to_two = two.at[1 - end_two] - two.at[end_two];
    double by = (to_one + to_two) / 4;
    for (int halvings = 0; halvings < 3; ++halvings, by /= 2) {
      const double at_one = one.at[end_one] + by, at_two = two.at[end_two] + by;
      if (!chord_fits(one.curve, at_one, one.at[1 - end_one]) || !chord_fits(two.curve, at_two, two.at[1 - end_two])) {
        continue;
      }
      if (!try_move(n, fan, point_at(one.curve, at_one), kGood)) continue;
      one.at[end_one] = at_one, two.at[end_two] = at_two;
      return;
    }
  }

  void relax_all(int times) {
    flip_all();
    for (int i = 0; i < times; ++i) {
      for (const NodeId n : id_range<NodeId>(mesh().node_count())) {
        if (!work_.alive(n)) continue;
        if (kind_[n] == Kind::free) relax(n);
        if (kind_[n] == Kind::on_line) relax_on_line(n);
      }
      flip_all();
    }
  }

  // --- what comes of it

  // The old triangle on which a node lies, and the weights of its corners.
  std::vector<std::pair<std::uint32_t, Vec3>> sources() const {
    std::vector<std::pair<std::uint32_t, Vec3>> found(mesh().node_count());
    for (const Piece& p : pieces_) {
      if (!p.ends[0].valid()) continue;
      for (std::size_t e = 0; e < 2; ++e) found[p.ends[e].index] = source_at(p.curve, p.at[e]);
    }
    for (const TriangleId t : id_range<TriangleId>(mesh().triangle_count())) {
      if (!work_.alive(t)) continue;
      for (const NodeId n : mesh().corners(t)) {
        if (kind_[n] != Kind::free) continue;
        const TriangleTree::Nearest at = guard_.nearest(mesh().position(n), 2 * options_.edge, region(t));
        found[n.index] = {at.triangle, at.at.weights};
      }
    }
    return found;
  }

  TriangleMesh result() const {
    TriangleMesh out;
    std::vector<NodeId> kept;
    out.triangles = work_.triangles(kept);
    for (const NodeId n : kept) out.points.push_back(mesh().position(n));
    if (!input_.attributes.empty()) {
      const auto from = sources();
      for (const PointAttribute& attribute : input_.attributes) {
        auto& values = out.attributes.emplace_back(PointAttribute{attribute.name, {}}).values;
        for (const NodeId n : kept) {
          const auto& [t, weights] = from[n.index];
          double sum = 0;
          for (std::size_t k = 0; k < 3; ++k) {
            sum += weights[static_cast<int>(k)] * attribute.values[input_.triangles[t][k]];
          }
          values.push_back(sum);
        }
      }
    }
    for (const FaceAttribute& attribute : input_.face_attributes) out.face_attributes.push_back({attribute.name, {}});
    if (input_.uvs.empty() && input_.face_attributes.empty()) return out;
    const SurfaceTexture texture(input_.points, input_.triangles, input_.uvs);
    for (const TriangleId t : id_range<TriangleId>(mesh().triangle_count())) {
      if (!work_.alive(t)) continue;
      const TriangleCorners c = mesh().places(t);
      const Vec3 middle = (c[0] + c[1] + c[2]) / 3;
      const std::uint32_t home = guard_.nearest(middle, 2 * options_.edge, region(t)).triangle;
      for (std::size_t a = 0; a < input_.face_attributes.size(); ++a) {
        out.face_attributes[a].values.push_back(input_.face_attributes[a].values[home]);
      }
      if (input_.uvs.empty()) continue;
      auto& uv = out.uvs.emplace_back();
      for (std::size_t k = 0; k < 3; ++k) {
        // A point on a seam has a place in the texture on either side of it: the one on this triangle's side counts.
        constexpr double inwards = 1e-3;
        const Vec3 beside = c[k] + inwards * (middle - c[k]);
        const std::uint32_t near = guard_.nearest(beside, 2 * options_.edge, region(t)).triangle;
        uv[k] = texture.beside(home, c[k], texture.going_on(near, c[k]));
      }
    }
    return out;
  }

  const TriangleMesh& input_;
  EvenSurfaceOptions options_;
  TriMesh old_;
  TriangleTree tree_;
  KeptLines lines_;
  SurfaceGuard guard_;
  EditableSurface work_;
  Column<NodeId, Kind> kind_;
  std::vector<Piece> pieces_;
};

}  // namespace

TriangleMesh even_surface(const TriangleMesh& surface, const EvenSurfaceOptions& options) {
  // In units near the edge's length, so that squares and cubes of very small or large ones stay within the doubles; a
  // power of two changes no digit.
  const int power = std::ilogb(options.edge);
  TriangleMesh scaled = surface;
  for (Vec3& p : scaled.points) p *= std::ldexp(1.0, -power);
  EvenSurfaceOptions in_units = options;
  in_units.edge = std::ldexp(options.edge, -power);
  TriangleMesh even = Remesher(scaled, in_units).run();
  for (Vec3& p : even.points) p *= std::ldexp(1.0, power);
  return even;
}

}  // namespace sunder
